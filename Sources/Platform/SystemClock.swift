import CLinux
import Glibc

/// The system's clocks.
public enum SystemClock {
  /// Nanoseconds of CLOCK_MONOTONIC, which begins somewhere and is never set.
  @inlinable
  public static func monotonic() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return UInt64(time.tv_sec) &* 1_000_000_000 &+ UInt64(time.tv_nsec)
  }

  /// Seconds since 1970, UTC, of CLOCK_REALTIME, which may be wrong and may be set at any time.
  public static func wall() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
