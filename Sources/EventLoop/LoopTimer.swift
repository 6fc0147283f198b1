/// A moment at which the loop calls a handler, once for each arming. While armed, the loop keeps
/// it; all timers of a loop share one timerfd.
public final class LoopTimer {
  let handler: () -> Void
  private weak var loop: EventLoop?
  /// When it is due (CLOCK_MONOTONIC, nanoseconds); meaningful while armed.
  public internal(set) var deadline: UInt64 = 0
  /// Whether the handler is still to be called.
  public internal(set) var isArmed = false
  /// Which round of firing armed it: a handler that arms a timer for now is called in the next
  /// wake-up, so that timers cannot keep descriptors waiting.
  var armedInRound: UInt64 = 0

  init(loop: EventLoop, handler: @escaping () -> Void) {
    self.loop = loop
    self.handler = handler
  }

  /// Calls the handler once at `deadline`, in nanoseconds of CLOCK_MONOTONIC; at once (in the next
  /// wake-up) if that has passed. An earlier arming is replaced.
  public func arm(at deadline: UInt64) {
    loop?.arm(self, at: deadline)
  }

  /// Calls the handler once, `nanoseconds` from now.
  public func arm(after nanoseconds: UInt64) {
    let (sum, overflow) = EventLoop.now().addingReportingOverflow(nanoseconds)
    arm(at: overflow ? .max : sum)
  }

  /// The handler is not called, unless it is armed again.
  public func cancel() {
    loop?.disarm(self)
  }
}
