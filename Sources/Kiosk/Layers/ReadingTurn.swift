#if canImport(Glibc)
  import Glibc
#endif

/// A lock for reading one file of features at a time, because reading may take many times the
/// file's size in memory.
///
/// Unchecked: a mutex is made for several threads, and its memory never moves.
final class ReadingTurn: @unchecked Sendable {
  static let shared = ReadingTurn()

  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  private init() { pthread_mutex_init(mutex, nil) }

  /// Blocks until no other thread reads.
  func begin() { pthread_mutex_lock(mutex) }

  func end() { pthread_mutex_unlock(mutex) }
}
