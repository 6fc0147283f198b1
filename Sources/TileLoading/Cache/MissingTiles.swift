import MapGeometry

/// Tiles known to be unavailable, each with the level of its nearest available ancestor. Bounded:
/// the least recently used is forgotten first.
///
/// A tile that a healthy source does not have stays known until the source changes, or for the
/// source's `missingLifetime`. A tile that failed for a reason that may pass, or that its source
/// promised for later, is requested again after a while; see `TileLoader.nextRetry`.
///
/// Painters that need no payload say at once that they have nothing. These answers have a table of
/// their own, so that an overlay's empty places never evict what was learned by reading a medium.
///
/// Use it on the loop's thread.
public final class MissingTiles {
  /// The most tiles remembered for sources that are read.
  public static let capacity = 8192
  /// The most tiles remembered for sources that are drawn.
  public static let drawnCapacity = 4096

  /// What is known of an unavailable tile.
  public struct Entry: Sendable, Equatable {
    /// The level of the source's deepest tile that covers this place; nil: there is none.
    public var ancestorLevel: Int?
    /// Whether the tile exists but cannot be read or decoded.
    public var failed: Bool
    /// Whether the source will have the tile later. A picture without it is incomplete.
    public var isAwaited: Bool

    /// Creates an entry; by default its tile is not awaited.
    public init(ancestorLevel: Int?, failed: Bool, isAwaited: Bool = false) {
      self.ancestorLevel = ancestorLevel
      self.failed = failed
      self.isAwaited = isAwaited
    }
  }

  private struct Known {
    var entry: Entry
    /// When to request it again, and how; nil: never.
    var retry: RetryTime?
    /// The views whose present plans show it as a hole.
    var seen = ViewRounds.Standings.zero

    var hasFailed: Bool { entry.failed || retry?.hasFailed == true }

    static var none: Known { Known(entry: Entry(ancestorLevel: nil, failed: false)) }
  }

  private var table = LRUTable(capacity: 256)
  private var values = [Known](repeating: .none, count: 256)
  private var views = ViewRounds()
  /// How many of `values` have a `retry`.
  private var retries = 0
  private var painters: [Int: any TilePainter] = [:]
  private var undrawn = LRUTable(capacity: 16)

  /// Creates an instance that knows of no missing tiles.
  public init() {}

  /// How many tiles are remembered now.
  public var count: Int { table.count + undrawn.count }

  /// Begins a new plan of `view`. Holes of its earlier plan no longer count.
  public func beginView(_ view: ViewID = .main) { views.begin(view) }

  /// Ends `view`: until it begins again it has no holes.
  public func endView(_ view: ViewID) { views.end(view) }

  /// Asks `painter` from now on where `source` has nothing; nil: its tiles are read. Forgets what
  /// was known of the source.
  public func setPainter(_ painter: (any TilePainter)?, of source: Int) {
    if painter == nil, painters[source] == nil { return }
    painters[source] = painter
    forget(source: source)
  }

  /// What is known of `key`; nil: nothing. Records it as a hole of the view that began last.
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

  /// Remembers `key`, in place of what was known of it.
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
    // The tile counts as a hole in every view until the view that requested it plans again.
    values[Int(slot)] = Known(entry: entry, retry: retry, seen: views.all)
  }

  /// Forgets one tile.
  func remove(_ key: TileKey) {
    let slot = table.find(key.raw)
    if slot >= 0 { drop(slot) }
  }

  /// Forgets the tiles of `source`; nil: all tiles.
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

  /// Moves what is known of `source` to the same tiles of `new`.
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

  // MARK: Retries

  /// Requests a tile with a retry again: at `time` if it is a hole, else when a view next wants it.
  func hasten(_ key: TileKey, to time: UInt64) {
    let slot = table.find(key.raw)
    if slot < 0 || values[Int(slot)].retry == nil { return }
    if views.isMarked(values[Int(slot)].seen) {
      values[Int(slot)].retry?.hasten(to: time)
    } else {
      dropPromise(slot, due: time)
    }
  }

  /// Forgets a promised tile that is no hole. A failure is remembered until the tile is read: its
  /// retry is due at `time`, once a view shows the tile.
  private func dropPromise(_ slot: Int32, due time: UInt64) {
    guard var retry = values[Int(slot)].retry, retry.hasFailed else { return drop(slot) }
    retry.fail(at: time)
    retry.hasten(to: time)
    values[Int(slot)].retry = retry
    values[Int(slot)].entry = Entry(ancestorLevel: nil, failed: true)
  }

  /// Gives up a retry that did not begin, because `key` is no hole. The tile is requested when a
  /// view next wants it. Promises are forgotten, and so is a failure if the source is back.
  ///
  /// - Returns: Whether a failure was forgotten.
  func giveUpRetry(of key: TileKey) -> Bool {
    let slot = table.find(key.raw)
    guard slot >= 0, let retry = values[Int(slot)].retry else { return false }
    if retry.isPromised {
      dropPromise(slot, due: 0)
    } else if retry.hasFailed, retry.isSourceBack {
      drop(slot)
      return true
    } else if !retry.lacksMemory {
      values[Int(slot)].retry?.giveUp()
    }
    return false
  }

  /// When and how `key` is requested again; nil: never, or it is not missing.
  func retry(of key: TileKey) -> RetryTime? {
    let slot = table.find(key.raw)
    return slot < 0 ? nil : values[Int(slot)].retry
  }

  /// Whether `key` is missing and is a hole in some view's present plan.
  func isHole(_ key: TileKey) -> Bool {
    let slot = table.find(key.raw)
    return slot >= 0 && views.isMarked(values[Int(slot)].seen)
  }

  /// Whether `key` is known to have failed, even if it is promised by now.
  func hasFailed(_ key: TileKey) -> Bool {
    let slot = table.find(key.raw)
    return slot >= 0 && values[Int(slot)].hasFailed
  }

  /// Whether a tile of `source` is known to have failed, even if it is promised by now.
  func hasFailures(source: Int) -> Bool {
    var slot = table.head
    while slot >= 0 {
      if values[Int(slot)].hasFailed, TileKey(raw: table.key(slot)).source == source {
        return true
      }
      slot = table.next[Int(slot)]
    }
    return false
  }

  /// Forgets the tiles of `source` that failed for a reason that may pass and are no holes. They
  /// are requested when a view next wants them.
  func forgetFailures(unseenOf source: Int) {
    if retries == 0 { return }
    var slot = table.tail
    while slot >= 0 {
      let newer = table.newer(slot)
      let known = values[Int(slot)]
      if known.retry?.hasFailed == true, !views.isMarked(known.seen),
        TileKey(raw: table.key(slot)).source == source
      {
        drop(slot)
      }
      slot = newer
    }
  }

  /// Calls `body` for the retries of the present plans' holes. These were touched last, so they are
  /// at the head of the list.
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

  /// When the first retry is due, in nanoseconds of the monotonic clock; nil: there is none.
  var nextRetry: UInt64? {
    var next: UInt64?
    forEachHole { if !$0.lacksMemory { next = min(next ?? .max, $0.due) } }
    return next
  }

  /// Whether a hole of the present plans failed for lack of memory.
  var lacksMemory: Bool {
    var found = false
    forEachHole { if $0.lacksMemory { found = true } }
    return found
  }

  /// Returns the requests of all holes that failed for lack of memory, and forgets other such
  /// tiles, which are requested when a view next wants them. `freed` are the sources that have no
  /// failed tile left.
  func takeLacking() -> (requests: [TileLoader.Request], freed: [Int]) {
    if retries == 0 { return ([], []) }
    var requests: [TileLoader.Request] = []
    var dropped: Set<Int> = []
    var slot = table.tail
    while slot >= 0 {
      let newer = table.newer(slot)
      if let retry = values[Int(slot)].retry, retry.lacksMemory {
        if views.isMarked(values[Int(slot)].seen) {
          requests.append(retry.request)
        } else {
          dropped.insert(TileKey(raw: table.key(slot)).source)
          drop(slot)
        }
      }
      slot = newer
    }
    return (requests, dropped.filter { !hasFailures(source: $0) })
  }

  /// Returns the requests of all retries due at `now`, and schedules the next attempt of each, so
  /// that a request for which there is no room now is not lost.
  func takeDue(at now: UInt64) -> [TileLoader.Request] {
    var requests: [TileLoader.Request] = []
    forEachHole { retry in
      guard retry.due <= now else { return }
      requests.append(retry.request)
      retry.postpone(from: now)
    }
    return requests
  }

  /// Requests all tiles that `source` failed to give again: holes of the present plans at `now`,
  /// others when a view next wants them.
  func hasten(source: Int, at now: UInt64) {
    if retries == 0 { return }
    var slot = table.tail
    while slot >= 0 {
      let newer = table.newer(slot)
      if TileKey(raw: table.key(slot)).source == source,
        let retry = values[Int(slot)].retry, retry.hasFailed
      {
        if !views.isMarked(values[Int(slot)].seen) {
          drop(slot)
        } else if !retry.lacksMemory {
          values[Int(slot)].retry?.sourceIsBack()
          if !retry.isPromised { values[Int(slot)].retry?.hasten(to: now) }
        }
      }
      slot = newer
    }
  }
}
