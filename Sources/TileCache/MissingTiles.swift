import MapGeometry

/// Tiles that are known not to be had, with the nearest ancestor that is there. Bounded: the least
/// recently used is forgotten first.
public final class MissingTiles {
  /// How many are remembered.
  public static let capacity = 8192

  /// What is known of a tile that is not there.
  public struct Entry: Sendable, Equatable {
    /// The level of the deepest tile of the source that covers this place, nil where there is none.
    public var ancestorLevel: Int?
    /// The tile is there but broken.
    public var failed: Bool

    public init(ancestorLevel: Int?, failed: Bool) {
      self.ancestorLevel = ancestorLevel
      self.failed = failed
    }
  }

  private var table = LRUTable(capacity: 256)
  private var values: [Entry] = Array(
    repeating: Entry(ancestorLevel: nil, failed: false), count: 256)

  public init() {}

  /// How many are remembered now.
  public var count: Int { table.count }

  /// What is known of `key`; nil: nothing.
  public func find(_ key: TileKey) -> Entry? {
    let slot = table.find(key.raw)
    if slot < 0 { return nil }
    table.touch(slot)
    return values[Int(slot)]
  }

  /// Remembers `key`; what was known of it before is replaced.
  public func insert(_ key: TileKey, _ entry: Entry) {
    var slot = table.find(key.raw)
    if slot >= 0 {
      table.touch(slot)
    } else {
      if table.count >= MissingTiles.capacity { table.remove(table.tail) }
      slot = table.insert(key.raw)
      while values.count <= Int(slot) {
        values.append(Entry(ancestorLevel: nil, failed: false))
      }
    }
    values[Int(slot)] = entry
  }

  /// Forgets what is known of `source`'s tiles, or of all.
  public func forget(source: Int? = nil) {
    var slot = table.tail
    while slot >= 0 {
      let newer = table.newer(slot)
      if source == nil || TileKey(raw: table.key(slot)).source == source { table.remove(slot) }
      slot = newer
    }
  }
}
