import MapGeometry
import Platform
import Synchronization
import VectorTiles

/// Keeps the vector tiles that were painted last, parsed, for all painters that share the cache.
/// Parts of one tile are painted one after the other, so a few tiles are enough. A tile is dropped
/// once its four quarters were painted.
///
/// A tile is found by its painter, its address and its bytes, so a tile that its source has changed
/// is parsed anew.
public final class ParsedTileCache: Sendable {
  private struct Entry: Sendable {
    var painter: ObjectIdentifier
    var id: TileID
    var prepared: PreparedTile
    /// Which of its quarters were painted, a bit for each.
    var quarters: UInt8 = 0
    /// Whether it was used since `age` was called last.
    var isUsed = true
  }

  /// The cache of all maps of this process.
  public static let shared = ParsedTileCache()

  /// The entry that was used last is the last one.
  private let entries = Lock<[Entry]>([])
  private let kept = Atomic<Int>(0)
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
  public var bytes: Int { kept.load(ordering: .relaxed) }

  /// Removes all tiles.
  public func removeAll() { change { $0.removeAll() } }

  /// Removes the tiles that were not used since it was called last.
  public func age() {
    change { entries in
      entries.removeAll { !$0.isUsed }
      for index in entries.indices { entries[index].isUsed = false }
    }
  }

  /// Removes the tiles of a painter.
  func removeAll(of painter: ObjectIdentifier) {
    change { entries in entries.removeAll { $0.painter == painter } }
  }

  /// The tile `id` with these bytes; prepared for `key` if it is at hand, else for something else.
  func find(
    _ id: TileID, of painter: ObjectIdentifier, _ bytes: UnsafeRawBufferPointer,
    _ key: PreparedTile.Key
  ) -> PreparedTile? {
    let candidates = entries.withLock { entries in
      entries.filter { $0.id == id && $0.painter == painter }
    }
    guard
      let found = candidates.last(where: { $0.prepared.key == key }) ?? candidates.last,
      found.prepared.tile.hasBytes(bytes)
    else { return nil }
    entries.withLock { entries in
      if let index = entries.firstIndex(where: { $0.prepared === found.prepared }) {
        var entry = entries.remove(at: index)
        entry.isUsed = true
        entries.append(entry)
      }
    }
    return found.prepared
  }

  /// The tile `id` of any painter: for tests.
  func any(_ id: TileID) -> PreparedTile? {
    entries.withLock { entries in entries.last { $0.id == id }?.prepared }
  }

  /// Keeps a tile in place of the same tile prepared for another key, and drops others that exceed
  /// the limits.
  func insert(_ id: TileID, of painter: ObjectIdentifier, _ prepared: PreparedTile) {
    change { entries in
      entries.removeAll { $0.id == id && $0.painter == painter }
      guard prepared.memoryBytes <= maximumBytes else { return }
      entries.append(Entry(painter: painter, id: id, prepared: prepared))
      var bytes = Self.bytes(of: entries)
      while let oldest = entries.first, bytes > maximumBytes || entries.count > maximumTiles {
        bytes -= oldest.prepared.memoryBytes
        entries.removeFirst()
      }
    }
  }

  /// Records that a part of a tile was painted. Once all four quarters were, nothing needs the tile
  /// any more.
  func finish(_ part: VectorTilePart, of prepared: PreparedTile) {
    guard part.levels == 1 else { return }
    change { entries in
      guard let index = entries.firstIndex(where: { $0.prepared === prepared }) else { return }
      entries[index].quarters |= 1 << UInt8(part.row * 2 + part.column)
      if entries[index].quarters == 0b1111 { entries.remove(at: index) }
    }
  }

  /// Changes the entries. Those that are removed are freed after the lock is given back.
  private func change(_ body: (inout [Entry]) -> Void) {
    let before = entries.withLock { entries in
      let before = entries
      body(&entries)
      kept.store(Self.bytes(of: entries), ordering: .relaxed)
      return before
    }
    _ = before
  }

  private static func bytes(of entries: [Entry]) -> Int {
    entries.reduce(0) { $0 + $1.prepared.memoryBytes }
  }
}
