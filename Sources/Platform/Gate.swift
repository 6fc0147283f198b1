import CLinux
import Glibc

/// A mutex with a condition, for threads that wait for each other. State that nobody waits for
/// belongs in a `Mutex`.
///
/// Unchecked: the pthread objects are made for use from several threads, and the protected state is
/// reached through `locked` and `wait` only.
package final class Gate<State>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  package init(_ state: sending State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    pthread_cond_init(condition, nil)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` on the state alone; wakes one waiting thread when `signal`.
  package func locked<R>(signal: Bool = false, _ body: (inout State) -> R) -> R {
    pthread_mutex_lock(mutex)
    defer {
      if signal { pthread_cond_signal(condition) }
      pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Wakes every waiting thread after `body`.
  package func lockedBroadcast(_ body: (inout State) -> Void) {
    pthread_mutex_lock(mutex)
    body(&state)
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until `take` gives something.
  package func wait<R>(for take: (inout State) -> R?) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = take(&state) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }
}

/// Starts a detached thread with a small stack.
///
/// - Parameters:
///   - name: what the kernel calls it, at most 15 bytes.
///   - stack: bytes.
///   - body: runs on the new thread, with every signal blocked: signals are the loop's.
/// - Returns: false where the system has no room for another thread.
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
  pthread_sigmask(SIG_SETMASK, &all, &before)
  var thread = pthread_t()
  let box = Unmanaged.passRetained(Box(name, body))
  let result = pthread_create(
    &thread, &attributes,
    { raw in
      guard let raw else { return nil }
      let box = Unmanaged<Box>.fromOpaque(raw).takeRetainedValue()
      waypost_name_thread(box.name)
      box.body()
      return nil
    }, box.toOpaque())
  if result != 0 { box.release() }
  pthread_sigmask(SIG_SETMASK, &before, nil)
  pthread_attr_destroy(&attributes)
  return result == 0
}
