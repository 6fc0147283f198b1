import MapGeometry

/// Tiles that are known not to be had, with the nearest ancestor that is there. Bounded: the least
/// recently used is forgotten first.
///
/// Sources that draw their tiles say at once where they have nothing; that is remembered apart, so that
/// an overlay's empty places never push out what was read from a medium.
public final class MissingTiles {
  /// How many are remembered of tiles that are read.
  public static let capacity = 8192
  /// How many of tiles that are drawn.
  public static let drawnCapacity = 4096

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
  private var drawings: [Int: any TileDrawing] = [:]
  private var undrawn = LRUTable(capacity: 16)

  public init() {}

  /// How many are remembered now.
  public var count: Int { table.count + undrawn.count }

  /// Has what draws the tiles of `source` asked where it has none; nil: they are read.
  public func setDrawing(_ drawing: (any TileDrawing)?, of source: Int) {
    if drawing == nil, drawings[source] == nil { return }
    drawings[source] = drawing
    forget(source: source)
  }

  /// What is known of `key`; nil: nothing.
  public func find(_ key: TileKey) -> Entry? {
    if !drawings.isEmpty, let drawing = drawings[key.source] { return find(key, drawing) }
    let slot = table.find(key.raw)
    if slot < 0 { return nil }
    table.touch(slot)
    return values[Int(slot)]
  }

  private func find(_ key: TileKey, _ drawing: any TileDrawing) -> Entry? {
    let slot = undrawn.find(key.raw)
    if slot >= 0 {
      undrawn.touch(slot)
    } else {
      guard let tile = key.tile, !drawing.mayDraw(tile) else { return nil }
      rememberUndrawn(key)
    }
    return Entry(ancestorLevel: nil, failed: false)
  }

  private func rememberUndrawn(_ key: TileKey) {
    if undrawn.find(key.raw) >= 0 { return }
    if undrawn.count >= MissingTiles.drawnCapacity { undrawn.remove(undrawn.tail) }
    _ = undrawn.insert(key.raw)
  }

  /// Remembers `key`; what was known of it before is replaced.
  public func insert(_ key: TileKey, _ entry: Entry) {
    if drawings[key.source] != nil { return rememberUndrawn(key) }
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
    MissingTiles.forget(source, in: &table)
    MissingTiles.forget(source, in: &undrawn)
  }

  private static func forget(_ source: Int?, in table: inout LRUTable) {
    var slot = table.tail
    while slot >= 0 {
      let newer = table.newer(slot)
      if source == nil || TileKey(raw: table.key(slot)).source == source { table.remove(slot) }
      slot = newer
    }
  }

  /// What is known of the tiles of `source` is known of those of `new` from now on.
  func rename(source: Int, to new: Int) {
    var known: [(TileKey, Entry)] = []
    var slot = table.tail
    while slot >= 0 {
      let key = TileKey(raw: table.key(slot))
      if key.source == source { known.append((key, values[Int(slot)])) }
      slot = table.newer(slot)
    }
    forget(source: source)
    for (key, entry) in known {
      if let tile = key.tile { insert(TileKey(source: new, tile: tile), entry) }
    }
  }
}
