import CLinux
import Glibc

/// Starts a detached thread with a small stack.
///
/// - Parameters:
///   - name: the thread's name in the kernel, at most 15 bytes.
///   - stack: the size of its stack in bytes.
///   - body: runs on the new thread with all signals blocked but those of a crash, because the loop
///     handles signals.
/// - Returns: false if the system has no room for another thread.
package func startThread(
  named name: String, stack: Int = 512 << 10, _ body: @escaping @Sendable () -> Void
) -> Bool {
  final class Box {
    let name: String
    let body: @Sendable () -> Void
    init(_ name: String, _ body: @escaping @Sendable () -> Void) {
      self.name = name
      self.body = body
    }
  }
  var attributes = pthread_attr_t()
  pthread_attr_init(&attributes)
  pthread_attr_setstacksize(&attributes, stack)
  pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
  var all = sigset_t()
  var before = sigset_t()
  sigfillset(&all)
  waypost_remove_crash_signals(&all)
  pthread_sigmask(SIG_SETMASK, &all, &before)
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(name, body))
  let result = pthread_create(
    &thread, &attributes,
    { raw in
      guard let raw else { return nil }
      let box = Unmanaged<Box>.fromOpaque(raw).takeRetainedValue()
      waypost_name_thread(box.name)
      waypost_run_with_signal_stack(
        { raw in raw.map { Unmanaged<Box>.fromOpaque($0).takeUnretainedValue().body() } },
        raw)
      return withExtendedLifetime(box) { nil }
    }, box.toOpaque())
  if result != 0 { box.release() }
  pthread_sigmask(SIG_SETMASK, &before, nil)
  pthread_attr_destroy(&attributes)
  return result == 0
}

/// Runs `body` on a thread of its own, because a medium that it uses may hang, and waits for it for
/// a while. If there is no room for another thread, it runs on this one.
///
/// - Parameters:
///   - nanoseconds: How long to wait.
///   - body: It goes on when nobody waits for it any more.
/// - Returns: What `body` returned; nil: it did not return in time.
package func runAside<T: Sendable>(
  atMost nanoseconds: UInt64, _ body: @escaping @Sendable () -> T
) -> T? {
  let result = Gate<T?>(nil)
  let isStarted = startThread(named: "aside") {
    let value = body()
    result.lockedBroadcast { $0 = value }
  }
  return isStarted ? result.wait(atMost: nanoseconds) { $0 } : body()
}
