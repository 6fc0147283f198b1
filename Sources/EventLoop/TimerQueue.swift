import CLinux
import Glibc
import Platform

/// The armed timers of a loop behind one timerfd. A unit has a handful of timers, so they are
/// searched in line; the array keeps its room, and arming allocates nothing once it has grown.
struct TimerQueue: ~Copyable {
  let fd: Int32
  private var armed: [LoopTimer] = []
  private var round: UInt64 = 0
  /// What the timerfd is set to; 0 is disarmed.
  private var setTo: UInt64 = 0

  init() throws(SystemError) {
    fd = timerfd_create(CLOCK_MONOTONIC, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    if fd < 0 { throw SystemError("timerfd_create") }
  }

  deinit { close(fd) }

  mutating func arm(_ timer: LoopTimer, at deadline: UInt64) {
    timer.deadline = deadline
    timer.armedInRound = round
    if timer.isArmed { return }
    timer.isArmed = true
    armed.append(timer)
  }

  mutating func disarm(_ timer: LoopTimer) {
    guard timer.isArmed, let index = armed.firstIndex(where: { $0 === timer }) else { return }
    timer.isArmed = false
    armed.swapAt(index, armed.count - 1)
    armed.removeLast()
  }

  /// Sets the timerfd to the earliest deadline, if that is not what it is set to. Called once
  /// before each sleep, so however many timers moved, it costs at most one call.
  mutating func prepare() {
    var earliest = UInt64.max
    for timer in armed where timer.deadline < earliest { earliest = timer.deadline }
    // Zero would disarm, and time_t takes 63 bits of nanoseconds without trouble.
    let wanted = armed.isEmpty ? 0 : min(max(earliest, 1), UInt64(Int64.max))
    if wanted == setTo { return }
    setTo = wanted
    var spec = itimerspec()
    spec.it_value.tv_sec = time_t(wanted / 1_000_000_000)
    spec.it_value.tv_nsec = Int(wanted % 1_000_000_000)
    timerfd_settime(fd, Int32(TFD_TIMER_ABSTIME), &spec, nil)
  }

  /// The timerfd was readable: starts a round of firing.
  mutating func beginRound() {
    var expirations: UInt64 = 0
    _ = read(fd, &expirations, 8)
    setTo = 0
    round &+= 1
  }

  /// The next timer of this round that is due at `now`, earliest first, disarmed; nil at the end.
  mutating func next(dueAt now: UInt64) -> LoopTimer? {
    var best: LoopTimer?
    for timer in armed where timer.deadline <= now && timer.armedInRound < round {
      if let found = best, found.deadline <= timer.deadline { continue }
      best = timer
    }
    if let best { disarm(best) }
    return best
  }
}
