import Synchronization

/// Tells a painter on another thread to give up, at once or at a time.
final class PaintCancellation: Sendable {
  /// When to give up, in nanoseconds of the monotonic clock. Signed: the standard library's `min`
  /// compares unsigned numbers as signed ones (Swift 6.3).
  private let deadline = Atomic<Int64>(.max)

  var isCancelled: Bool {
    let deadline = deadline.load(ordering: .relaxed)
    // The clock is read only where there is something to compare it with.
    return deadline != .max && MonotonicTime.now() >= UInt64(deadline)
  }

  /// Has the painter give up at `time`, or earlier if that was said before.
  func cancel(at time: UInt64) {
    deadline.min(Int64(clamping: time), ordering: .relaxed)
  }

  /// Starts again.
  func reset() { deadline.store(.max, ordering: .relaxed) }
}
