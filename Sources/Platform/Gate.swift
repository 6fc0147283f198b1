import Glibc

/// State behind a mutex with a condition, for threads that wait for each other. If no thread waits
/// for the state, use a `Lock`.
///
/// Unchecked: the pthread objects are made for several threads, and the state is reached only
/// through `locked`, `lockedBroadcast` and `wait`.
package final class Gate<State>: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var state: State

  package init(_ state: sending State) {
    self.state = state
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Runs `body` with the lock; afterwards wakes one waiting thread if `signal` is true.
  package func locked<R>(signal: Bool = false, _ body: (inout State) -> R) -> R {
    pthread_mutex_lock(mutex)
    defer {
      if signal { pthread_cond_signal(condition) }
      pthread_mutex_unlock(mutex)
    }
    return body(&state)
  }

  /// Runs `body` with the lock, and wakes every waiting thread.
  package func lockedBroadcast(_ body: (inout State) -> Void) {
    pthread_mutex_lock(mutex)
    body(&state)
    pthread_cond_broadcast(condition)
    pthread_mutex_unlock(mutex)
  }

  /// Waits until `take`, called with the lock, returns a value. Returns that value.
  package func wait<R>(for take: (inout State) -> R?) -> R {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = take(&state) { return result }
      pthread_cond_wait(condition, mutex)
    }
  }

  /// The same for at most `nanoseconds`; nil: `take` returned no value by then.
  package func wait<R>(atMost nanoseconds: UInt64, for take: (inout State) -> R?) -> R? {
    var end = timespec()
    clock_gettime(CLOCK_MONOTONIC, &end)
    let sum = UInt64(end.tv_nsec) &+ nanoseconds
    end.tv_sec += Int(clamping: sum / 1_000_000_000)
    end.tv_nsec = Int(sum % 1_000_000_000)
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = take(&state) { return result }
      if pthread_cond_timedwait(condition, mutex, &end) != 0 { return take(&state) }
    }
  }
}
