/// Whether a driver's events for flips can be relied on.
///
/// A driver that loses some in a row is driven without them. They are asked for again after a
/// while, because a driver that hung for a few seconds is well afterwards. A pause grows from a
/// minute to an hour: each attempt with a driver that has none costs a second without a frame.
struct FlipTrust {
  /// So many lost in a row end the trust.
  static let most = 3
  /// The first pause and the longest, in nanoseconds.
  static let pauses: (first: UInt64, longest: UInt64) = (60_000_000_000, 3_600_000_000_000)

  private var lostCount = 0
  /// When events are asked for again, on the monotonic clock; nil: they are asked for.
  private var dueAt: UInt64?

  /// Whether to ask for an event at `now`.
  mutating func asks(at now: UInt64) -> Bool {
    guard let dueAt else { return true }
    if now < dueAt { return false }
    self.dueAt = nil
    return true
  }

  /// An event came.
  mutating func came() { lostCount = 0 }

  /// An event that was asked for did not come until `now`.
  mutating func lost(at now: UInt64) {
    lostCount += 1
    let attempts = lostCount - FlipTrust.most
    guard attempts >= 0 else { return }
    let pause = FlipTrust.pauses.first << UInt64(min(attempts, 6))
    dueAt = now &+ min(pause, FlipTrust.pauses.longest)
  }

  /// The driver cannot flip at all.
  mutating func giveUp() { dueAt = .max }
}
