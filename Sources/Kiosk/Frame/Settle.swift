/// A call that waits for the complete picture.
struct SettleWait {
  /// The latest time of the answer, on the loop's clock.
  var deadline: UInt64
  var done: (SettleOutcome) -> Void
  var isCancelled: () -> Bool
}

/// The result of waiting for the complete picture.
public struct SettleOutcome: Sendable, Equatable {
  /// The number of the frame on the display.
  public var frame: Int
  /// Whether every tile that the view needs is drawn or known to be missing.
  public var complete: Bool
  /// How many of the view's tiles are known to be missing.
  public var missing: Int
}
