import Pixels

/// What is under way: keys, and the memory that the threads hold.
struct LoaderWork {
  private let cache: TileCache
  private var keys: Set<UInt64> = []
  /// Bytes that the threads hold.
  private var lent = 0

  init(cache: TileCache) { self.cache = cache }

  var isEmpty: Bool { keys.isEmpty }
  var count: Int { keys.count }

  /// The sources that have anything under way.
  var sources: Set<Int> { Set(keys.map { TileKey(raw: $0).source }) }

  /// Whether `key` is under way.
  func contains(_ key: TileKey) -> Bool { keys.contains(key.raw) }

  /// Begins work on `key`: the memory for it, or nil where the cache has no room.
  mutating func begin(_ key: TileKey, _ bytes: Int, _ standing: TileStanding) -> TileMemory? {
    guard let pointer = cache.reserve(bytes, standing: standing) else { return nil }
    keys.insert(key.raw)
    lent += bytes
    return TileMemory(pointer: pointer, bytes: bytes)
  }

  /// Ends work on `key`; its memory comes back apart. False where it was not under way.
  mutating func end(_ key: TileKey) -> Bool { keys.remove(key.raw) != nil }

  /// Ends work for a source. What the threads hold of it comes back later.
  mutating func endAll(of source: Int) {
    keys = keys.filter { TileKey(raw: $0).source != source }
  }

  /// Memory comes back without a tile.
  mutating func giveBack(_ memory: TileMemory) {
    lent -= memory.bytes
    cache.cancel(memory.pointer, bytes: memory.bytes)
  }

  /// Memory comes back with a tile, which goes into the cache.
  mutating func keep(
    _ job: PaintJob, _ format: TilePixelFormat, _ companion: (any TileCompanion)?,
    for wanted: (view: ViewID, standing: TileStanding)?
  ) {
    lent -= job.memory.bytes
    cache.insert(
      job.key, buffer: job.memory.pointer, bytes: job.memory.bytes, edge: job.edge,
      format: format, standing: wanted?.standing ?? .unwanted, for: wanted?.view ?? .main,
      companion: companion)
  }

  /// The threads unmap what they still hold.
  mutating func disown() {
    cache.disown(lent)
    lent = 0
  }
}
