/// Makes one change of level of the many that a contact gives while it bounces: the level counts
/// once it has been stable for `period`, and the change's time is that of the first edge.
///
/// A pure state machine: times are nanoseconds of one clock, and come in order.
public struct Debouncer: Sendable, Equatable {
  /// A change that counts.
  public struct Change: Sendable, Equatable {
    /// Whether the line is active now.
    public var level: Bool
    /// When the first edge of the burst came.
    public var time: UInt64
  }

  /// How long a level must be stable; 0: every edge counts at once.
  public let period: UInt64
  /// The level that counts.
  public private(set) var level: Bool
  /// The level of the last edge.
  public private(set) var latest: Bool
  private var burst: (first: UInt64, last: UInt64)?

  /// A debouncer for a line that rests.
  ///
  /// - Parameters:
  ///   - period: nanoseconds for which a level has to last.
  ///   - level: the line's level now; it is no change.
  public init(period: UInt64, level: Bool) {
    self.period = period
    (self.level, latest) = (level, level)
  }

  /// When to call `settle`; nil while there is nothing to wait for.
  public var deadline: UInt64? { burst.map { saturatingSum($0.last, period) } }

  /// An edge to `level`. Gives the change of an earlier burst that ended before it and was not
  /// asked for yet, or with a period of 0 its own.
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

  /// The change that counts by now, if any.
  public mutating func settle(at time: UInt64) -> Change? {
    guard let deadline, time >= deadline, let burst else { return nil }
    self.burst = nil
    // A burst that ends where it began was noise.
    if latest == level { return nil }
    level = latest
    return Change(level: level, time: burst.first)
  }

  /// Whether both are in the same state.
  public static func == (a: Debouncer, b: Debouncer) -> Bool {
    a.period == b.period && a.level == b.level && a.latest == b.latest
      && a.burst?.first == b.burst?.first && a.burst?.last == b.burst?.last
  }
}

/// A time and a duration in nanoseconds; for ever rather than past the end of time.
func saturatingSum(_ time: UInt64, _ duration: UInt64) -> UInt64 {
  let (sum, overflow) = time.addingReportingOverflow(duration)
  return overflow ? .max : sum
}

/// Seconds of the configuration in nanoseconds, at most a year and a bit.
func nanoseconds(_ seconds: Double) -> UInt64 {
  seconds > 0 ? UInt64(min(seconds, 4e7) * 1e9) : 0
}
