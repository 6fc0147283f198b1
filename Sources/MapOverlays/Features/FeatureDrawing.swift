import Drawing
import Features
import MapGeometry
import Pixels
import TileLoading

/// Draws features as tiles. Immutable, so that several threads can draw with it at once.
///
/// Each feature is a path in its own style: its area is filled even-odd, its outline and lines are
/// drawn over it, and it covers the features before it. The cost of a tile depends only on what it
/// shows, and is bounded: an index finds its features, points closer than 0.4 pixels or outside the
/// tile are skipped, crowds are thinned (`CrowdGrid`), and of thousands of layers the lowest are
/// left out (`TileBudget`).
public final class FeatureDrawing: Sendable {
  /// The features to draw.
  public let features: FeatureSet
  let index: FeatureIndex
  let styles: [DrawnStyle]
  /// How far any style reaches beyond its geometry, in points.
  let reach: Double
  let labelPlaces: LabelPlaces
  /// Whether any line has a name.
  public let hasNamedLines: Bool
  /// How far along their lines the points are.
  let ruler: LineRuler

  /// Prepares features for drawing; `style` applies where a feature sets nothing itself. Builds the
  /// index, which takes time, so call it off the loop's thread.
  public init(_ features: FeatureSet, style: OverlayStyle = OverlayStyle()) {
    self.features = features
    index = FeatureIndex(features)
    labelPlaces = LabelPlaces(features)
    hasNamedLines = FeatureDrawing.hasNamedLines(features)
    ruler = LineRuler(features)
    styles = features.styles.map { DrawnStyle($0, style) }
    reach = styles.reduce(0) { max($0, $1.reach) }
  }

  /// Bytes that features, index and labels occupy.
  public var bytes: Int {
    features.bytes + index.bytes + labelPlaces.bytes + ruler.bytes
      + styles.capacity * MemoryLayout<DrawnStyle>.stride
  }

  /// Whether the tile shows any feature.
  public func mayDraw(_ tile: TileID) -> Bool {
    var found = false
    for world in -1...1 where !found {
      guard let box = box(of: tile, world: world) else { continue }
      index.visit(box, features.features) { _ in
        found = true
        return false
      }
    }
    return found
  }

  /// Draws `tile` without a way to stop; see `draw(_:scale:look:on:with:isCancelled:)`.
  public func draw(
    _ tile: TileID, scale: Int, look: FeatureLook? = nil, on canvas: PixelCanvas,
    with rasteriser: PathRasteriser
  ) -> Bool {
    draw(tile, scale: scale, look: look, on: canvas, with: rasteriser, isCancelled: { false })
  }

  /// Draws `tile` on `canvas`, which is square and transparent.
  ///
  /// - Parameters:
  ///   - tile: The tile's address.
  ///   - scale: Pixels per point.
  ///   - look: The size of a point and the colours; nil: `scale`, and those of the style.
  ///   - canvas: The canvas.
  ///   - rasteriser: The calling thread's own.
  ///   - isCancelled: Asked between features. If true, drawing stops and the canvas is undefined.
  /// - Returns: Whether anything was drawn.
  public func draw(
    _ tile: TileID, scale: Int, look: FeatureLook? = nil, on canvas: PixelCanvas,
    with rasteriser: PathRasteriser, isCancelled: () -> Bool
  ) -> Bool {
    var seen = self.seen(on: tile)
    guard !seen.isEmpty else { return false }
    var painter = FeaturePainter(
      self, tile: tile, canvas: canvas, reach: reach, scale: scale,
      look: look ?? FeatureLook(unit: Double(scale)))
    seen.removeFirst(firstWithinBudget(seen, tile, canvas, scale))
    var index = 0
    while index < seen.count {
      // The casings of lines that follow one another lie under all of them.
      var end = index
      while end < seen.count, painter.isLine(Int(seen[end].feature)) { end += 1 }
      if end > index {
        if isCancelled() { return false }
        painter.paintCasings(seen[index..<end], with: rasteriser)
      }
      for item in seen[index..<max(end, index + 1)] {
        if isCancelled() { return false }
        painter.paint(Int(item.feature), worlds: item.worlds, with: rasteriser)
      }
      index = max(end, index + 1)
    }
    return FeatureDrawing.hasPixels(canvas)
  }

  /// The features on a tile in their order, each with the copies of the world that show it; bit 0
  /// is the western copy.
  private func seen(on tile: TileID) -> [FeaturePainter.Seen] {
    var all: [FeaturePainter.Seen] = []
    for world in -1...1 {
      guard let box = box(of: tile, world: world) else { continue }
      index.visit(box, features.features) {
        all.append(($0, 1 << UInt8(world + 1)))
        return true
      }
    }
    guard !all.isEmpty else { return [] }
    all.sort { $0.feature < $1.feature }
    var kept = 0
    for item in all.dropFirst() {
      if item.feature == all[kept].feature {
        all[kept].worlds |= item.worlds
      } else {
        kept += 1
        all[kept] = item
      }
    }
    all.removeLast(all.count - kept - 1)
    return all
  }

  /// The index of the first feature to draw: 0 except on tiles of thousands of layers.
  private func firstWithinBudget(
    _ seen: [FeaturePainter.Seen], _ tile: TileID, _ canvas: PixelCanvas, _ scale: Int
  ) -> Int {
    guard seen.count > TileBudget.layers / 16, let box = box(of: tile, world: 0) else { return 0 }
    var budget = TileBudget(
      features, styles, box: box, width: canvas.width,
      perStep: Double(canvas.width) * Double(1 << tile.z) / FeaturePoint.steps, scale: scale)
    let last = seen.lastIndex { !budget.take(Int($0.feature)) } ?? -1
    return min(last + 1, seen.count - 1)
  }

  private static func hasPixels(_ canvas: PixelCanvas) -> Bool {
    for row in 0..<canvas.height {
      let pixels = canvas.pixels + row * canvas.stride
      for column in 0..<canvas.width where pixels[column] != 0 { return true }
    }
    return false
  }

  /// The part of a copy of the world that the tile shows; nil: none.
  private func box(of tile: TileID, world: Int) -> FeatureBox? {
    box(of: tile, world: world, reach: reach)
  }

  /// Whether a feature is a single point.
  func isPoint(_ feature: Int) -> Bool {
    let parts = features.features[feature].partRange
    return parts.count == 1 && features.parts[parts.lowerBound].kind == .point
  }

  /// The style of a feature.
  func style(of feature: Int) -> DrawnStyle { styles[Int(features.features[feature].style)] }

  /// The part of a copy of the world that the tile shows of what reaches `reach` points beyond its
  /// geometry; nil: none.
  func box(of tile: TileID, world: Int, reach: Double) -> FeatureBox? {
    // A tile is 256 points wide; add two points for anti-aliasing. Where it is shown reduced, lines
    // are drawn wider.
    let margin = (reach + 2) * FeatureLook.mostEnlarged / 256
    let side = Double(1 << tile.z)
    let from = (Double(tile.x) - margin) / side - Double(world)
    let to = (Double(tile.x) + 1 + margin) / side - Double(world)
    guard to >= 0, from <= 1 else { return nil }
    let first = FeaturePoint(unitX: from, unitY: (Double(tile.y) - margin) / side)
    let last = FeaturePoint(unitX: to, unitY: (Double(tile.y) + 1 + margin) / side)
    return FeatureBox(minX: first.x, minY: first.y, maxX: last.x, maxY: last.y)
  }
}
