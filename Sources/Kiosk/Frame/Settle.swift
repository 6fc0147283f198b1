import EventLoop

/// The result of waiting for the complete picture.
public struct SettleOutcome: Sendable, Equatable {
  /// How many frames were presented since the start, the one on the display included.
  public var frame: Int
  /// Whether every tile that the view needs is drawn or known to be missing.
  public var complete: Bool
  /// How many of the view's tiles are known to be missing: no source has them.
  public var missing: Int
}

/// The calls that wait for the complete picture. A part of `FrameScheduler`.
final class SettleList {
  private struct Wait {
    /// The latest time of the answer, on the loop's clock.
    var deadline: UInt64
    var done: (SettleOutcome) -> Void
    var isCancelled: () -> Bool
  }

  /// How long a wait may exceed its timeout for a change not planned yet, in nanoseconds.
  private static let grace: UInt64 = 100_000_000

  private var waits: [Wait] = []
  private let timer: LoopTimer

  init(loop: EventLoop) {
    // The frame at the end of each wake-up checks the deadlines.
    timer = loop.timer {}
  }

  /// Whether no call waits.
  var isEmpty: Bool { waits.isEmpty }

  /// Calls `done` once the picture is complete, or after `timeout` seconds.
  func add(
    timeout: Double, isCancelled: @escaping () -> Bool, _ done: @escaping (SettleOutcome) -> Void
  ) {
    let deadline = EventLoop.now() &+ UInt64(min(max(timeout, 0), 86400) * 1e9)
    waits.append(Wait(deadline: deadline, done: done, isCancelled: isCancelled))
    arm(EventLoop.now())
  }

  /// Answers all calls with `outcome` if it is complete, else those whose time is over.
  ///
  /// `isChanged`: something is not planned yet, so completeness is unknown. The display may delay
  /// planning by a refresh interval.
  func answer(_ outcome: SettleOutcome, isChanged: Bool) {
    waits.removeAll { $0.isCancelled() }
    let now = EventLoop.now()
    let time = isChanged ? SettleList.grace : 0
    let isReady = { (wait: Wait) in outcome.complete || wait.deadline &+ time <= now }
    let ready = waits.filter(isReady)
    waits.removeAll(where: isReady)
    arm(now)
    for wait in ready { wait.done(outcome) }
  }

  private func arm(_ now: UInt64) {
    if let next = waits.map(\.deadline).min() {
      timer.arm(at: next > now ? next : next &+ SettleList.grace)
    } else {
      timer.cancel()
    }
  }
}
