import MapGeometry
import TileSources
import VectorPainting

/// Keeps the vector tiles that were read last, unparsed, for all sources together. Several map
/// tiles are painted from each, and not all at once. A vector tile is dropped once its four
/// quarters were painted.
final class KeptTiles: Sendable {
  /// The tiles of all maps of this process.
  static let shared = KeptTiles()
  /// The pictures in the styles of all maps, not decoded yet. They evict no vector tiles.
  static let pictures = KeptTiles()
  /// The four that may meet in the middle of a view, and four of those around them.
  static let most = 8
  /// The most bytes of all of them together; a larger tile is kept alone. Map tiles that are
  /// painted from one vector tile follow each other, so one tile of a city is enough.
  static let mostBytes = 1 << 20

  private let tiles = TilesInUse<TilePayload> { $0.bytes.count }

  /// Bytes of the tiles. Takes no lock.
  var bytes: Int { tiles.bytes }

  /// The payload of a source's tile, which counts as used now; nil if it is not kept.
  func payload(of tile: TileID, from source: ObjectIdentifier) -> TilePayload? {
    tiles.use { id, owner, _ in id == tile && owner == source }
  }

  /// Keeps `payload`, and drops those that were not used for longest.
  func insert(_ payload: TilePayload, of tile: TileID, from source: ObjectIdentifier) {
    tiles.insert(
      payload, of: tile, from: source, most: Self.most, mostBytes: Self.mostBytes)
  }

  /// Records that a part of the tile with this payload was painted. Once all four quarters were,
  /// nothing needs the tile any more.
  func finish(_ part: VectorTilePart, of payload: TilePayload) {
    tiles.finish(part) { $0.memory === payload.memory }
  }

  /// Removes a source's tiles.
  func removeAll(of source: ObjectIdentifier) { tiles.removeAll(of: source) }

  /// Removes the tiles that were not used since it was called last.
  func age() { tiles.age() }
}
