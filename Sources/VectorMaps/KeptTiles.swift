import MapGeometry
import Platform
import Synchronization
import TileSources
import VectorPainting

/// Keeps the vector tiles that were read last, unparsed, for all sources together. Several map
/// tiles are painted from each, and not all at once. A vector tile is dropped once its four
/// quarters were painted.
final class KeptTiles: Sendable {
  private struct Entry: Sendable {
    var source: ObjectIdentifier
    var tile: TileID
    var payload: TilePayload
    /// Which of its quarters were painted, a bit for each.
    var quarters: UInt8 = 0
    /// Whether it was used since `age` was called last.
    var isUsed = true
  }

  /// The tiles of all maps of this process.
  static let shared = KeptTiles()
  /// The pictures in the styles of all maps, not decoded yet. They evict no vector tiles.
  static let pictures = KeptTiles()
  /// The four that may meet in the middle of a view, and four of those around them.
  static let most = 8
  /// The most bytes of all of them together; a larger tile is kept alone. Map tiles that are
  /// painted from one vector tile follow each other, so one tile of a city is enough.
  static let mostBytes = 1 << 20

  /// Ordered by use, the tile used last at the end.
  private let entries = Lock<[Entry]>([])
  private let kept = Atomic<Int>(0)

  /// Bytes of the tiles. Takes no lock.
  var bytes: Int { kept.load(ordering: .relaxed) }

  /// The payload of a source's tile, which counts as used now; nil if it is not kept.
  func payload(of tile: TileID, from source: ObjectIdentifier) -> TilePayload? {
    entries.withLock { entries in
      guard let i = entries.firstIndex(where: { $0.tile == tile && $0.source == source }) else {
        return nil
      }
      var found = entries.remove(at: i)
      found.isUsed = true
      entries.append(found)
      return found.payload
    }
  }

  /// Keeps `payload`, and drops those that were not used for longest.
  func insert(_ payload: TilePayload, of tile: TileID, from source: ObjectIdentifier) {
    change { entries in
      entries.removeAll { $0.tile == tile && $0.source == source }
      entries.append(Entry(source: source, tile: tile, payload: payload))
      var bytes = Self.bytes(of: entries)
      while entries.count > Self.most || (bytes > Self.mostBytes && entries.count > 1) {
        bytes -= entries.removeFirst().payload.bytes.count
      }
    }
  }

  /// Records that a part of the tile with this payload was painted. Once all four quarters were,
  /// nothing needs the tile any more.
  func finish(_ part: VectorTilePart, of payload: TilePayload) {
    guard part.levels == 1 else { return }
    change { entries in
      guard let index = entries.firstIndex(where: { $0.payload.memory === payload.memory }) else {
        return
      }
      entries[index].quarters |= 1 << UInt8(part.row * 2 + part.column)
      if entries[index].quarters == 0b1111 { entries.remove(at: index) }
    }
  }

  /// Removes a source's tiles.
  func removeAll(of source: ObjectIdentifier) {
    change { $0.removeAll { $0.source == source } }
  }

  /// Removes the tiles that were not used since it was called last.
  func age() {
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
      kept.store(Self.bytes(of: entries), ordering: .relaxed)
      return before
    }
    _ = before
  }

  private static func bytes(of entries: [Entry]) -> Int {
    entries.reduce(0) { $0 + $1.payload.bytes.count }
  }
}
