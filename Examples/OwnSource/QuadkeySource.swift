import MapGeometry
import TileSources

/// Tiles in memory, by their Bing quadkey.
final class QuadkeySource: TileSource {
  let info: SourceInfo
  private let pictures: [String: [UInt8]]

  init(pictures: [String: [UInt8]], attribution: String) {
    self.pictures = pictures
    let levels = pictures.keys.map(\.count)
    info = SourceInfo(
      kind: "quadkeys", minZoom: levels.min() ?? 0, maxZoom: levels.max() ?? 0,
      attribution: attribution)
  }

  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    guard let picture = pictures[id.quadkey] else { return .nothing }
    guard !picture.isEmpty else {
      throw TileError(file: "\(id.quadkey).png", tile: id, reason: "is empty: copy it again")
    }
    buffer.set(picture)
    return .payload(buffer.payload())
  }

  func contains(_ id: TileID) throws(TileError) -> Bool { pictures[id.quadkey] != nil }
}
