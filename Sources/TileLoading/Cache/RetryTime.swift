/// When a tile is asked for again, and what is asked for.
struct RetryTime: Equatable {
  /// What first is waited after a failure, in nanoseconds.
  static let afterFailure: UInt64 = 1_000_000_000
  /// What first is waited for a tile that its source promised and should tell of, in nanoseconds.
  static let afterPromise: UInt64 = 30_000_000_000
  /// The longest time between two questions, in nanoseconds.
  static let longest: UInt64 = 300_000_000_000

  var request: TileLoader.Request
  /// Nanoseconds of the monotonic clock.
  var due: UInt64
  /// The source said that it will have the tile.
  let isPromised: Bool
  /// Between this question and the next.
  private var interval: UInt64

  /// The first question after a failure or a promise at `now`.
  init(_ request: TileLoader.Request, promised: Bool, at now: UInt64) {
    self.request = request
    isPromised = promised
    interval = promised ? RetryTime.afterPromise : RetryTime.afterFailure
    due = now &+ interval
  }

  /// Asks at `time`, and then as soon as after a first failure: something changed.
  mutating func hasten(to time: UInt64) {
    due = time
    interval = (isPromised ? RetryTime.afterPromise : RetryTime.afterFailure) / 2
  }

  /// The time after the next one: each interval is twice as long, up to the longest.
  mutating func postpone(from now: UInt64) {
    interval = min(interval * 2, RetryTime.longest)
    due = now &+ interval
  }
}
