import CLinux
import EventLoop

/// Gives free memory back to the kernel once no server has been asked for a while: bursts of tiles
/// leave it between what is kept. At rest no timer runs.
///
/// Belongs to the loop's thread.
package final class MemoryRest {
  /// How long no server must have been asked, in nanoseconds; at most twice that.
  private static let pause: UInt64 = 1_000_000_000

  private let pause: UInt64
  private let giveBack: () -> Void
  private var timer: LoopTimer?
  private var isArmed = false
  private var hasWorked = false

  /// - Parameters:
  ///   - loop: the loop of whose timers it uses one.
  ///   - pause: see above.
  ///   - giveBack: gives the memory back, which takes up to a few milliseconds.
  package init(
    loop: EventLoop, pause: UInt64 = MemoryRest.pause,
    giveBack: @escaping () -> Void = { waypost_trim_heaps() }
  ) {
    self.pause = pause
    self.giveBack = giveBack
    timer = loop.timer { [weak self] in self?.look() }
  }

  /// A server is asked.
  package func worked() {
    hasWorked = true
    if !isArmed { arm() }
  }

  private func arm() {
    isArmed = true
    timer?.arm(after: pause)
  }

  private func look() {
    isArmed = false
    if hasWorked {
      hasWorked = false
      arm()
    } else {
      giveBack()
    }
  }
}
