// ThreadSanitizer does not see how Swift's Mutex hands a lock over: on Linux that is a futex with
// priority inheritance, which the kernel hands to the next thread. A build for the sanitizer takes
// a mutex of pthreads instead, which it knows (`-Xswiftc -DWAYPOST_PTHREAD_LOCK`).
#if WAYPOST_PTHREAD_LOCK
  import Glibc

  /// A value that one thread at a time reaches, behind a mutex of pthreads.
  ///
  /// Unchecked: the value is reached only through `withLock`.
  package final class Lock<Value>: @unchecked Sendable {
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let value = UnsafeMutablePointer<Value>.allocate(capacity: 1)

    package init(_ value: consuming sending Value) {
      pthread_mutex_init(mutex, nil)
      self.value.initialize(to: value)
    }

    deinit {
      value.deinitialize(count: 1)
      value.deallocate()
      pthread_mutex_destroy(mutex)
      mutex.deallocate()
    }

    /// Runs `body` with the lock.
    package func withLock<Result, Failure: Error>(
      _ body: (inout sending Value) throws(Failure) -> sending Result
    ) throws(Failure) -> sending Result {
      pthread_mutex_lock(mutex)
      defer { pthread_mutex_unlock(mutex) }
      return try body(&value.pointee)
    }
  }
#else
  import Synchronization

  /// A value that one thread at a time reaches.
  package typealias Lock = Mutex
#endif
