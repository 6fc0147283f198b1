import CLinux
import Glibc
import Platform
import Synchronization

/// Wakes a loop from any thread. Calls that come before the loop gets to its handler are one.
public final class Waker: Sendable {
  let fd: Int32
  private let pending = Atomic<Bool>(false)

  init() throws(SystemError) {
    fd = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    if fd < 0 { throw SystemError("eventfd") }
  }

  deinit { close(fd) }

  /// Has the loop call the waker's handler. Never blocks; what was written before this call is
  /// seen by the handler.
  public func wake() {
    if pending.exchange(true, ordering: .acquiringAndReleasing) { return }
    var one: UInt64 = 1
    _ = write(fd, &one, 8)
  }

  /// Called on the loop before the handler: a wake during the handler is a new one.
  func clear() {
    // The loop watches the counter's edges: it is not read, and 2^64 wakes are not lived to see.
    _ = pending.exchange(false, ordering: .acquiringAndReleasing)
  }
}
