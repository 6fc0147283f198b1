/// Says which lines of the log are written that people, devices or the system can cause again and
/// again: each when it comes first, and later at growing intervals, with a count. That needs no
/// timer.
struct RepeatedLines {
  /// How long a line is left out after it was written, in nanoseconds: at first, and at most. Each
  /// further line doubles it. It is short again once the line did not come for the longest time.
  static let pauses: (first: UInt64, longest: UInt64) = (10_000_000_000, 21_600_000_000_000)
  /// The most lines that are remembered. The one that came least recently makes room. There is room
  /// for more than the packs of media, which go in the same order each time: with one too few, each
  /// line would be forgotten before it comes again.
  static let capacity = 256

  private struct Run {
    var writtenAt: UInt64
    var cameAt: UInt64
    var pause = RepeatedLines.pauses.first
    var leftOut = 0
  }

  private var runs: [String: Run] = [:]

  /// How many lines are remembered.
  var count: Int { runs.count }

  /// Whether a line is written at `now`, in nanoseconds of a clock that nobody sets.
  ///
  /// - Parameters:
  ///   - line: The line, or what names it if its text has figures that change.
  ///   - now: The time.
  /// - Returns: How often it was left out before; nil: it is left out now, too.
  mutating func admit(_ line: String, at now: UInt64) -> Int? {
    guard var run = runs[line], now &- run.cameAt < RepeatedLines.pauses.longest else {
      let leftOut = runs[line]?.leftOut ?? 0
      makeRoom(for: line)
      runs[line] = Run(writtenAt: now, cameAt: now)
      return leftOut
    }
    defer { runs[line] = run }
    run.cameAt = now
    if now &- run.writtenAt < run.pause {
      run.leftOut += 1
      return nil
    }
    let leftOut = run.leftOut
    (run.writtenAt, run.leftOut) = (now, 0)
    run.pause = min(2 * run.pause, RepeatedLines.pauses.longest)
    return leftOut
  }

  private mutating func makeRoom(for line: String) {
    guard runs[line] == nil, runs.count >= RepeatedLines.capacity,
      let oldest = runs.min(by: { $0.value.cameAt < $1.value.cameAt })
    else { return }
    runs[oldest.key] = nil
  }
}
