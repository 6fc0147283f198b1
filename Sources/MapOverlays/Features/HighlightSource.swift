import Drawing
import Features
import MapGeometry
import TileLoading
import TileSources

/// Draws one line over the map, so that it stands out: in the accent colour, wider than it is, and
/// on it the line itself.
public final class HighlightSource: DrawnSource, TilePainter {
  /// The drawing that the line is of.
  public let drawing: FeatureDrawing
  /// The features that are the line.
  public let line: Range<Int>
  /// The accent colour, 0xAARRGGBB.
  public let accent: UInt32
  /// The colour between accent and line, 0xAARRGGBB: without it, a line in the accent colour would
  /// only be wider.
  public let halo: UInt32

  /// What is beyond the line's own width on each side, in points.
  static let rim = 5.0
  /// What the halo is beyond it, in points.
  static let gap = 2.0

  /// Draws the features `line` of `drawing` in the colours `accent` and `halo`, 0xAARRGGBB.
  public init(_ drawing: FeatureDrawing, line: Range<Int>, accent: UInt32, halo: UInt32) {
    self.drawing = drawing
    self.line = line.clamped(to: drawing.features.features.indices)
    self.accent = accent
    self.halo = halo
  }

  /// Draws itself.
  public var painter: any TilePainter { self }
  /// False: the line is drawn from memory.
  public var needsPayload: Bool { false }
  /// Where the line is.
  public var info: SourceInfo {
    SourceInfo(
      kind: "highlight", minZoom: 0, maxZoom: TileID.maxLevel, bounds: drawing.features.bounds,
      title: "")
  }

  /// Always `.nothing`: its tiles are drawn, not read.
  public func read(_ id: TileID, into buffer: inout TileBuffer) -> TileRead { .nothing }

  /// Whether the line may reach into the tile.
  public func contains(_ id: TileID) -> Bool { mayPaint(id) }

  /// Whether the line may reach into `tile`.
  public func mayPaint(_ tile: TileID) -> Bool { !worlds(of: tile).isEmpty }

  /// Each feature that reaches into `tile`, with the copies of the world that show it there.
  private func worlds(of tile: TileID) -> [(feature: Int, worlds: UInt8)] {
    var found: [(feature: Int, worlds: UInt8)] = []
    let boxes = (-1...1).map { drawing.box(of: tile, world: $0, reach: reach) }
    for feature in line {
      var worlds: UInt8 = 0
      for (bit, box) in boxes.enumerated() {
        if let box, drawing.features.features[feature].box.overlaps(box) {
          worlds |= 1 << UInt8(bit)
        }
      }
      if worlds != 0 { found.append((feature, worlds)) }
    }
    return found
  }

  /// How far the drawing reaches beyond the line, in points.
  private var reach: Double {
    var width = 0.0
    for feature in line {
      width = max(width, drawing.style(of: feature).strokeWidth)
      // Features of one line differ in colour only.
      if feature > line.lowerBound + 16 { break }
    }
    return width / 2 + HighlightSource.rim
  }

  /// Draws the line where it reaches into `tile`.
  public func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    guard let canvas = target.clearedCanvas() else { return .needsAlphaRoom }
    let seen = worlds(of: tile)
    guard !seen.isEmpty else { return .nothing }
    let (current, tools) = (target, target.tools)
    var painter = FeaturePainter(
      drawing, tile: tile, canvas: canvas, reach: reach, scale: target.scale,
      look: FeatureLook(tile, target))
    let strokes: [(beyond: Double, color: UInt32?)] = [
      (HighlightSource.rim, accent), (HighlightSource.gap, halo), (0, nil),
    ]
    for (beyond, color) in strokes {
      for (feature, worlds) in seen {
        if current.isCancelled { return .cancelled }
        let style = drawing.style(of: feature)
        painter.stroke(
          feature, worlds: worlds, width: max(style.strokeWidth, 2) + 2 * beyond,
          color: color ?? style.stroke | 0xFF00_0000, with: tools.rasteriser)
      }
    }
    target.applyColors()
    return .painted(.argb8888)
  }
}
