import EventLoop

/// A mode that failed for a reason that may pass, while a smaller one is lit. No event tells when
/// it would succeed, so it is looked at again after a while: twice as long each time, up to a
/// minute. If it lacked memory, it is looked at every minute, ten times: a board that does not have
/// enough comes to rest.
final class AwaitedMode {
  /// What is waited for.
  struct Wanted: Equatable {
    var mode: DisplayMode
    /// Whether it failed for lack of memory.
    var lackedMemory: Bool
  }

  private static let longest: UInt64 = 60_000_000_000
  /// How often a mode that lacked memory is looked at.
  static let memoryLooks = 10

  private(set) var wanted: Wanted?
  private var timer: LoopTimer?
  /// The mode that was set because it looked possible. If it fails, it is not tried again, so that
  /// the screen does not go dark every second.
  private var tried: DisplayMode?
  private let first: UInt64
  private let memory: UInt64
  private var pause: UInt64
  private var looksLeft = 0

  /// - Parameters:
  ///   - loop: the loop of this thread.
  ///   - first: how long to wait at first, in nanoseconds.
  ///   - memory: how long to wait for memory each time, in nanoseconds.
  ///   - onDue: called when the mode should be tried.
  init(
    loop: EventLoop, first: UInt64, memory: UInt64, onDue: @escaping (DisplayMode) -> Void
  ) {
    (self.first, self.memory, pause) = (first, memory, first)
    timer = loop.timer { [weak self] in
      if let mode = self?.wanted?.mode { onDue(mode) }
    }
  }

  /// Waits for `new`; nil: stops waiting.
  func wait(for new: Wanted?) {
    wanted = new?.mode == tried ? nil : new
    if new == nil { tried = nil }
    (pause, looksLeft) = (first, Self.memoryLooks)
    if wanted == nil { timer?.cancel() } else { again() }
  }

  /// The mode looks possible, and is set.
  func willTry() { tried = wanted?.mode }

  /// The mode was not possible: waits longer.
  func again() {
    guard wanted?.lackedMemory == true else {
      timer?.arm(after: pause)
      pause = min(2 * pause, Self.longest)
      return
    }
    if looksLeft == 0 { return }
    looksLeft -= 1
    timer?.arm(after: memory)
  }
}
