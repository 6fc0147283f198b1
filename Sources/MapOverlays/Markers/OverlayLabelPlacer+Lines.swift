import Glibc
import MapGeometry
import MapScene
import Pixels

/// Labels and the lines of overlays: a name over a trail hides both.
extension OverlayLabelPlacer {
  /// How many pieces of lines a layout looks at. Beyond that, labels may stand over lines.
  static let mostPieces = 65_536

  /// Whether a label that covers `rect`, in view pixels, would lie over a line.
  mutating func isOverLine(_ rect: PixelRect, _ tools: Tools) -> Bool {
    if tools.lines.isEmpty { return false }
    return Lines(all: tools.lines, selected: tools.selected)
      .areUnder(rect, tools.t, tools.art.painter, budget: &linesBudget)
  }

  /// Whether a label that covers `rect`, in view pixels, would lie over the selected line.
  mutating func isOverSelected(_ rect: PixelRect, _ tools: Tools) -> Bool {
    guard let selected = tools.selected else { return false }
    return selected.isUnder(
      rect, tools.t, point: tools.art.painter.leastUnit, budget: &linesBudget)
  }

  /// The lines that labels keep clear of.
  struct Lines: Equatable {
    /// The lines of the overlays that are shown.
    var all: [OverlayLines] = []
    /// The selected one, which is seen above the others; nil: none is.
    var selected: SelectedLine?

    /// Whether a label would lie over one of them that is shown.
    ///
    /// - Parameters:
    ///   - rect: What the label covers, in view pixels.
    ///   - t: The view.
    ///   - painter: Has the sizes of a point.
    ///   - budget: How many pieces of lines may be looked at; receives how many are left. Once it
    ///     is used up, none is found.
    /// - Returns: Whether it would.
    func areUnder(
      _ rect: PixelRect, _ t: ViewTransform, _ painter: SpritePainter, budget: inout Int
    ) -> Bool {
      if budget <= 0 { return false }
      let (patch, zoom) = (MapPatch(rect, t), Double(t.level) + log2(t.magnification))
      let point = painter.unit * t.pixelSize
      for lines in all
      where zoom >= lines.minZoom
        && lines.features.hasLine(in: patch, point: point, budget: &budget)
      {
        return true
      }
      return selected?.isUnder(rect, t, point: painter.leastUnit, budget: &budget) == true
    }
  }
}

extension OverlayLabelPlacer.Tools {
  /// How labels of points are tried, the best first.
  var manners: [OverlayLabelPlacer.Manner] {
    if lines.isEmpty { return selected == nil ? [.overLines] : [.besideSelected, .overLines] }
    return selected == nil
      ? [.besideLines, .overLines] : [.besideLines, .besideSelected, .overLines]
  }
}

extension SelectedLine {
  /// Whether a part of the view lies over the line and the ring around it.
  ///
  /// - Parameters:
  ///   - rect: The part, in view pixels.
  ///   - t: The view.
  ///   - point: The size of a point in pixels.
  ///   - budget: How many pieces of the line may be looked at; receives how many are left.
  /// - Returns: Whether the line is there.
  func isUnder(
    _ rect: PixelRect, _ t: ViewTransform, point: Double, budget: inout Int
  ) -> Bool {
    drawing.hasSelected(
      line, in: MapPatch(rect, t), point: point * t.pixelSize, budget: &budget)
  }

  /// How much of the line is under a part of the view, in widths of the world.
  ///
  /// - Parameters:
  ///   - rect: The part, in view pixels.
  ///   - t: The view.
  ///   - budget: How many pieces of the line may be looked at; receives how many are left.
  /// - Returns: The length.
  func length(under rect: PixelRect, _ t: ViewTransform, budget: inout Int) -> Double {
    drawing.length(of: line, in: MapPatch(rect, t), budget: &budget)
  }

  /// How much of the line is in a part of the grid, in widths of the world.
  func length(in box: GridBox, _ t: ViewTransform, budget: inout Int) -> Double {
    let side = Double(t.cell) * Double(t.columns)
    let patch = MapPatch(
      middle: WorldPoint(x: (box.minX + box.maxX) / 2 / side, y: (box.minY + box.maxY) / 2 / side),
      along: (1, 0), halfWidth: (box.maxX - box.minX) / 2 / side,
      halfHeight: (box.maxY - box.minY) / 2 / side)
    return drawing.length(of: line, in: patch, budget: &budget)
  }
}

extension FeatureDrawing {
  /// Whether a part of the view lies over a line of the drawing.
  ///
  /// - Parameters:
  ///   - rect: The part, in view pixels.
  ///   - t: The view.
  ///   - point: The size of a point in pixels.
  ///   - budget: How many pieces of lines may be looked at; receives how many are left.
  /// - Returns: Whether a line is there.
  func isUnder(
    _ rect: PixelRect, _ t: ViewTransform, point: Double, budget: inout Int
  ) -> Bool {
    budget > 0
      && hasLine(in: MapPatch(rect, t), point: point * t.pixelSize, budget: &budget)
  }
}

extension ViewTransform {
  /// The size of a pixel in widths of the world.
  fileprivate var pixelSize: Double {
    (stepX * stepX + stepY * stepY).squareRoot() / (Double(cell) * Double(columns))
  }
}

extension MapPatch {
  /// A part of the view.
  fileprivate init(_ rect: PixelRect, _ t: ViewTransform) {
    let middle = t.grid(
      Double(rect.x) + Double(rect.width) / 2, Double(rect.y) + Double(rect.height) / 2)
    let step = (t.stepX * t.stepX + t.stepY * t.stepY).squareRoot()
    let (side, pixel) = (Double(t.cell) * Double(t.columns), t.pixelSize)
    self.init(
      middle: WorldPoint(x: middle.x / side, y: middle.y / side),
      along: (t.stepX / step, t.stepY / step), halfWidth: Double(rect.width) / 2 * pixel,
      halfHeight: Double(rect.height) / 2 * pixel)
  }
}
