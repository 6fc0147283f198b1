import CBundled
import CLinux
import EventLoop
import VectorMaps

/// Frees what painting a vector map and frames of a pan keep, once nothing has needed it for a
/// while.
///
/// While tiles are painted, the vector tiles stay in memory, as read and as parsed. A picture at
/// rest needs neither, and the painting code returns from the page cache when it is needed again.
///
/// Memory goes back to the kernel at the very end of a wake-up: code that ran afterwards would be
/// paged in again.
final class MemoryTidy {
  /// How long something is kept at least without being used, in nanoseconds; at most twice that.
  static let pause: UInt64 = 2_000_000_000

  private var timer: LoopTimer?
  /// Whether a check is scheduled.
  private(set) var isArmed = false
  private let pause: UInt64
  private let bytes: () -> Int
  private let freeUnused: () -> Void
  /// Whether this kiosk has painted since everything was last freed.
  private var hasPainted = false
  /// Whether memory is given back at the end of this wake-up.
  private(set) var isDue = false
  /// Whether everything was freed since the last `takeRest`.
  private var isAtRest = false
  private let giveBack: () -> Void
  /// What frames keep: its bytes, and what frees it unless it was used since the last call.
  private var ofFrames: (bytes: () -> Int, freeUnused: () -> Void) = ({ 0 }, {})

  /// Checks the memory with a timer of `loop`. `bytes` returns how much is kept, `freeUnused` frees
  /// what was not used since its last call, and `giveBack` returns free memory to the kernel.
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

  /// Frees what frames keep, too. `bytes` returns how much that is, and `freeUnused` frees it
  /// unless it was used since its last call.
  func alsoFree(bytes: @escaping () -> Int, freeUnused: @escaping () -> Void) {
    ofFrames = (bytes, freeUnused)
  }

  /// Schedules a check if anything is kept. Call it at the end of each wake-up; at rest, no timer
  /// runs.
  ///
  /// `isPainted`: the base map is a vector map.
  func check(isPainted: Bool) {
    if isPainted { hasPainted = true }
    guard !isArmed, isKeepingAnything else { return }
    isArmed = true
    timer?.arm(after: pause)
  }

  private var isKeepingAnything: Bool { hasPainted && bytes() > 0 || ofFrames.bytes() > 0 }

  private func age() {
    isArmed = false
    if hasPainted { freeUnused() }
    ofFrames.freeUnused()
    if !isKeepingAnything {
      hasPainted = false
      isDue = true
      isAtRest = true
    }
  }

  /// Whether everything was freed since the last call. A picture at rest may then free what else it
  /// does not need.
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
