import CLinux
import EventLoop
import VectorMaps

/// Frees what painting a vector map keeps, once no tile has needed it for a while.
///
/// While tiles are painted, their vector tiles stay as they were read and parsed. A picture at rest
/// needs neither, and the code that painted it returns from the page cache.
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

  /// Looks at the memory with timers of `loop`. `bytes` tells how much is kept, and `freeUnused`
  /// frees what was not used since it was called last.
  init(
    loop: EventLoop, pause: UInt64 = MemoryTidy.pause,
    bytes: @escaping () -> Int = { VectorMemory.bytes },
    freeUnused: @escaping () -> Void = { VectorMemory.age() }
  ) {
    (self.pause, self.bytes, self.freeUnused) = (pause, bytes, freeUnused)
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
      waypost_trim_heaps()
      waypost_release_code()
    }
  }
}
