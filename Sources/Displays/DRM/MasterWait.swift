/// How long another program has used the card, and when to try again, because no event tells when
/// it stops. Often at first, since a boot splash may be ending, then rarely.
struct MasterWait {
  /// The intervals between two tries, and how long the short one is used, in nanoseconds.
  static let quickRetry: UInt64 = 500_000_000
  static let slowRetry: UInt64 = 5_000_000_000
  static let patience: UInt64 = 10_000_000_000

  /// Why the card is unavailable; nil if it is available or was not tried.
  private(set) var refusal: DRMError?
  private var since: UInt64 = 0

  /// Records that the card was refused at `now`.
  ///
  /// - Returns: nanoseconds until the next try, and whether it has lasted long enough to be
  ///   reported.
  mutating func refused(_ error: DRMError, at now: UInt64) -> (retry: UInt64, isLong: Bool) {
    if refusal == nil { since = now }
    refusal = error
    let isLong = now - since >= Self.patience
    return (isLong ? Self.slowRetry : Self.quickRetry, isLong)
  }

  /// Ends the wait, because the card is available.
  mutating func end() { refusal = nil }
}
