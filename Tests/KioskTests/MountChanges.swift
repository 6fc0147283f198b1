import EventLoop
import Glibc

/// Whether something was mounted or unmounted on the machine. Other tests do so at the same
/// time, and it rightly wakes a kiosk (proc_pid_mountinfo(5): poll(2) reports POLLERR and POLLPRI).
final class MountChanges {
  private let fd: Int32
  private var latest: UInt64?

  /// Counts from now on.
  init() {
    fd = open("/proc/self/mountinfo", O_RDONLY | O_CLOEXEC)
    precondition(fd >= 0, "no /proc/self/mountinfo")
  }

  deinit { close(fd) }

  /// Whether there was one within the last ten seconds; what it leads to takes less than one.
  var isRecent: Bool {
    var ready = pollfd(fd: fd, events: Int16(POLLPRI), revents: 0)
    if poll(&ready, 1, 0) > 0 { latest = EventLoop.now() }
    return latest.map { EventLoop.now() - $0 < 10_000_000_000 } ?? false
  }
}

extension Bench {
  /// Whether something wakes the loop within `nanoseconds`, other than a mount on this machine.
  func isWoken(within nanoseconds: UInt64) -> Bool {
    while loop.runOnce(timeout: nanoseconds) {
      if !mounts.isRecent { return true }
    }
    return false
  }
}
