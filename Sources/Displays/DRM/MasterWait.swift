/// How long another program has held the card, and when to ask for it again: there is no event
/// about its end. Soon at first, since a boot splash may be leaving, then rarely.
struct MasterWait {
  /// The waits between two tries, and how long the quick ones go on: nanoseconds.
  static let quickRetry: UInt64 = 500_000_000
  static let slowRetry: UInt64 = 5_000_000_000
  static let patience: UInt64 = 10_000_000_000

  /// Why the card is unavailable; nil: it is available, or was not asked for.
  private(set) var refusal: DRMError?
  private var since: UInt64 = 0

  /// Notes that the card was refused at `now`.
  ///
  /// - Returns: nanoseconds until the next try, and whether it has lasted long enough to be told.
  mutating func refused(_ error: DRMError, at now: UInt64) -> (retry: UInt64, isLong: Bool) {
    if refusal == nil { since = now }
    refusal = error
    let isLong = now - since >= Self.patience
    return (isLong ? Self.slowRetry : Self.quickRetry, isLong)
  }

  /// Nobody stands in the way any more.
  mutating func end() { refusal = nil }
}
