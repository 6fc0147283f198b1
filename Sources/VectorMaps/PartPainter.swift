import MapGeometry
import Pixels
import TileLoading
import TileSources

/// Paints parts of vector tiles.
struct PartPainter: TilePainter {
  let styles: PaintedStyles

  init(_ styles: PaintedStyles) { self.styles = styles }

  var needsPayload: Bool { true }
  var mayTakeLong: Bool { true }
  var hasNight: Bool { styles.hasNight }

  func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    guard let payload else { return .nothing }
    guard styles.style(for: payload.bytes, isNight: target.isNight) != nil else {
      return .failed(VectorMap.unknownSchema(VectorLayerNames.present(inTile: payload.bytes)))
    }
    guard target.clearedCanvas() != nil else { return .needsAlphaRoom }
    for y in 0..<target.edge {
      let row = (target.pixels + y * target.rowBytes).assumingMemoryBound(to: UInt32.self)
      for x in 0..<target.edge { row[x] = 0xfff2_efe6 }
    }
    target.applyColors()
    return .painted(.xrgb8888)
  }
}
