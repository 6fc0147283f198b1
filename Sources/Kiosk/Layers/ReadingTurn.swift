#if canImport(Glibc)
  import Glibc
#endif

/// Reads one file of features at a time: each may take many times its size meanwhile.
///
/// Unchecked: a mutex is made for use from several threads, and it never moves.
final class ReadingTurn: @unchecked Sendable {
  static let shared = ReadingTurn()

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  private init() { pthread_mutex_init(mutex, nil) }

  /// Waits for its turn.
  func begin() { pthread_mutex_lock(mutex) }

  func end() { pthread_mutex_unlock(mutex) }
}
