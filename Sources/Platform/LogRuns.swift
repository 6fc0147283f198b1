/// Counts the lines of log that somebody else can cause at will, and says which are written: of
/// each run a few within a window. The next window of a run that goes on is twice as long, up to a
/// limit, so that what comes all year does not fill the log.
struct LogRuns {
  /// The most runs that are remembered. The one that came least recently makes room.
  static let capacity = 64
  /// The longest window in seconds. A run that did not come for as long begins anew.
  static let longestWindow = 21_600.0

  private struct Run {
    /// When the first line of the window was written.
    var since: Double
    var cameAt: Double
    /// Seconds.
    var window = Logger.window
    var written = 1
    var leftOut = 0
  }

  private var runs: [String: Run] = [:]

  /// The number of runs that are remembered.
  var count: Int { runs.count }

  /// Whether a line of `run` is written at `now`, in seconds of a clock that nobody sets.
  ///
  /// - Returns: how many lines of the run were left out before it; nil: this one is left out, too.
  mutating func admit(_ run: String, at now: Double) -> Int? {
    guard var former = runs[run] else {
      makeRoom()
      runs[run] = Run(since: now, cameAt: now)
      return 0
    }
    if now - former.since >= former.window {
      let leftOut = former.leftOut
      let isOver = now - former.cameAt >= LogRuns.longestWindow
      let window =
        isOver ? Logger.window : min(2 * former.window, LogRuns.longestWindow)
      runs[run] = Run(since: now, cameAt: now, window: window)
      return leftOut
    }
    defer { runs[run] = former }
    former.cameAt = now
    if former.written >= Logger.repeats {
      former.leftOut += 1
      return nil
    }
    former.written += 1
    return 0
  }

  private mutating func makeRoom() {
    guard runs.count >= LogRuns.capacity,
      let oldest = runs.min(by: { $0.value.cameAt < $1.value.cameAt })
    else { return }
    runs[oldest.key] = nil
  }
}
