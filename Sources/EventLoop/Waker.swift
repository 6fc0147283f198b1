import CLinux
import Glibc
import Platform
import Synchronization

/// Wakes a loop from any thread. Several calls before the loop runs the handler count as one.
public final class Waker: Sendable {
  let fd: Int32
  private let pending = Atomic<Bool>(false)

  init() throws(SystemError) {
    fd = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
    if fd < 0 { throw SystemError("eventfd") }
  }

  deinit { close(fd) }

  /// Makes the loop call the waker's handler. Never blocks. The handler sees everything written
  /// before this call.
  public func wake() {
    if pending.exchange(true, ordering: .acquiringAndReleasing) { return }
    var one: UInt64 = 1
    _ = write(fd, &one, 8)
  }

  /// Called on the loop before the handler, so that a wake during the handler counts again.
  func clear() {
    // The eventfd is edge-triggered and never read; its counter cannot overflow in practice.
    _ = pending.exchange(false, ordering: .acquiringAndReleasing)
  }
}
