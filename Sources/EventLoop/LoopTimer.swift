/// Calls a handler on the loop at a given time, once per arming. The loop retains it while it is
/// armed. All timers of a loop share one timerfd.
public final class LoopTimer {
  let handler: () -> Void
  private weak var loop: EventLoop?
  /// When it is due, in nanoseconds of CLOCK_MONOTONIC; meaningful only while armed.
  public internal(set) var deadline: UInt64 = 0
  /// Whether the handler is still to be called.
  public internal(set) var isArmed = false
  /// The firing round that armed it. If a handler arms a timer for now, it fires at the next
  /// wake-up, so that timers cannot starve descriptors.
  var armedInRound: UInt64 = 0

  init(loop: EventLoop, handler: @escaping () -> Void) {
    self.loop = loop
    self.handler = handler
  }

  /// Calls the handler once at `deadline`, in nanoseconds of CLOCK_MONOTONIC; in the next wake-up
  /// if that has passed. Replaces an earlier arming.
  public func arm(at deadline: UInt64) {
    loop?.arm(self, at: deadline)
  }

  /// Calls the handler once, `nanoseconds` from now. Replaces an earlier arming.
  public func arm(after nanoseconds: UInt64) {
    let (sum, overflow) = EventLoop.now().addingReportingOverflow(nanoseconds)
    arm(at: overflow ? .max : sum)
  }

  /// Disarms the timer: the handler is not called unless it is armed again.
  public func cancel() {
    loop?.disarm(self)
  }
}
