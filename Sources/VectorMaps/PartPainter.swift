import MapGeometry
import MapLabels
import TileLoading
import TileSources
import VectorPainting

/// Paints parts of vector tiles.
struct PartPainter: LabelledPainter {
  let styles: PaintedStyles
  /// The vector tiles that are kept until all of their quarters are painted.
  let kept: KeptTiles

  init(_ styles: PaintedStyles, kept: KeptTiles) {
    self.styles = styles
    self.kept = kept
  }

  var needsPayload: Bool { true }
  var mayTakeLong: Bool { true }
  var dependsOnZoom: Bool { true }
  var sharesPayloads: Bool { true }
  var hasNight: Bool { styles.hasNight }

  func labelIcons(isNight: Bool) -> LabelIcons { styles.icons(isNight: isNight) }

  func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    guard let payload else { return .nothing }
    let origin = payload.origin ?? tile
    guard let part = VectorTilePart(of: tile, in: origin) else { return .nothing }
    guard
      let painter = styles.painter(
        for: payload.bytes, isNight: target.isNight, isRed: target.isRed)
    else {
      let layers = VectorLayerNames.present(inTile: payload.bytes)
      return layers.isEmpty ? .nothing : .failed(VectorMap.unknownSchema(layers))
    }
    let request = VectorPaintRequest(
      tile: origin, part: part, zoom: (target.zoom ?? Double(tile.z)) - 1,
      pixelsPerPoint: Double(target.scale), hasLabels: !target.isPart)
    let outcome = painter.painter.paint(
      payload.bytes, of: payload.memory, request, pictures: painter.pictures(payload, tile),
      into: &target)
    switch outcome {
    case .painted, .nothing:
      kept.finish(part, of: payload)
      return outcome
    case .failed(let reason): return .failed(VectorMapSource.reason(reason, of: origin, tile))
    case .lacksMemory(let reason):
      return .lacksMemory(VectorMapSource.reason(reason, of: origin, tile))
    default: return outcome
    }
  }
}

extension PaintedStyles.Painter {
  /// The pictures that the style draws in the painted tile `tile`.
  func pictures(_ payload: TilePayload, _ tile: TileID) -> [VectorPicture] {
    if payload.pictures.isEmpty { return [] }
    return pictures.compactMap { name, number in
      guard let picture = payload.pictures.first(where: { $0.source == number }),
        let part = VectorTilePart(of: tile, in: picture.tile)
      else { return nil }
      return VectorPicture(
        source: name, file: picture.file, tile: picture.tile, part: part,
        payload: picture.payload)
    }
  }
}
