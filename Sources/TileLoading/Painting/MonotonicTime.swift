import Platform

/// The monotonic clock.
enum MonotonicTime {
  /// Nanoseconds since an unspecified moment before the program began.
  static func now() -> UInt64 { SystemClock.monotonic() }
}
