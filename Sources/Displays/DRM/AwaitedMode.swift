import EventLoop

/// A mode that failed for a reason that may pass, while a smaller one is lit. No event tells when
/// it would succeed, so it is looked at again after a while: twice as long each time, up to a
/// minute.
final class AwaitedMode {
  private static let longest: UInt64 = 60_000_000_000

  private(set) var mode: DisplayMode?
  private var timer: LoopTimer?
  /// The mode that was set because it looked possible. If it fails, it is not tried again, so that
  /// the screen does not go dark every second.
  private var tried: DisplayMode?
  private let first: UInt64
  private var pause: UInt64

  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - first: how long to wait at first, in nanoseconds.
  ///   - onDue: called when the mode should be tried.
  init(loop: EventLoop, first: UInt64, onDue: @escaping (DisplayMode) -> Void) {
    (self.first, pause) = (first, first)
    timer = loop.timer { [weak self] in
      if let mode = self?.mode { onDue(mode) }
    }
  }

  /// Waits for `wanted`; nil: stops waiting.
  func wait(for wanted: DisplayMode?) {
    mode = wanted == tried ? nil : wanted
    if wanted == nil { tried = nil }
    pause = first
    if mode == nil { timer?.cancel() } else { again() }
  }

  /// The mode looks possible, and is set.
  func willTry() { tried = mode }

  /// The mode was not possible: waits longer.
  func again() {
    timer?.arm(after: pause)
    pause = min(2 * pause, Self.longest)
  }
}
