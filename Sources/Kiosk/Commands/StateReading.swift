import EventLoop
import Platform

/// Reads the file of the last run's state on a thread of its own, because its medium may hang.
///
/// Belongs to the loop's thread.
final class StateReading {
  /// How long the start waits for it, in seconds: then the configured view is better than none.
  private static let patience = 3.0

  /// Whether the file is still being read. What it has must not be overwritten.
  private(set) var isUnderWay = false
  private var worker: Worker?

  /// Runs `read`, and then `answered` on the loop: before this returns, unless the medium takes
  /// longer.
  ///
  /// - Parameters:
  ///   - loop: The loop of this thread.
  ///   - read: Leaves the file's bytes with the kernel.
  ///   - answered: Takes whether it took longer.
  func begin(
    on loop: EventLoop, _ read: @escaping @Sendable () -> Void,
    then answered: @escaping (Bool) -> Void
  ) {
    var isLate = false
    isUnderWay = true
    let worker = Worker("state-read", loop: loop, capacity: 1)
    let isTaken = worker.post(
      read,
      then: { [weak self] in
        self?.isUnderWay = false
        answered(isLate)
      })
    guard isTaken else {
      // There is no room for a thread.
      isUnderWay = false
      return answered(false)
    }
    worker.finish(within: StateReading.patience)
    isLate = true
    if isUnderWay { self.worker = worker }
  }
}
