import Synchronization

/// Tells a painter on another thread to stop, at once or at a given time.
final class PaintCancellation: Sendable {
  /// When to stop, in nanoseconds of the monotonic clock. Signed, because the standard library's
  /// `min` compares unsigned numbers as signed ones (Swift 6.3).
  private let deadline = Atomic<Int64>(.max)

  var isCancelled: Bool {
    let deadline = deadline.load(ordering: .relaxed)
    // Reads the clock only if there is a deadline.
    return deadline != .max && MonotonicTime.now() >= UInt64(deadline)
  }

  /// Stops the painter at `time`, unless an earlier deadline is set.
  func cancel(at time: UInt64) {
    deadline.min(Int64(clamping: time), ordering: .relaxed)
  }

  /// Removes the deadline.
  func reset() { deadline.store(.max, ordering: .relaxed) }
}
