import CLinux
import Glibc
import Platform

/// A loop's armed timers, behind one timerfd. There are only a handful, so they are searched
/// linearly. The array keeps its capacity: once it has grown, arming allocates nothing.
struct TimerQueue: ~Copyable {
  let fd: Int32
  private var armed: [LoopTimer] = []
  private var round: UInt64 = 0
  /// The deadline that the timerfd is set to; 0: it is disarmed.
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

  /// Sets the timerfd to the earliest deadline if that has changed. Called once before each sleep,
  /// so it costs at most one system call however many timers changed.
  mutating func prepare() {
    var earliest = UInt64.max
    for timer in armed where timer.deadline < earliest { earliest = timer.deadline }
    // 0 would disarm the timerfd, and `Int64.max` nanoseconds fit into its time_t.
    let wanted = armed.isEmpty ? 0 : min(max(earliest, 1), UInt64(Int64.max))
    if wanted == setTo { return }
    setTo = wanted
    var spec = itimerspec()
    spec.it_value.tv_sec = time_t(wanted / 1_000_000_000)
    spec.it_value.tv_nsec = Int(wanted % 1_000_000_000)
    timerfd_settime(fd, Int32(TFD_TIMER_ABSTIME), &spec, nil)
  }

  /// Starts a round of firing, after the timerfd became readable.
  mutating func beginRound() {
    var expirations: UInt64 = 0
    _ = read(fd, &expirations, 8)
    setTo = 0
    round &+= 1
  }

  /// Disarms and returns the next timer of this round that is due at `now`, earliest first; nil:
  /// there is none left.
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
