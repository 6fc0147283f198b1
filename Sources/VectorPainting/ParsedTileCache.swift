import MapGeometry
import VectorTiles

/// Keeps the vector tiles that were painted last, parsed, for all painters that share the cache.
/// Parts of one tile are painted one after the other, so a few tiles are enough. A tile is dropped
/// once its four quarters were painted.
///
/// A tile is found by its painter, its address and its bytes, so a tile that its source has changed
/// is parsed anew.
public final class ParsedTileCache: Sendable {
  /// The cache of all maps of this process.
  public static let shared = ParsedTileCache()

  private let tiles = TilesInUse<PreparedTile> { $0.memoryBytes }
  private let maximumBytes: Int
  private let maximumTiles: Int

  /// Creates a cache for one painter, or several.
  ///
  /// - Parameters:
  ///   - maximumBytes: Bytes of all tiles; a larger tile is not kept.
  ///   - maximumTiles: How many tiles are kept.
  public init(maximumBytes: Int = 4 << 20, maximumTiles: Int = 4) {
    self.maximumBytes = maximumBytes
    self.maximumTiles = maximumTiles
  }

  /// Bytes of the tiles that are kept. Takes no lock.
  public var bytes: Int { tiles.bytes }

  /// Removes all tiles.
  public func removeAll() { tiles.removeAll() }

  /// Removes the tiles that were not used since it was called last.
  public func age() { tiles.age() }

  /// Removes the tiles of a painter.
  func removeAll(of painter: ObjectIdentifier) { tiles.removeAll(of: painter) }

  /// The tile `id` with these bytes; prepared for `key` if it is at hand, else for something else.
  func find(
    _ id: TileID, of painter: ObjectIdentifier, _ bytes: UnsafeRawBufferPointer,
    _ key: PreparedTile.Key
  ) -> PreparedTile? {
    let candidates = tiles.values(of: id, from: painter)
    guard let found = candidates.last(where: { $0.key == key }) ?? candidates.last,
      found.tile.hasBytes(bytes)
    else { return nil }
    tiles.use { _, _, prepared in prepared === found }
    return found
  }

  /// The tile `id` of any painter: for tests.
  func any(_ id: TileID) -> PreparedTile? { tiles.values(of: id, from: nil).last }

  /// Keeps a tile in place of the same tile prepared for another key, and drops others that exceed
  /// the limits.
  func insert(_ id: TileID, of painter: ObjectIdentifier, _ prepared: PreparedTile) {
    guard prepared.memoryBytes <= maximumBytes else { return tiles.remove(id, of: painter) }
    tiles.insert(
      prepared, of: id, from: painter, most: maximumTiles, mostBytes: maximumBytes)
  }

  /// Records that a part of a tile was painted. Once all four quarters were, nothing needs the tile
  /// any more.
  func finish(_ part: VectorTilePart, of prepared: PreparedTile) {
    tiles.finish(part) { $0 === prepared }
  }
}
