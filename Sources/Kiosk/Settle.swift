import EventLoop

/// Someone who waits for the picture to be whole.
struct SettleWait {
  var deadline: UInt64
  var done: (SettleOutcome) -> Void
  var isCancelled: () -> Bool
}

/// How a wait for the picture ended.
public struct SettleOutcome: Sendable, Equatable {
  /// The number of the frame that is on the display.
  public var frame: Int
  /// Every tile that the view needs is drawn or known to be missing.
  public var complete: Bool
  /// How many of the view's tiles are known to be missing.
  public var missing: Int
}

extension Kiosk {
  /// Calls `done` once movements are over and the view is drawn with every tile that it needs, or
  /// after `timeout` seconds.
  public func settle(
    timeout: Double, isCancelled: @escaping () -> Bool = { false },
    _ done: @escaping (SettleOutcome) -> Void
  ) {
    let deadline = EventLoop.now() &+ UInt64(min(max(timeout, 0), 86400) * 1e9)
    settles.append(SettleWait(deadline: deadline, done: done, isCancelled: isCancelled))
    // Judged after the frame that what was asked for before brings.
    needsFrame = true
    settleTimer?.arm(at: settles.map(\.deadline).min() ?? deadline)
  }

  func checkSettles() {
    if settles.isEmpty { return }
    settles.removeAll { $0.isCancelled() }
    let settled =
      !view.isMoving && !positionSettles && !needsFrame && !waitsForFirstSource
      && pipeline.scene.isComplete
    let now = EventLoop.now()
    let ready = settles.filter { settled || $0.deadline <= now }
    settles.removeAll { settled || $0.deadline <= now }
    if settles.isEmpty {
      settleTimer?.cancel()
    } else {
      settleTimer?.arm(at: settles.map(\.deadline).min() ?? now)
    }
    for settle in ready {
      settle.done(
        SettleOutcome(
          frame: presentedFrames, complete: settled, missing: pipeline.scene.plan.missing))
    }
  }
}
