import Drawing
import Features
import MapGeometry
import TileLoading
import TileSources

/// Highlights one line on the map: draws the line again, with a ring around it.
///
/// The ring has the theme's accent colour. Around a track that is coloured by a value it has the
/// colour of text instead, which no value has, and the discs at the track's ends lie on top of it.
/// A closed line keeps its dashes inside the ring, and bears signs for "no entry".
public final class HighlightSource: DrawnSource, TilePainter {
  /// The drawing that the line belongs to.
  public let drawing: FeatureDrawing
  /// The features that are the line.
  public let line: Range<Int>
  /// The theme's colours.
  public let theme: PictureTheme
  /// Whether the line is coloured by a value.
  private let isColoured: Bool
  /// The line, and the discs at its ends.
  private let drawn: Range<Int>

  /// How far the ring reaches beyond the line on each side, in points.
  static let rim = 5.0
  /// How far the halo reaches beyond the ring, in points. Without it, the ring around a line of the
  /// same colour would only look like a wider line.
  static let gap = 2.0
  /// The least width of a line, and of one that is coloured by a value, in points.
  private static let least = (line: 2.0, coloured: 4.0)

  /// Draws the features `line` of `drawing` in the colours of `theme`.
  public init(_ drawing: FeatureDrawing, line: Range<Int>, theme: PictureTheme) {
    self.drawing = drawing
    let all = drawing.features.features.indices
    self.line = line.clamped(to: all)
    self.theme = theme
    isColoured = self.line.first.map { drawing.style(of: $0).lines == .casing } ?? false
    var end = self.line.upperBound
    if isColoured {
      while end < min(self.line.upperBound + 2, all.upperBound), drawing.isPoint(end) { end += 1 }
    }
    drawn = self.line.lowerBound..<end
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
    for feature in drawn {
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
  private var reach: Double { HighlightSource.reach(of: line, drawing) }

  /// How far the drawing of a selected line reaches beyond it, in points.
  static func reach(of line: Range<Int>, _ drawing: FeatureDrawing) -> Double {
    var (width, least) = (0.0, 0.0)
    for feature in line.clamped(to: drawing.features.features.indices) {
      let style = drawing.style(of: feature)
      width = max(width, style.strokeWidth)
      if style.isClosed { least = FeaturePainter.noEntry.rim }
      // Features of one line differ in colour only.
      if feature > line.lowerBound + 16 { break }
    }
    return max(max(width, HighlightSource.least.coloured) / 2 + HighlightSource.rim, least)
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
      look: FeatureLook(tile, target, theme: theme))
    let (lines, discs) = (
      seen.prefix { line.contains($0.feature) }, seen.drop { line.contains($0.feature) }
    )
    let strokes: [(beyond: Double, color: UInt32?)] = [
      (HighlightSource.rim, isColoured ? theme.label : theme.accent),
      (HighlightSource.gap, theme.halo), (0, nil),
    ]
    let least = isColoured ? HighlightSource.least.coloured : HighlightSource.least.line
    for (beyond, color) in strokes {
      for (feature, worlds) in lines {
        if current.isCancelled { return .cancelled }
        let style = drawing.style(of: feature)
        if color == nil, style.isClosed {
          // The first feature of a track in several colours is the whole of it.
          if isColoured, feature != line.lowerBound { continue }
          painter.strokeDashes(of: feature, worlds, width: least, with: tools.rasteriser)
          painter.paintNoEntry(on: feature, worlds, rim: theme.halo, with: tools.rasteriser)
          continue
        }
        painter.stroke(
          feature, worlds: worlds, width: max(style.strokeWidth, least) + 2 * beyond,
          color: color ?? painter.look.stroke(style) | 0xFF00_0000, with: tools.rasteriser)
      }
    }
    for (feature, worlds) in discs {
      painter.paint(feature, worlds: worlds, with: tools.rasteriser)
    }
    target.applyColors()
    return .painted(.argb8888)
  }
}
