import MapGeometry
import Pixels

/// How strongly the present view holds on to a tile. A request may take the place of tiles of a lower
/// standing only.
public enum TileStanding: UInt8, Comparable, Sendable {
  /// Not part of what the present view wants.
  case unwanted
  /// Loaded ahead: the ring around the view, the level above.
  case ahead
  /// On the screen, and drawn there with all its neighbours.
  case shown
  /// On the screen and still to be drawn.
  case needed

  @inlinable
  public static func < (a: TileStanding, b: TileStanding) -> Bool { a.rawValue < b.rawValue }
}

/// A bounded cache of decoded tiles in the display's pixel format, least recently used out first.
///
/// The limit holds for everything: tiles, buffers in which tiles are being decoded, and buffers kept
/// for reuse. A tile is a slot number; a hit costs no allocation and no lock. Belongs to the loop's
/// thread.
public final class TileCache {
  /// The figures of `cache.stats`.
  public struct Stats: Sendable, Equatable {
    public var bytes = 0
    public var limit = 0
    public var floor = 0
    public var tiles = 0
    public var hits = 0
    public var misses = 0
    public var evictions = 0
  }

  /// One decoded tile.
  public struct Entry {
    public let pixels: UnsafeMutableRawPointer
    public let bytes: Int
    /// The tile's edge in pixels.
    public let edge: Int32
    public let format: TilePixelFormat
    /// Different for every tile that was ever in the cache: what a drawn picture remembers of it.
    public let serial: UInt32
    /// What its blocks hold (`TileCover`); nil: it is opaque, or its edge is no multiple of a block's.
    public let cover: UnsafeMutablePointer<UInt8>?
  }

  private var table = LRUTable()
  @usableFromInline private(set) var entries: UnsafeMutablePointer<Entry?>
  private var standings: UnsafeMutablePointer<(epoch: UInt32, standing: TileStanding)>
  private var capacity: Int
  private var buffers = TileBuffers()
  private var serial: UInt32 = 0
  /// The view whose standings count; others are `unwanted`.
  private var epoch: UInt32 = 1
  private var hits = 0
  private var misses = 0
  private var evictions = 0

  /// What the configuration asked for, in bytes.
  public private(set) var requested: Int
  /// The least that lets one layer of the present view be whole, in bytes; see `setFloor`.
  public private(set) var floor = 0

  /// The bytes that the cache may take: what was asked for, never below the floor.
  public var limit: Int { max(requested, floor) }

  /// - Parameter limit: bytes of decoded tiles.
  public init(limit: Int) {
    requested = max(limit, 0)
    capacity = 64
    entries = .allocate(capacity: 64)
    entries.initialize(repeating: nil, count: 64)
    standings = .allocate(capacity: 64)
    standings.initialize(repeating: (0, .unwanted), count: 64)
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

  public var stats: Stats {
    Stats(
      bytes: buffers.bytes, limit: limit, floor: floor, tiles: table.count, hits: hits,
      misses: misses, evictions: evictions)
  }

  /// Changes the limit; takes effect at once as far as tiles that are being decoded allow.
  public func resize(to bytes: Int) {
    requested = max(bytes, 0)
    shrink()
  }

  /// Changes the floor (bytes): see `cacheFloor(…)` in the scene.
  public func setFloor(_ bytes: Int) {
    floor = max(bytes, 0)
    shrink()
  }

  /// The slot of `key` as the most recently used tile, or nil. Counts as a hit or a miss.
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

  /// The slot of `key` as the most recently used tile, or nil, for what may stand in for another tile:
  /// neither a hit nor a miss.
  @inline(__always)
  public func use(_ key: TileKey) -> Int32? {
    let slot = table.find(key.raw)
    if slot < 0 { return nil }
    table.touch(slot)
    return slot
  }

  /// The slot of `key`, or nil; not a use.
  @inline(__always)
  public func peek(_ key: TileKey) -> Int32? {
    let slot = table.find(key.raw)
    return slot < 0 ? nil : slot
  }

  /// The tile in `slot`, which `hit` or `peek` gave since the last change.
  @inlinable
  @inline(__always)
  public func entry(_ slot: Int32) -> Entry {
    // A slot in use always has its entry.
    entries[Int(slot)].unsafelyUnwrapped
  }

  /// The key of the tile in `slot`, which `hit` or `peek` gave since the last change.
  @inline(__always)
  public func key(_ slot: Int32) -> TileKey { TileKey(raw: table.key(slot)) }

  /// Whether `slot` still holds the tile that has this serial number.
  @inlinable
  @inline(__always)
  public func holds(_ slot: Int32, serial: UInt32) -> Bool {
    entries[Int(slot)]?.serial == serial
  }

  /// Begins a new view: every tile's standing is `unwanted` until it is set again.
  public func beginView() { epoch &+= 1 }

  /// Raises the standing of the tile in `slot` for the present view.
  public func raise(_ slot: Int32, to standing: TileStanding) {
    let i = Int(slot)
    if standings[i].epoch != epoch || standings[i].standing < standing {
      standings[i] = (epoch, standing)
    }
  }

  /// A buffer of `bytes` for a tile to be decoded into, taking the place of least recently used tiles
  /// of a standing below `standing`; nil when the limit leaves no room.
  public func reserve(_ bytes: Int, standing: TileStanding) -> UnsafeMutableRawPointer? {
    // Nothing is evicted for what can never fit.
    guard bytes > 0, bytes <= limit else { return nil }
    while true {
      if let buffer = buffers.take(bytes, limit: limit) { return buffer }
      if buffers.hasRoom(for: bytes, limit: limit) { return nil }  // The kernel is out of memory.
      guard evictOne(below: standing) else { return nil }
    }
  }

  /// Whether `reserve` would succeed without evicting anything.
  public func hasRoom(for bytes: Int) -> Bool { buffers.hasRoom(for: bytes, limit: limit) }

  /// Gives back a buffer that `reserve` gave and that got no tile.
  public func cancel(_ buffer: UnsafeMutableRawPointer, bytes: Int) {
    buffers.give(buffer, bytes, keep: true)
    buffers.trim(to: limit)
  }

  /// Forgets `bytes` of reserved buffers that whoever holds them unmaps.
  func disown(_ bytes: Int) { buffers.disown(bytes) }

  /// Adds a tile that was decoded into a buffer from `reserve`, in place of an older one of that key.
  ///
  /// Where the limit has shrunk since, tiles go until it holds again: this one too if none stands lower.
  public func insert(
    _ key: TileKey, buffer: UnsafeMutableRawPointer, bytes: Int, edge: Int,
    format: TilePixelFormat, standing: TileStanding
  ) {
    if let old = peek(key) { drop(old) }
    let slot = table.insert(key.raw)
    if table.capacity > capacity { grow() }
    serial &+= 1
    entries[Int(slot)] = Entry(
      pixels: buffer, bytes: bytes, edge: Int32(truncatingIfNeeded: edge), format: format,
      serial: serial, cover: cover(of: buffer, bytes, edge, format))
    standings[Int(slot)] = (epoch, standing)
    shrink()
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

  /// Drops every tile of `source` (a slot number).
  public func remove(source: Int) { remove { $0.source == source } }

  /// Drops the quiet cell of a source, so that it is drawn anew.
  public func removeQuietCell(of source: Int) {
    let key = TileKey(quietCellOf: source)
    if peek(key) != nil { remove { $0 == key } }
  }

  /// Drops every tile; buffers in which tiles are being decoded stay.
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
    buffers.trim(to: limit)
  }

  /// Drops the least recently used tile of the lowest standing; nil: even of the highest.
  private func evictOne(below standing: TileStanding?) -> Bool {
    var victim = Int32(-1)
    var lowest = standing.map { $0.rawValue } ?? TileStanding.needed.rawValue + 1
    var slot = table.tail
    while slot >= 0 {
      let s = standings[Int(slot)]
      let own = s.epoch == epoch ? s.standing.rawValue : TileStanding.unwanted.rawValue
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
    entries[Int(slot)] = nil
    table.remove(slot)
  }

  private func shrink() {
    while buffers.bytes - buffers.spareBytes > limit, evictOne(below: nil) {}
    buffers.trim(to: limit)
  }

  private func grow() {
    let size = table.capacity
    let newEntries = UnsafeMutablePointer<Entry?>.allocate(capacity: size)
    newEntries.initialize(repeating: nil, count: size)
    newEntries.update(from: entries, count: capacity)
    entries.deallocate()
    entries = newEntries
    let newStandings = UnsafeMutablePointer<(epoch: UInt32, standing: TileStanding)>.allocate(
      capacity: size)
    newStandings.initialize(repeating: (0, .unwanted), count: size)
    newStandings.update(from: standings, count: capacity)
    standings.deallocate()
    standings = newStandings
    capacity = size
  }
}

extension TileKey {
  init(raw: UInt64) { self.raw = raw }
}
