import MapGeometry

/// Tiles that are known to be unavailable, with the nearest ancestor that is there. Bounded: the
/// least recently used is forgotten first.
///
/// What a healthy source does not have stays known until the source changes. A tile that failed for
/// a reason that can pass, or that its source promised for later, is due again after a while; see
/// `TileLoader.nextRetry`.
///
/// Painters that need no payload say at once where they have nothing. That is remembered apart, so
/// that an overlay's empty places never push out what was learned from a medium.
public final class MissingTiles {
  /// The most tiles remembered of sources that are read.
  public static let capacity = 8192
  /// The most tiles remembered of sources that are drawn.
  public static let drawnCapacity = 4096

  /// What is known of a tile that is not there.
  public struct Entry: Sendable, Equatable {
    /// The level of the deepest tile of the source that covers this place, nil where there is none.
    public var ancestorLevel: Int?
    /// The tile is there but cannot be read or decoded.
    public var failed: Bool
    /// The source will have the tile later: a picture without it is not complete.
    public var isAwaited: Bool

    /// What is known of a tile: by default that it is not on its way.
    public init(ancestorLevel: Int?, failed: Bool, isAwaited: Bool = false) {
      self.ancestorLevel = ancestorLevel
      self.failed = failed
      self.isAwaited = isAwaited
    }
  }

  private struct Known {
    var entry: Entry
    /// When and how it is asked for again; nil: never.
    var retry: RetryTime?
    /// In which views' present plans it is a hole.
    var seen = ViewRounds.Standings.zero

    static var none: Known { Known(entry: Entry(ancestorLevel: nil, failed: false)) }
  }

  private var table = LRUTable(capacity: 256)
  private var values = [Known](repeating: .none, count: 256)
  private var views = ViewRounds()
  /// How many of `values` have a retry.
  private var retries = 0
  private var painters: [Int: any TilePainter] = [:]
  private var undrawn = LRUTable(capacity: 16)

  /// Nothing is known yet.
  public init() {}

  /// How many are remembered now.
  public var count: Int { table.count + undrawn.count }

  /// Begins a new plan of `view`, which notes its holes again.
  public func beginView(_ view: ViewID = .main) { views.begin(view) }

  /// Has the painter of `source` asked where it has nothing; nil: its tiles are read.
  public func setPainter(_ painter: (any TilePainter)?, of source: Int) {
    if painter == nil, painters[source] == nil { return }
    painters[source] = painter
    forget(source: source)
  }

  /// What is known of `key`, which the present view wants; nil: nothing.
  public func find(_ key: TileKey) -> Entry? {
    if !painters.isEmpty, let painter = painters[key.source] { return find(key, painter) }
    let slot = table.find(key.raw)
    if slot < 0 { return nil }
    table.touch(slot)
    views.mark(&values[Int(slot)].seen)
    return values[Int(slot)].entry
  }

  private func find(_ key: TileKey, _ painter: any TilePainter) -> Entry? {
    let slot = undrawn.find(key.raw)
    if slot >= 0 {
      undrawn.touch(slot)
    } else {
      guard let tile = key.tile, !painter.mayPaint(tile) else { return nil }
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
  public func insert(_ key: TileKey, _ entry: Entry) { insert(key, entry, retry: nil) }

  func insert(_ key: TileKey, _ entry: Entry, retry: RetryTime?) {
    if painters[key.source] != nil { return rememberUndrawn(key) }
    var slot = table.find(key.raw)
    if slot >= 0 {
      table.touch(slot)
      clear(slot)
    } else {
      if table.count >= MissingTiles.capacity { drop(table.tail) }
      slot = table.insert(key.raw)
      while values.count <= Int(slot) { values.append(.none) }
    }
    if retry != nil { retries += 1 }
    // The view that wanted it plans again now, and says whether it is still a hole.
    values[Int(slot)] = Known(entry: entry, retry: retry, seen: views.all)
  }

  /// Forgets one tile.
  func remove(_ key: TileKey) {
    let slot = table.find(key.raw)
    if slot >= 0 { drop(slot) }
  }

  /// Forgets what is known of `source`'s tiles, or of all.
  public func forget(source: Int? = nil) {
    forget { source == nil || $0.source == source }
    var slot = undrawn.tail
    while slot >= 0 {
      let newer = undrawn.newer(slot)
      if source == nil || TileKey(raw: undrawn.key(slot)).source == source { undrawn.remove(slot) }
      slot = newer
    }
  }

  private func forget(where matches: (TileKey) -> Bool) {
    var slot = table.tail
    while slot >= 0 {
      let newer = table.newer(slot)
      if matches(TileKey(raw: table.key(slot))) { drop(slot) }
      slot = newer
    }
  }

  private func drop(_ slot: Int32) {
    clear(slot)
    table.remove(slot)
  }

  private func clear(_ slot: Int32) {
    if values[Int(slot)].retry != nil { retries -= 1 }
    values[Int(slot)] = .none
  }

  /// Moves what is known of the tiles of `source` to those of `new`.
  func rename(source: Int, to new: Int) {
    var known: [(TileKey, Known)] = []
    var slot = table.tail
    while slot >= 0 {
      let key = TileKey(raw: table.key(slot))
      if key.source == source { known.append((key, values[Int(slot)])) }
      slot = table.newer(slot)
    }
    forget(source: source)
    for (key, was) in known {
      guard let tile = key.tile else { continue }
      var retry = was.retry
      retry?.request.key = TileKey(source: new, tile: tile)
      insert(TileKey(source: new, tile: tile), was.entry, retry: retry)
    }
  }

  // MARK: What is asked for again

  /// Has `key` asked for again at `time`, where it is.
  func hasten(_ key: TileKey, to time: UInt64) {
    let slot = table.find(key.raw)
    if slot < 0 || values[Int(slot)].retry == nil { return }
    if views.isMarked(values[Int(slot)].seen) {
      values[Int(slot)].retry?.hasten(to: time)
    } else {
      drop(slot)
    }
  }

  /// How `key` is asked for again; nil: it is not missing, or stays so.
  func retry(of key: TileKey) -> RetryTime? {
    let slot = table.find(key.raw)
    return slot < 0 ? nil : values[Int(slot)].retry
  }

  /// Whether `key` is missing, and a hole in some view's present plan.
  func isHole(_ key: TileKey) -> Bool {
    let slot = table.find(key.raw)
    return slot >= 0 && views.isMarked(values[Int(slot)].seen)
  }

  /// Whether a tile of `source` is known to have failed.
  func hasFailures(source: Int) -> Bool {
    var slot = table.head
    while slot >= 0 {
      if values[Int(slot)].entry.failed, TileKey(raw: table.key(slot)).source == source {
        return true
      }
      slot = table.next[Int(slot)]
    }
    return false
  }

  /// Calls `body` for the holes of present plans that are asked for again. They are the ones used
  /// last.
  private func forEachHole(_ body: (inout RetryTime) -> Void) {
    if retries == 0 { return }
    var slot = table.head
    while slot >= 0, views.isMarked(values[Int(slot)].seen) {
      if var retry = values[Int(slot)].retry {
        body(&retry)
        values[Int(slot)].retry = retry
      }
      slot = table.next[Int(slot)]
    }
  }

  /// When the first hole of the present plans is due; nil: none is.
  var nextRetry: UInt64? {
    var next: UInt64?
    forEachHole { next = min(next ?? .max, $0.due) }
    return next
  }

  /// The holes that are due at `now`. The next time for each of them is set, so that one for which
  /// there is no room now is not lost.
  func takeDue(at now: UInt64) -> [TileLoader.Request] {
    var requests: [TileLoader.Request] = []
    forEachHole { retry in
      guard retry.due <= now else { return }
      requests.append(retry.request)
      retry.postpone(from: now)
    }
    return requests
  }

  /// Has all that `source` failed to give asked for again: holes of the present plans now, others
  /// when they are next wanted.
  func hasten(source: Int, at now: UInt64) {
    if retries == 0 { return }
    var slot = table.tail
    while slot >= 0 {
      let newer = table.newer(slot)
      let key = TileKey(raw: table.key(slot))
      if key.source == source, values[Int(slot)].retry?.isPromised == false { hasten(key, to: now) }
      slot = newer
    }
  }
}
