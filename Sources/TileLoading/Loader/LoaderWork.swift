import Pixels

/// The tiles under way, and the memory that the threads hold for them.
struct LoaderWork {
  private let cache: TileCache
  private var keys: Set<UInt64> = []
  /// Bytes that the threads hold.
  private var lent = 0

  init(cache: TileCache) { self.cache = cache }

  var isEmpty: Bool { keys.isEmpty }
  var count: Int { keys.count }

  /// The sources with tiles under way.
  var sources: Set<Int> { Set(keys.map { TileKey(raw: $0).source }) }

  /// The tiles above those under way, of the sources for which `shares` is true; without those in
  /// `queued`, which no thread has begun.
  func above(where shares: (Int) -> Bool, without queued: Set<UInt64>) -> Set<TileKey> {
    var found: Set<TileKey> = []
    for raw in keys where !queued.contains(raw) {
      let key = TileKey(raw: raw)
      if shares(key.source), let above = key.above { found.insert(above) }
    }
    return found
  }

  /// Whether `key` is under way.
  func contains(_ key: TileKey) -> Bool { keys.contains(key.raw) }

  /// Begins work on `key`. Returns memory for it, or nil if the cache has no room.
  mutating func begin(_ key: TileKey, _ bytes: Int, _ standing: TileStanding) -> TileMemory? {
    guard let pointer = cache.reserve(bytes, standing: standing) else { return nil }
    keys.insert(key.raw)
    lent += bytes
    return TileMemory(pointer: pointer, bytes: bytes)
  }

  /// Ends work on `key`; its memory is returned separately. False if it was not under way.
  mutating func end(_ key: TileKey) -> Bool { keys.remove(key.raw) != nil }

  /// Ends all work for a source. Memory that the threads hold is returned later.
  mutating func endAll(of source: Int) {
    keys = keys.filter { TileKey(raw: $0).source != source }
  }

  /// Returns memory without a tile to the cache.
  mutating func giveBack(_ memory: TileMemory) {
    lent -= memory.bytes
    cache.cancel(memory.pointer, bytes: memory.bytes)
  }

  /// Puts a finished tile into the cache, with its memory.
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

  /// Leaves the memory that the threads still hold to them; they unmap it.
  mutating func disown() {
    cache.disown(lent)
    lent = 0
  }
}
