/// When a host may be asked again: after failures in a row, or where it asks to be left alone, all
/// requests to it wait.
struct HostManners {
  /// A request that failed.
  struct Failed {
    /// The requests' numbers grow in the order in which they begin.
    var number: Int
    /// The last request that has begun by now.
    var lastNumber: Int
    /// The tile was not asked for before.
    var isFirst: Bool
    /// Asking again may help.
    var canRetry: Bool
    /// How long the host wants to be left alone; 0: it does not say.
    var seconds: Int
    /// The host answered: what is wrong may be the tile's alone.
    var isAnswer = false
  }

  /// No request before this time.
  private(set) var pausedUntil = -Double.infinity
  /// Tiles that failed when they were first asked for, since the last answer that was one.
  private(set) var failedTiles = 0
  /// Whether it fails at present.
  var isFailing: Bool { failures > 0 }
  /// Failures since the last answer that was one.
  private var failures = 0
  /// Tiles that failed likewise, although the host answered for them.
  private var answeredFailures = 0
  /// Both.
  var failuresInARow: Int { max(failedTiles, answeredFailures) }
  /// It has answered.
  private var hasAnswered: Bool
  private let allowsMissing: Bool
  /// Requests up to this one had begun when the last failure was counted.
  private var counted = 0

  /// The first pause and the longest, in seconds; each is twice the one before.
  private static let firstPause = 0.5
  private static let longestPause = 60.0
  /// A host that wants to be left alone for longer is left alone until the command is given again.
  static let longestWait = 600
  /// So many tiles in a row may fail, and before it has answered at all.
  private static let mostFailures = 10
  private static let mostFirstFailures = 5
  /// Likewise where asking again is in vain.
  private static let mostFirstRefusals = 3
  /// Likewise of tiles that the host answered for, where tiles may be missing: some servers have
  /// trouble with each tile of the sea.
  private static let mostAnsweredFailures = 1000

  /// - Parameters:
  ///   - hasAnswered: it answered an earlier run.
  ///   - allowsMissing: tiles may be missing: a host that refuses some of them still answers.
  init(hasAnswered: Bool, allowsMissing: Bool) {
    (self.hasAnswered, self.allowsMissing) = (hasAnswered, allowsMissing)
  }

  /// Notes an answer, also one that says that there is no such tile.
  mutating func noteAnswer() {
    (failures, failedTiles, answeredFailures) = (0, 0, 0)
    hasAnswered = true
  }

  /// Notes a failure. Of requests that were under way at the same time, only one counts; and one
  /// tile that fails again and again says nothing of the host.
  ///
  /// - Parameters:
  ///   - failed: the request.
  ///   - jitter: 0 to 1: so that many clients do not come at the same moment.
  ///   - now: seconds of the clock that `pausedUntil` is of.
  /// - Returns: the pause.
  mutating func noteFailure(_ failed: Failed, jitter: Double, now: Double) -> Double {
    let isRefusal = hasAnswered && allowsMissing && !failed.canRetry
    let isTiles = hasAnswered && allowsMissing && failed.isAnswer && failed.seconds == 0
    let isCounted = !isRefusal && !isTiles && failed.number > counted
    if isRefusal { noteAnswer() }
    if isTiles {
      failures = 0
      if failed.isFirst { answeredFailures += 1 }
    }
    if isCounted {
      failures += 1
      if failed.isFirst { failedTiles += 1 }
      counted = failed.lastNumber
    }
    guard failed.canRetry || failed.seconds > 0 else { return 0 }
    // One alone may be the tile's, which waits itself.
    let grows = isCounted && failures > 1
    let own = grows ? HostManners.pause(after: failures - 1) * (0.75 + 0.5 * jitter) : 0
    let pause = max(own, Double(min(failed.seconds, HostManners.longestWait)))
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
    return failedTiles >= most || answeredFailures >= HostManners.mostAnsweredFailures
  }
}
