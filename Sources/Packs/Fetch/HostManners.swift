/// Decides when a host may be asked again. After failures in a row, or if it asks for a pause, all
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
  /// Tiles whose first request failed, since the last real answer.
  private(set) var failedTiles = 0
  /// Whether it fails at present.
  var isFailing: Bool { failures > 0 }
  /// Failures since the last real answer.
  private var failures = 0
  /// The same for tiles for which the host did answer, with a fault.
  private var answeredFailures = 0
  /// The larger of both counts.
  var failuresInARow: Int { max(failedTiles, answeredFailures) }
  /// It has answered.
  private var hasAnswered: Bool
  private let allowsMissing: Bool
  /// Requests up to this one had begun when the last failure was counted.
  private var counted = 0

  /// The first pause and the longest, in seconds; each is twice the one before.
  private static let firstPause = 0.5
  private static let longestPause = 60.0
  /// If a host asks for a longer pause, the fetch ends until the command is given again.
  static let longestWait = 600
  /// How many tiles in a row may fail: usually, and before the host has answered at all.
  private static let mostFailures = 10
  private static let mostFirstFailures = 5
  /// The same, before the first answer, for failures that a retry cannot cure.
  private static let mostFirstRefusals = 3
  /// The same for tiles for which the host answers with a fault, if tiles may be missing: some
  /// servers fail for every tile of the sea.
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

  /// Records a failure. Of requests in flight at the same time, only one counts. A tile that fails
  /// repeatedly says nothing about the host.
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
    // A single failure may be the tile's fault; the tile waits on its own.
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
