import MapGeometry
import Pixels

/// A bounded cache of decoded tiles in the display's pixel format. The least recently used tile of
/// the lowest standing is evicted first.
///
/// The limit covers tiles and their companions, buffers being decoded into, and buffers kept for
/// reuse. A tile is a slot number; a hit takes no allocation and no lock. Use it on the loop's
/// thread.
public final class TileCache {
  /// The figures of a cache. Counts are since it was created.
  public struct Stats: Sendable, Equatable {
    /// Bytes of tiles, of buffers being decoded into, of buffers kept for reuse, and of companions.
    public var bytes = 0
    /// The most bytes allowed. `bytes` exceeds it only while tiles are decoded after it shrank.
    public var limit = 0
    /// The floor in bytes; see `setFloor(_:)`.
    public var floor = 0
    /// How many tiles the cache holds.
    public var tiles = 0
    /// How often `hit(_:)` found its tile.
    public var hits = 0
    /// How often `hit(_:)` did not find its tile.
    public var misses = 0
    /// How many tiles were evicted for others.
    public var evictions = 0
  }

  /// One decoded tile.
  public struct Entry {
    /// The rows from the top, without gaps; valid until the cache changes.
    public let pixels: UnsafeMutableRawPointer
    /// The size of its buffer, which may be larger than its pixels need.
    public let bytes: Int
    /// The tile's edge in pixels.
    public let edge: Int32
    /// The format of its pixels.
    public let format: TilePixelFormat
    /// A number that changes with every tile inserted. It tells whether a drawn tile was replaced.
    public let serial: UInt32
    /// What each block of the tile contains (`TileCover`). Nil if the tile is opaque.
    public let cover: UnsafeMutablePointer<UInt8>?
  }

  private var table = LRUTable()
  @usableFromInline private(set) var entries: UnsafeMutablePointer<Entry?>
  private var standings: UnsafeMutablePointer<ViewRounds.Standings>
  private var capacity: Int
  private var buffers = TileBuffers()
  private var serial: UInt32 = 0
  private var views = ViewRounds()
  /// The companions of tiles, by slot. Most tiles have none.
  private var companions: [Int32: any TileCompanion] = [:]
  private var companionBytes = 0
  private var hits = 0
  private var misses = 0
  private var evictions = 0
  /// How often the system lacked memory for a tile that the limit has room for: for its pixels, or
  /// for the data that they are made from.@TileStore/StoreBatch.swift:12-13 The rows that one tile
  /// changes, each on a page of its own at worst: one in each of two tables, one in each of two
  /// indexes, and the place of the row that it replaces.
  public private(set) var refusals = 0

  /// Counts a tile that could not be read or painted for lack of memory.
  func noteRefusal() { refusals &+= 1 }

  /// The configured limit in bytes.
  public private(set) var requested: Int
  /// The smallest cache in bytes in which one layer of the present view can be complete; see
  /// `setFloor`.
  public private(set) var floor = 0

  /// The most bytes while memory is short, in place of a larger configured limit; nil: it is not.
  public private(set) var squeezed: Int?

  /// The bytes that the cache may use: the configured limit or less, but at least the floor.
  public var limit: Int { max(min(requested, squeezed ?? requested), floor) }

  /// Limits the cache while memory is short, and evicts at once; nil: to what is configured.
  public func squeeze(to bytes: Int?) {
    squeezed = bytes.map { max($0, 0) }
    shrink()
    if bytes != nil { buffers.trim(to: 0) }
  }

  /// Creates an empty cache.
  ///
  /// - Parameter limit: The limit in bytes.
  public init(limit: Int) {
    requested = max(limit, 0)
    capacity = 64
    entries = .allocate(capacity: 64)
    entries.initialize(repeating: nil, count: 64)
    standings = .allocate(capacity: 64)
    standings.initialize(repeating: .zero, count: 64)
  }

  deinit {
    var slot = table.head
    while slot >= 0 {
      if let entry = entries[Int(slot)] {
        entry.cover?.deallocate()
        buffers.give(entry.pixels, entry.bytes, keep: true)
      }
      slot = table.next[Int(slot)]
    }
    entries.deallocate()
    standings.deallocate()
  }

  /// The cache's present figures.
  public var stats: Stats {
    Stats(
      bytes: buffers.bytes + companionBytes, limit: limit, floor: floor, tiles: table.count,
      hits: hits, misses: misses, evictions: evictions)
  }

  /// Sets the configured limit in bytes, and evicts at once. Buffers being decoded into stay.
  public func resize(to bytes: Int) {
    requested = max(bytes, 0)
    shrink()
  }

  /// Changes the floor, in bytes: what the present view needs at least, whatever the limit says.
  public func setFloor(_ bytes: Int) {
    floor = max(bytes, 0)
    shrink()
  }

  /// The slot of `key`, or nil. Makes the tile the most recently used; counts as a hit or a miss.
  @inline(__always)
  public func hit(_ key: TileKey) -> Int32? {
    let slot = table.find(key.raw)
    if slot < 0 {
      misses &+= 1
      return nil
    }
    hits &+= 1
    table.touch(slot)
    return slot
  }

  /// The slot of `key`, or nil. Makes the tile the most recently used without counting as a hit or
  /// a miss: for stand-ins.
  @inline(__always)
  public func use(_ key: TileKey) -> Int32? {
    let slot = table.find(key.raw)
    if slot < 0 { return nil }
    table.touch(slot)
    return slot
  }

  /// The slot of `key`, or nil. Does not count as a use.
  @inline(__always)
  public func peek(_ key: TileKey) -> Int32? {
    let slot = table.find(key.raw)
    return slot < 0 ? nil : slot
  }

  /// The tile in `slot`, which must come from `hit`, `use` or `peek` since the cache last changed.
  @inlinable
  @inline(__always)
  public func entry(_ slot: Int32) -> Entry {
    // A slot in use always has an entry.
    entries[Int(slot)].unsafelyUnwrapped
  }

  /// Begins a new plan of `view`. It resets every tile's standing for this view to `unwanted`;
  /// other views' standings remain.
  public func beginView(_ view: ViewID = .main) { views.begin(view) }

  /// The key of the tile in `slot`, which must come from `hit`, `use` or `peek` since the cache
  /// last changed.
  @inline(__always)
  public func key(_ slot: Int32) -> TileKey { TileKey(raw: table.key(slot)) }

  /// Whether `slot` still holds the tile with this serial number.
  @inlinable
  @inline(__always)
  public func holds(_ slot: Int32, serial: UInt32) -> Bool {
    entries[Int(slot)]?.serial == serial
  }

  /// Raises the standing of the tile in `slot` for `view`'s present plan. Never lowers it.
  public func raise(_ slot: Int32, to standing: TileStanding, for view: ViewID = .main) {
    let i = Int(slot)
    standings[i] = views.raised(standings[i], to: standing, for: view)
  }

  /// The bytes that buffers may use.
  private var room: Int { max(limit - companionBytes, 0) }

  /// Reserves a buffer of `bytes` to decode a tile into. Evicts tiles of a standing below
  /// `standing` if needed, least recently used first.
  ///
  /// The caller passes the buffer to `insert` or `cancel`.
  ///
  /// - Returns: The buffer; nil if the limit leaves no room or the kernel has no memory. Without
  ///   room nothing is evicted.
  public func reserve(_ bytes: Int, standing: TileStanding) -> UnsafeMutableRawPointer? {
    guard bytes > 0, bytes <= limit else { return nil }
    if let buffer = buffers.take(bytes, limit: room) { return buffer }
    if canMakeRoom(for: bytes, below: standing) {
      while evictOne(below: standing) {
        if let buffer = buffers.take(bytes, limit: room) { return buffer }
        if buffers.hasRoom(for: bytes, limit: room) { break }
      }
    }
    if buffers.hasRoom(for: bytes, limit: room) { refusals &+= 1 }
    return nil
  }

  /// Takes the memory of tiles from `map` instead of the kernel, for tests; nil: from the kernel.
  package func setMapping(_ map: ((Int) -> UnsafeMutableRawPointer?)?) {
    buffers.map = map ?? TileBuffers.map
  }

  /// Whether evicting tiles of a standing below `standing` would make room for `bytes`. False if
  /// there is room already: then the kernel has no memory.
  private func canMakeRoom(for bytes: Int, below standing: TileStanding) -> Bool {
    var lack = bytes - (room - (buffers.bytes - buffers.spareBytes))
    if lack <= 0 { return false }
    var slot = table.tail
    while slot >= 0, lack > 0 {
      if views.highest(standings[Int(slot)]) < standing.rawValue {
        lack -= entry(slot).bytes + (companions[slot]?.bytes ?? 0)
      }
      slot = table.newer(slot)
    }
    return lack <= 0
  }

  /// Whether `reserve` would succeed without eviction.
  public func hasRoom(for bytes: Int) -> Bool { buffers.hasRoom(for: bytes, limit: room) }

  /// Returns a buffer from `reserve` that got no tile.
  public func cancel(_ buffer: UnsafeMutableRawPointer, bytes: Int) {
    buffers.give(buffer, bytes, keep: true)
    buffers.trim(to: room)
  }

  /// Stops counting `bytes` of reserved buffers that their holders unmap.
  func disown(_ bytes: Int) { buffers.disown(bytes) }

  /// Adds a tile that was decoded into a buffer from `reserve`, and drops an older one with this
  /// key.
  ///
  /// If the limit has shrunk since, tiles are evicted until it holds again, including this one if
  /// none has a lower standing.
  ///
  /// - Parameters:
  ///   - key: The tile's key.
  ///   - buffer: Holds its pixels; the cache takes ownership.
  ///   - bytes: The buffer's size, as reserved.
  ///   - edge: The tile's edge in pixels.
  ///   - format: The format of its pixels.
  ///   - standing: The tile's standing in the present plan of `view`.
  ///   - view: The view that wants it.
  ///   - companion: Kept with the tile until it is dropped. One of more than `companionLimit` bytes
  ///     is discarded.
  public func insert(
    _ key: TileKey, buffer: UnsafeMutableRawPointer, bytes: Int, edge: Int,
    format: TilePixelFormat, standing: TileStanding, for view: ViewID = .main,
    companion: (any TileCompanion)? = nil
  ) {
    if let old = peek(key) { drop(old) }
    let slot = table.insert(key.raw)
    if table.capacity > capacity { grow() }
    serial &+= 1
    entries[Int(slot)] = Entry(
      pixels: buffer, bytes: bytes, edge: Int32(truncatingIfNeeded: edge), format: format,
      serial: serial, cover: cover(of: buffer, bytes, edge, format))
    standings[Int(slot)] = views.raised(.zero, to: standing, for: view)
    if let companion, (0...TileCache.companionLimit).contains(companion.bytes) {
      companions[slot] = companion
      companionBytes += companion.bytes
    }
    shrink()
  }

  /// The most bytes that a tile's companion may have.
  public static let companionLimit = 64 << 10

  /// The companion of the tile in `slot`; nil for most tiles.
  public func companion(_ slot: Int32) -> (any TileCompanion)? {
    companions.isEmpty ? nil : companions[slot]
  }

  private func cover(
    of buffer: UnsafeMutableRawPointer, _ bytes: Int, _ edge: Int, _ format: TilePixelFormat
  ) -> UnsafeMutablePointer<UInt8>? {
    let count = TileCover.bytes(edge: edge)
    guard format == .argb8888, count > 0, bytes >= edge * edge * 4 else { return nil }
    let cover = UnsafeMutablePointer<UInt8>.allocate(capacity: count)
    TileCover.write(
      UnsafePointer(buffer.assumingMemoryBound(to: UInt32.self)), edge: edge, to: cover)
    return cover
  }

  /// Drops every tile of the source with this number.
  public func remove(source: Int) { remove { $0.source == source } }

  /// Drops the tile of `key`.
  public func remove(_ key: TileKey) {
    guard let slot = peek(key) else { return }
    drop(slot)
    buffers.trim(to: room)
  }

  /// Drops every tile. Buffers being decoded into stay.
  public func clear() {
    remove { _ in true }
    buffers.trim(to: 0)
  }

  private func remove(where matches: (TileKey) -> Bool) {
    var slot = table.tail
    while slot >= 0 {
      let newer = table.newer(slot)
      if matches(TileKey(raw: table.key(slot))) { drop(slot) }
      slot = newer
    }
    buffers.trim(to: room)
  }

  /// Drops the least recently used tile of the lowest standing below `standing`; nil: of any
  /// standing. Returns false if there is none.
  private func evictOne(below standing: TileStanding?) -> Bool {
    var victim = Int32(-1)
    var lowest = standing.map { $0.rawValue } ?? TileStanding.needed.rawValue + 1
    var slot = table.tail
    while slot >= 0 {
      let own = views.highest(standings[Int(slot)])
      if own < lowest {
        victim = slot
        lowest = own
        if own == TileStanding.unwanted.rawValue { break }
      }
      slot = table.newer(slot)
    }
    guard victim >= 0 else { return false }
    drop(victim)
    evictions += 1
    return true
  }

  private func drop(_ slot: Int32) {
    if let entry = entries[Int(slot)] {
      entry.cover?.deallocate()
      buffers.give(entry.pixels, entry.bytes, keep: true)
    }
    if !companions.isEmpty, let companion = companions.removeValue(forKey: slot) {
      companionBytes -= companion.bytes
    }
    entries[Int(slot)] = nil
    table.remove(slot)
  }

  private func shrink() {
    while buffers.bytes - buffers.spareBytes > room, evictOne(below: nil) {}
    buffers.trim(to: room)
  }

  private func grow() {
    let size = table.capacity
    let newEntries = UnsafeMutablePointer<Entry?>.allocate(capacity: size)
    newEntries.initialize(repeating: nil, count: size)
    newEntries.update(from: entries, count: capacity)
    entries.deallocate()
    entries = newEntries
    let newStandings = UnsafeMutablePointer<ViewRounds.Standings>.allocate(capacity: size)
    newStandings.initialize(repeating: .zero, count: size)
    newStandings.update(from: standings, count: capacity)
    standings.deallocate()
    standings = newStandings
    capacity = size
  }
}

extension TileKey {
  init(raw: UInt64) { self.raw = raw }
}
