/// A call that waits for the complete picture.
struct SettleWait {
  /// On the loop's clock.
  var deadline: UInt64
  var done: (SettleOutcome) -> Void
  var isCancelled: () -> Bool
}

/// How a wait for the picture ended.
public struct SettleOutcome: Sendable, Equatable {
  /// The number of the frame that is on the display.
  public var frame: Int
  /// Every tile that the view needs is drawn or known to be missing.
  public var complete: Bool
  /// How many of the view's tiles are known to be missing.
  public var missing: Int
}
