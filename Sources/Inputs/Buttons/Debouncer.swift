/// Turns a bouncing contact's burst of edges into one change. A level counts once it has been
/// stable for `period`; the time of the change is that of the first edge.
///
/// A pure state machine. Times are nanoseconds of one clock, and must not decrease.
public struct Debouncer: Sendable, Equatable {
  /// A debounced change.
  public struct Change: Sendable, Equatable {
    /// Whether the line is active now.
    public var level: Bool
    /// The time of the burst's first edge.
    public var time: UInt64
  }

  /// How long a level must be stable, in nanoseconds; 0: every edge counts at once.
  public let period: UInt64
  /// The debounced level.
  public private(set) var level: Bool
  /// The level of the last edge.
  public private(set) var latest: Bool
  private var burst: (first: UInt64, last: UInt64)?

  /// Creates a debouncer for a line that is stable.
  ///
  /// - Parameters:
  ///   - period: How long a level must be stable, in nanoseconds.
  ///   - level: The line's present level, which is not reported as a change.
  public init(period: UInt64, level: Bool) {
    self.period = period
    (self.level, latest) = (level, level)
  }

  /// When to call `settle`; nil while nothing is pending.
  public var deadline: UInt64? { burst.map { saturatingSum($0.last, period) } }

  /// Takes an edge to `level`. Returns the change of an earlier burst that had settled by then, or
  /// with a period of 0 the change of this edge.
  public mutating func edge(to level: Bool, at time: UInt64) -> Change? {
    let earlier = settle(at: time)
    latest = level
    if period == 0 {
      if level == self.level { return earlier }
      self.level = level
      return Change(level: level, time: time)
    }
    if let first = burst?.first {
      burst = (first, time)
    } else if level != self.level {
      burst = (time, time)
    }
    return earlier
  }

  /// The change that has settled by `time`, if any.
  public mutating func settle(at time: UInt64) -> Change? {
    guard let deadline, time >= deadline, let burst else { return nil }
    self.burst = nil
    // The burst returned to the old level, so it was noise.
    if latest == level { return nil }
    level = latest
    return Change(level: level, time: burst.first)
  }

  /// Whether both have the same state.
  public static func == (a: Debouncer, b: Debouncer) -> Bool {
    a.period == b.period && a.level == b.level && a.latest == b.latest
      && a.burst?.first == b.burst?.first && a.burst?.last == b.burst?.last
  }
}

/// The sum of a time and a duration in nanoseconds; `.max` instead of an overflow.
func saturatingSum(_ time: UInt64, _ duration: UInt64) -> UInt64 {
  let (sum, overflow) = time.addingReportingOverflow(duration)
  return overflow ? .max : sum
}

/// Converts seconds of the configuration to nanoseconds, at most 4e7 seconds.
func nanoseconds(_ seconds: Double) -> UInt64 {
  seconds > 0 ? UInt64(min(seconds, 4e7) * 1e9) : 0
}
