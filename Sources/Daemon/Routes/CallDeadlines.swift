import Control
import EventLoop

/// Refuses calls that take too long: their medium is slow, or hangs.
///
/// Belongs to the loop's thread.
final class CallDeadlines {
  private struct Call {
    /// On the monotonic clock, in nanoseconds.
    let deadline: UInt64
    let isOpen: () -> Bool
    let refuse: () -> Void
  }

  private let patience: UInt64
  private var calls: [Call] = []
  private var timer: LoopTimer?

  /// `patience`: how long a call may take, in seconds.
  init(loop: EventLoop, patience: Double) {
    self.patience = UInt64(max(patience, 0) * 1e9)
    timer = loop.timer { [weak self] in self?.refuseLate() }
  }

  /// How long a call may take, in whole seconds.
  var seconds: Int { Int(patience / 1_000_000_000) }

  /// How many calls were still open when the last one was added.
  var count: Int { calls.count }

  /// Refuses `reply` with `error`, and then calls `done`, if it is not answered in time and
  /// `isWaiting` still holds.
  func add<Method: ControlMethod>(
    _ reply: ControlReply<Method>, _ error: ControlError,
    while isWaiting: @escaping () -> Bool = { true }, done: @escaping () -> Void = {}
  ) {
    // No connection has more than one open call, so these are few.
    calls.removeAll { !$0.isOpen() }
    calls.append(
      Call(
        deadline: EventLoop.now() &+ patience,
        isOpen: { isWaiting() && !reply.isAnswered && reply.isAwaited },
        refuse: {
          reply.fail(error)
          done()
        }))
    arm()
  }

  /// Calls have the same patience, so the first is due first.
  private func arm() {
    if let first = calls.first { timer?.arm(at: first.deadline) } else { timer?.cancel() }
  }

  private func refuseLate() {
    let now = EventLoop.now()
    while let first = calls.first, first.deadline <= now {
      calls.removeFirst()
      if first.isOpen() { first.refuse() }
    }
    arm()
  }
}
