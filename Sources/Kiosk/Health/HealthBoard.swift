import EventLoop
import Platform

/// Owns the list of current problems.
///
/// Start times are kept on the monotonic clock and converted to wall-clock time on request, because
/// a board without a clock battery learns the time long after it started.
final class HealthBoard {
  private var health = Health()
  private let monotonic: () -> UInt64
  private let wall: () -> Double

  /// Creates an empty board.
  ///
  /// - Parameters:
  ///   - monotonic: Returns nanoseconds of CLOCK_MONOTONIC.
  ///   - wall: Returns seconds since 1970.
  init(
    monotonic: @escaping () -> UInt64 = EventLoop.now,
    wall: @escaping () -> Double = SystemClock.wall
  ) {
    self.monotonic = monotonic
    self.wall = wall
  }

  /// Takes notes. Returns whether one of them is new.
  func take(_ notes: [HealthNote]) -> Bool {
    var isNews = false
    for note in notes {
      if let detail = note.detail {
        isNews = health.report(note.what, note.state, detail, at: seconds) || isNews
      } else {
        isNews = health.clear(note.what) || isNews
      }
    }
    return isNews
  }

  /// The current problems, one per matter, with start times in seconds since 1970.
  var current: Health {
    let offset = wall() - seconds
    return health.shifted(by: offset)
  }

  private var seconds: Double { Double(monotonic()) / 1e9 }
}
