import MapGeometry
import MapLabels
import MapStyle
import TileLoading
import TileSources

/// A map painted in one colour. Its tiles carry the labels and signs that a test adds.
struct PlainPainter: LabelledPainter {
  /// 0xAARRGGBB.
  var color: UInt32 = 0xFFFF_FFFF
  /// The colour by night; nil: the theme's filters make the night.
  var night: UInt32?
  var add: @Sendable (TileID, inout TileLabelsBuilder) -> Void = { _, _ in }

  var hasNight: Bool { night != nil }
  var needsPayload: Bool { false }
  var dependsOnZoom: Bool { true }
  func labelIcons(isNight: Bool) -> LabelIcons { .none }

  func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    guard let canvas = target.clearedCanvas() else { return .needsAlphaRoom }
    let word = target.isNight ? night ?? color : color
    for i in 0..<canvas.height * canvas.stride { canvas.pixels[i] = word }
    target.applyColors()
    var builder = TileLabelsBuilder()
    add(tile, &builder)
    target.companion = builder.finish()
    return .painted(target.opaque)
  }
}

/// The source of a plain map.
final class PlainSource: DrawnSource {
  let info: SourceInfo
  let painter: any TilePainter

  init(_ painter: PlainPainter, minZoom: Int = 0) {
    info = SourceInfo(kind: "plain", minZoom: minZoom, maxZoom: 24)
    self.painter = painter
  }

  /// With `text` for each tile's address in the middle of the tile.
  convenience init(
    night: UInt32? = nil, _ settings: LabelSettings = LabelSettings(),
    text: @escaping @Sendable (TileID) -> String
  ) {
    self.init(
      PlainPainter(night: night) { tile, builder in
        builder.add(
          LabelCandidate(
            layer: 0, text: FormattedText(text(tile)), look: LabelLook(settings),
            points: [TilePoint(0.5, 0.5)]))
      })
  }

  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead { .nothing }
}
