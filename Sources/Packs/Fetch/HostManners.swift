/// When a host may be asked again: after failures in a row, or where it asks to be left alone, all
/// requests to it wait.
struct HostManners {
  /// No request before this time.
  private(set) var pausedUntil = -Double.infinity
  /// Failures since the last answer that was one.
  private(set) var failures = 0
  /// It has answered.
  private(set) var hasAnswered = false

  /// The first pause and the longest, in seconds; each is twice the one before.
  private static let firstPause = 0.5
  private static let longestPause = 60.0
  /// A host that wants to be left alone for longer is left alone until the command is given again.
  static let longestWait = 600
  /// So often in a row it may fail, and before it has answered at all.
  private static let mostFailures = 10
  private static let mostFirstFailures = 5
  /// Likewise where asking again is in vain.
  private static let mostFirstRefusals = 3

  /// Notes an answer, also one that says that there is no such tile.
  mutating func noteAnswer() {
    failures = 0
    hasAnswered = true
  }

  /// Notes a failure.
  ///
  /// - Parameters:
  ///   - canRetry: asking again may help.
  ///   - seconds: what the host asks for; 0: nothing.
  ///   - jitter: 0 to 1: so that many clients do not come at the same moment.
  ///   - now: seconds of the clock that `pausedUntil` is of.
  /// - Returns: the pause.
  mutating func noteFailure(
    canRetry: Bool, seconds: Int, jitter: Double, now: Double
  ) -> Double {
    failures += 1
    guard canRetry || seconds > 0 else { return 0 }
    // One alone may be the tile's, which waits itself.
    var pause = failures > 1 ? HostManners.pause(after: failures - 1) * (0.75 + 0.5 * jitter) : 0
    if seconds > 0 { pause = Double(min(seconds, HostManners.longestWait)) }
    pausedUntil = max(pausedUntil, now + pause)
    return pause
  }

  /// Seconds to wait after so many failures, 1 or more.
  static func pause(after failures: Int) -> Double {
    min(firstPause * Double(1 << min(failures - 1, 20)), longestPause)
  }

  /// Whether the host is given up, after a failure of this kind.
  func isGivenUp(canRetry: Bool) -> Bool {
    let most =
      hasAnswered
      ? HostManners.mostFailures
      : canRetry ? HostManners.mostFirstFailures : HostManners.mostFirstRefusals
    return failures >= most
  }
}
