import MapGeometry
import MapLabels
import MapOverlays

#if canImport(Glibc)
  import Glibc
#endif

/// Finds the lines of overlays in a view, which labels keep clear of.
///
/// It belongs to the thread that places labels, for one placement.
public final class OverlayLineSearch: LabelLines {
  /// How many pieces of lines one placement looks at. Beyond that, labels may stand over lines.
  static let mostPieces = 1 << 18

  private let lines: [OverlayLines]
  private let selected: SelectedLine?
  private let scale: Double
  private let world: Double
  private let middle: WorldPoint
  private let half: (x: Double, y: Double)
  private let turn: (cosine: Double, sine: Double)
  /// How many pieces may still be looked at, for all lines and for the selected one.
  private var budget = (lines: mostPieces, selected: mostPieces)

  /// Creates a search; nil if there is no line.
  ///
  /// - Parameters:
  ///   - lines: The overlays that are shown at the view's zoom.
  ///   - selected: The selected line; nil: none is.
  ///   - view: The view.
  public init?(_ lines: [OverlayLines], selected: SelectedLine?, in view: Viewport) {
    if lines.isEmpty, selected == nil { return nil }
    (self.lines, self.selected) = (lines, selected)
    scale = Double(view.scale)
    world = view.worldPixels
    middle = WebMercator.project(view.center)
    half = (Double(view.width) / 2, Double(view.height) / 2)
    let bearing = view.bearing * .pi / 180
    turn = view.bearing == 0 ? (1, 0) : (cos(bearing), sin(bearing))
  }

  /// Whether a line is selected.
  public var hasSelected: Bool { selected != nil }

  /// Whether any line is drawn over a part of the view, with its casing.
  public func cross(_ patch: LabelPatch) -> Bool {
    let part = mapPatch(patch)
    for lines in lines
    where lines.features.hasLine(in: part, point: scale / world, budget: &budget.lines) {
      return true
    }
    return isSelected(over: part)
  }

  /// Whether the selected line is drawn over a part of the view, with the ring around it.
  public func selectedCrosses(_ patch: LabelPatch) -> Bool { isSelected(over: mapPatch(patch)) }

  private func isSelected(over part: MapPatch) -> Bool {
    guard let selected, budget.selected > 0 else { return false }
    return selected.drawing.hasSelected(
      selected.line, in: part, point: scale / world, budget: &budget.selected)
  }

  private func mapPatch(_ patch: LabelPatch) -> MapPatch {
    func turned(_ x: Double, _ y: Double) -> (x: Double, y: Double) {
      (x * turn.cosine - y * turn.sine, x * turn.sine + y * turn.cosine)
    }
    let at = turned(Double(patch.x) - half.x, Double(patch.y) - half.y)
    return MapPatch(
      middle: WorldPoint(x: middle.x + at.x / world, y: middle.y + at.y / world),
      along: turned(Double(patch.cosine), Double(patch.sine)),
      halfWidth: Double(patch.halfWidth) / world, halfHeight: Double(patch.halfHeight) / world)
  }
}
