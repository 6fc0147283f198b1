/// When to request a missing tile again, and with which request.
struct RetryTime: Equatable {
  /// The first wait after a failure, in nanoseconds.
  static let afterFailure: UInt64 = 1_000_000_000
  /// The first wait for a promised tile, in nanoseconds. Normally its source reports it earlier.
  static let afterPromise: UInt64 = 30_000_000_000
  /// The longest wait between two requests, in nanoseconds.
  static let longest: UInt64 = 300_000_000_000

  var request: TileLoader.Request
  /// Nanoseconds of the monotonic clock.
  var due: UInt64
  /// Whether the source promised the tile for later.
  private(set) var isPromised: Bool
  /// The last wait in nanoseconds; the next one is twice as long.
  private var interval: UInt64
  /// The last wait after a failure, in nanoseconds; nil: the tile has not failed.
  private var failureInterval: UInt64?

  /// Whether the tile failed for lack of memory. Such a tile has no due time of its own:
  /// `TileLoader.retryLacking` requests it again.
  private(set) var lacksMemory = false

  /// Whether other tiles of the source that had failed came since this one failed.
  private(set) var isSourceBack = false

  /// Whether the tile failed and was not read since. A promise alone does not end a failure: the
  /// source must be known to give tiles again.
  var hasFailed: Bool { failureInterval != nil }

  /// Schedules the first retry after a failure or a promise at `now`.
  init(_ request: TileLoader.Request, promised: Bool, at now: UInt64) {
    self.request = request
    isPromised = promised
    interval = promised ? RetryTime.afterPromise : RetryTime.afterFailure
    failureInterval = promised ? nil : interval
    due = now &+ interval
  }

  /// Schedules the first retry of a tile that its source did not have at `now`, certain for
  /// `lifetime` seconds.
  init(_ request: TileLoader.Request, afterMissing lifetime: Int, at now: UInt64) {
    self.request = request
    isPromised = false
    // A source may say "for ever".
    interval = UInt64(min(max(lifetime, 1), 1 << 30)) * 1_000_000_000
    due = now &+ interval
  }

  /// The same tile is promised now. If it was already, its schedule stays.
  mutating func promise(at now: UInt64) {
    if isPromised { return }
    isPromised = true
    lacksMemory = false
    if hasFailed { failureInterval = isSourceBack ? nil : interval }
    interval = RetryTime.afterPromise
    due = now &+ interval
  }

  /// Another tile of the source, which had failed, came. A promise of this one then ends its
  /// failure: the source answers, and does not have it yet.
  mutating func sourceIsBack() {
    isSourceBack = true
    if isPromised { failureInterval = nil }
  }

  /// The same tile failed now. If it had failed before, its waits go on growing.
  mutating func fail(at now: UInt64, lacksMemory lacks: Bool = false) {
    isSourceBack = false
    if !isPromised, hasFailed, lacks == lacksMemory { return }
    (isPromised, lacksMemory) = (false, lacks)
    interval = failureInterval ?? RetryTime.afterFailure
    failureInterval = interval
    due = lacks ? .max : now &+ interval
  }

  /// Schedules a retry at `time`, after which waits start again from the first: something changed.
  mutating func hasten(to time: UInt64) {
    due = time
    interval = (isPromised ? RetryTime.afterPromise : RetryTime.afterFailure) / 2
  }

  /// The retry for which `postpone` was called was not made: it is due at once, and its wait does
  /// not count.
  mutating func giveUp() {
    interval = max(interval / 2, RetryTime.afterFailure)
    due = 0
  }

  /// Schedules the next retry. Each wait is twice the last, up to `longest`.
  mutating func postpone(from now: UInt64) {
    interval = min(interval * 2, RetryTime.longest)
    due = now &+ interval
  }
}
