import CBundled
import CLinux
import EventLoop
import VectorMaps

/// Frees what painting a vector map keeps, once no tile has needed it for a while.
///
/// While tiles are painted, their vector tiles stay as they were read and parsed. A picture at rest
/// needs neither, and the code that painted it returns from the page cache.
///
/// Memory is given back to the kernel at the end of a wake-up, as the last thing before the loop
/// sleeps: what runs after it is back in memory.
final class MemoryTidy {
  /// How long something is kept at least without being used, in nanoseconds; at most twice that.
  static let pause: UInt64 = 2_000_000_000

  private var timer: LoopTimer?
  /// Whether it will look.
  private(set) var isArmed = false
  private let pause: UInt64
  private let bytes: () -> Int
  private let freeUnused: () -> Void
  /// Whether this kiosk may have left something.
  private var hasPainted = false
  /// Whether memory is given back at the end of this wake-up.
  private(set) var isDue = false
  /// Whether nothing of what is looked at is left since `takeRest` was called last.
  private var isAtRest = false
  private let giveBack: () -> Void

  /// Looks at the memory with timers of `loop`. `bytes` tells how much is kept, `freeUnused` frees
  /// what was not used since it was called last, and `giveBack` gives the kernel what is free.
  init(
    loop: EventLoop, pause: UInt64 = MemoryTidy.pause,
    bytes: @escaping () -> Int = { VectorMemory.bytes },
    freeUnused: @escaping () -> Void = { VectorMemory.age() },
    giveBack: @escaping () -> Void = MemoryTidy.giveMemoryBack
  ) {
    (self.pause, self.bytes, self.freeUnused) = (pause, bytes, freeUnused)
    self.giveBack = giveBack
    timer = loop.timer { [weak self] in self?.age() }
  }

  /// Has it looked at later if anything is kept. Called at the end of each wake-up; at rest,
  /// nothing is due.
  ///
  /// `isPainted`: the base map is a vector map.
  func check(isPainted: Bool) {
    if isPainted { hasPainted = true }
    guard hasPainted, !isArmed, bytes() > 0 else { return }
    isArmed = true
    timer?.arm(after: pause)
  }

  private func age() {
    isArmed = false
    freeUnused()
    if bytes() == 0 {
      hasPainted = false
      isDue = true
      isAtRest = true
    }
  }

  /// Whether the last of what is looked at was freed since this was called last: now a picture at
  /// rest may free what else it does not need.
  func takeRest() -> Bool {
    defer { isAtRest = false }
    return isAtRest
  }

  /// Has memory given back at the end of this wake-up.
  func giveBackSoon() { isDue = true }

  /// Gives memory back if that is due. Called as the last thing of a wake-up after which the loop
  /// sleeps.
  func finish() {
    guard isDue else { return }
    isDue = false
    giveBack()
  }

  /// Gives the kernel the heaps' free pages, and the code.
  static func giveMemoryBack() {
    waypost_trim_heaps()
    _ = waypost_release_code()
    _ = waypost_release_bundled()
  }
}
