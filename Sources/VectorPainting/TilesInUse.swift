import MapGeometry
import Platform
import Synchronization

/// Vector tiles of several owners that are kept while they are painted, in the order of their use.
/// Map tiles are painted from the quarters of a vector tile, which is dropped once all four were.
package final class TilesInUse<Value: Sendable>: Sendable {
  private struct Entry: Sendable {
    var owner: ObjectIdentifier
    var tile: TileID
    var value: Value
    /// Which of its quarters were painted, a bit for each.
    var quarters: UInt8 = 0
    /// Whether it was used since `age` was called last.
    var isUsed = true
  }

  /// The tile used last is the last one.
  private let entries = Lock<[Entry]>([])
  private let kept = Atomic<Int>(0)
  private let size: @Sendable (Value) -> Int

  /// - Parameter size: The bytes of a tile.
  package init(size: @escaping @Sendable (Value) -> Int) { self.size = size }

  /// Bytes of all tiles. Takes no lock.
  package var bytes: Int { kept.load(ordering: .relaxed) }

  /// What is kept of an owner's tile; of any owner's if `owner` is nil.
  package func values(of tile: TileID, from owner: ObjectIdentifier?) -> [Value] {
    entries.withLock { entries in
      entries.filter { $0.tile == tile && (owner == nil || $0.owner == owner) }.map(\.value)
    }
  }

  /// The first tile that `isWanted` accepts counts as used now.
  ///
  /// - Returns: The tile; nil if it is not kept.
  @discardableResult
  package func use(_ isWanted: (TileID, ObjectIdentifier, Value) -> Bool) -> Value? {
    entries.withLock { entries in
      let index = entries.firstIndex { isWanted($0.tile, $0.owner, $0.value) }
      guard let index else { return nil }
      var found = entries.remove(at: index)
      found.isUsed = true
      entries.append(found)
      return found.value
    }
  }

  /// Keeps a tile in place of the same owner's former one, and drops those that were not used for
  /// longest.
  ///
  /// - Parameters:
  ///   - value: The tile.
  ///   - tile: Its address.
  ///   - owner: Whose it is.
  ///   - most: The most tiles.
  ///   - mostBytes: The most bytes of all of them together; a larger tile is kept alone.
  package func insert(
    _ value: Value, of tile: TileID, from owner: ObjectIdentifier, most: Int, mostBytes: Int
  ) {
    change { entries in
      entries.removeAll { $0.tile == tile && $0.owner == owner }
      entries.append(Entry(owner: owner, tile: tile, value: value))
      var bytes = bytes(of: entries)
      while entries.count > most || (bytes > mostBytes && entries.count > 1) {
        bytes -= size(entries.removeFirst().value)
      }
    }
  }

  /// Records that a part of a tile was painted. Once all four quarters were, nothing needs the tile
  /// any more.
  package func finish(_ part: VectorTilePart, of isTile: (Value) -> Bool) {
    guard part.levels == 1 else { return }
    change { entries in
      guard let index = entries.firstIndex(where: { isTile($0.value) }) else { return }
      entries[index].quarters |= 1 << UInt8(part.row * 2 + part.column)
      if entries[index].quarters == 0b1111 { entries.remove(at: index) }
    }
  }

  /// Removes an owner's tile.
  package func remove(_ tile: TileID, of owner: ObjectIdentifier) {
    change { $0.removeAll { $0.tile == tile && $0.owner == owner } }
  }

  /// Removes an owner's tiles.
  package func removeAll(of owner: ObjectIdentifier) {
    change { $0.removeAll { $0.owner == owner } }
  }

  /// Removes all tiles.
  package func removeAll() { change { $0.removeAll() } }

  /// Removes the tiles that were not used since it was called last.
  package func age() {
    change { entries in
      entries.removeAll { !$0.isUsed }
      for index in entries.indices { entries[index].isUsed = false }
    }
  }

  /// Changes the entries. Those that are removed are freed after the lock is given back.
  private func change(_ body: (inout [Entry]) -> Void) {
    let before = entries.withLock { entries in
      let before = entries
      body(&entries)
      kept.store(bytes(of: entries), ordering: .relaxed)
      return before
    }
    _ = before
  }

  private func bytes(of entries: [Entry]) -> Int {
    entries.reduce(0) { $0 + size($1.value) }
  }
}
