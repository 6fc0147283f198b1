import MapGeometry
import Synchronization
import VectorTiles

/// The vector tiles that were painted last, parsed. Parts of one tile are painted one after the
/// other, so few are enough.
///
/// A tile is found by its address and its bytes: a tile that its source changed is parsed anew.
public final class ParsedTileCache: Sendable {
  private struct Entry: Sendable {
    var id: TileID
    var prepared: PreparedTile
  }

  /// The entry that was used last is the last one.
  private let entries = Mutex<[Entry]>([])
  private let maximumBytes: Int
  private let maximumTiles: Int

  /// Creates a cache for one painter.
  ///
  /// - Parameters:
  ///   - maximumBytes: Bytes of all tiles; a larger tile is not kept.
  ///   - maximumTiles: How many tiles are kept.
  public init(maximumBytes: Int = 4 << 20, maximumTiles: Int = 4) {
    self.maximumBytes = maximumBytes
    self.maximumTiles = maximumTiles
  }

  /// Bytes of the tiles that are kept.
  public var bytes: Int {
    entries.withLock { $0.reduce(0) { $0 + $1.prepared.memoryBytes } }
  }

  /// Removes all tiles.
  public func removeAll() { entries.withLock { $0.removeAll() } }

  /// The tile `id` with these bytes; prepared for `key` if it is at hand, else for something else.
  func find(_ id: TileID, _ bytes: UnsafeRawBufferPointer, _ key: PreparedTile.Key)
    -> PreparedTile?
  {
    let candidates = entries.withLock { entries in entries.filter { $0.id == id } }
    guard
      let found = candidates.last(where: { $0.prepared.key == key }) ?? candidates.last,
      found.prepared.tile.hasBytes(bytes)
    else { return nil }
    entries.withLock { entries in
      if let index = entries.firstIndex(where: { $0.prepared === found.prepared }) {
        entries.append(entries.remove(at: index))
      }
    }
    return found.prepared
  }

  /// Keeps a tile, and drops others that exceed the limits. It replaces the same tile prepared for
  /// something else.
  func insert(_ id: TileID, _ prepared: PreparedTile) {
    entries.withLock { entries in
      entries.removeAll { $0.id == id }
      guard prepared.memoryBytes <= maximumBytes else { return }
      entries.append(Entry(id: id, prepared: prepared))
      var bytes = entries.reduce(0) { $0 + $1.prepared.memoryBytes }
      while let oldest = entries.first, bytes > maximumBytes || entries.count > maximumTiles {
        bytes -= oldest.prepared.memoryBytes
        entries.removeFirst()
      }
    }
  }
}
