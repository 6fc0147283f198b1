import Glibc

/// The clock that does not jump.
enum MonotonicTime {
  /// Nanoseconds since some moment before the program began.
  static func now() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }
}
