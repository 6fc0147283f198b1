/// Counts the lines of log that somebody else can cause at will, and says which are written.
struct LogRuns {
  /// The most runs that are remembered; beyond them, all are forgotten.
  static let capacity = 64

  private struct Run {
    /// When the first line was written.
    var since: Double
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
    guard let former = runs[run], now - former.since < Logger.window else {
      let leftOut = runs[run]?.leftOut ?? 0
      if runs.count >= LogRuns.capacity { runs.removeAll() }
      runs[run] = Run(since: now)
      return leftOut
    }
    if former.written >= Logger.repeats {
      runs[run]?.leftOut += 1
      return nil
    }
    runs[run]?.written += 1
    return 0
  }
}
