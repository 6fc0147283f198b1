import CLinux
import EventLoop
import Glibc
import Platform

extension Kiosk {
  /// Whether `time`, in seconds since 1970, may be the present one.
  package static func isPlausible(time: Double) -> Bool { WallClock.isPlausible(time) }
}

/// The time of day, and whether it can be trusted.
struct WallClock: Sendable {
  /// Seconds since 1970, UTC; nil: unknown.
  var time: @Sendable () -> Double?

  /// The system's clock. It is trusted if the kernel says that it is synchronised, if a
  /// battery-backed clock agrees with it, or if the machine has no list of clocks (a container,
  /// whose host keeps the time). A board with neither starts with the time of its last run, which
  /// is wrong.
  static let system = WallClock {
    let time = SystemClock.wall()
    return WallClock.isPlausible(time) && (isSynchronised() || hasKeeper(time)) ? time : nil
  }

  /// Whether `time`, in seconds since 1970, lies between 2025 and 2100.
  static func isPlausible(_ time: Double) -> Bool { time > 1_735_689_600 && time < 4_102_444_800 }

  /// `time`, in seconds since 1970, as RFC 3339 writes it: "2027-06-01T18:00:00Z".
  static func text(_ time: Double) -> String {
    guard abs(time) < 1e11 else { return "an unknown time" }
    var seconds = time_t(time)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    func two(_ number: Int32) -> String { (number < 10 ? "0" : "") + String(number) }
    return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))T"
      + "\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))Z"
  }

  /// Whether the kernel says that the clock is synchronised. A service's sandbox may forbid asking
  /// it (ProtectClock=); then, whether systemd-timesyncd says so (systemd-timesyncd.service(8)).
  private static func isSynchronised() -> Bool {
    var state = timex()
    guard adjtimex(&state) >= 0 else { return isReported() }
    return state.status & STA_UNSYNC == 0
  }

  /// Whether a time service reports in `file`, by its being there, that it has set the clock since
  /// the machine started.
  static func isReported(in file: String = "/run/systemd/timesync/synchronized") -> Bool {
    access(file, F_OK) == 0
  }

  /// Whether a battery-backed clock agrees with `time` within an hour. The kernel lists these
  /// clocks in `folder`.
  static func hasKeeper(_ time: Double, folder: String = "/sys/class/rtc") -> Bool {
    // A kernel that lists no clocks is not one of our boards.
    guard let clocks = try? Directory.names(in: folder, where: { $0.hasPrefix("rtc") }) else {
      return true
    }
    for name in clocks {
      guard let kept = number("\(folder)/\(name)/since_epoch") else { continue }
      if abs(kept - time) < 3600 { return true }
    }
    return false
  }

  private static func number(_ file: String) -> Double? {
    guard let bytes = try? FileText.first(of: file) else { return nil }
    return Double(bytes)
  }
}

/// Reads the first word of a small file of the kernel.
private enum FileText {
  struct Unreadable: Error {}

  static func first(of file: String) throws(Unreadable) -> String {
    let fd = open(file, O_RDONLY | O_CLOEXEC)
    guard fd >= 0 else { throw Unreadable() }
    defer { close(fd) }
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = read(fd, &bytes, 64)
    guard count > 0 else { throw Unreadable() }
    return String(decoding: bytes[..<count].prefix { $0 > 32 }, as: UTF8.self)
  }
}

/// Reports when the system clock is set (timerfd_create(2), TFD_TIMER_CANCEL_ON_SET).
final class ClockWatch {
  private let fd: Int32
  private var watch: Watch?

  init(loop: EventLoop, changed: @escaping () -> Void) {
    fd = timerfd_create(CLOCK_REALTIME, Int32(TFD_CLOEXEC) | Int32(TFD_NONBLOCK))
    guard fd >= 0 else { return }
    arm()
    watch = try? loop.watch(fd, .readable) { [unowned self] _ in
      var count: UInt64 = 0
      _ = read(fd, &count, 8)
      arm()
      changed()
    }
  }

  deinit {
    watch?.cancel()
    if fd >= 0 { close(fd) }
  }

  /// Sets a timer that never expires, but is cancelled when the clock is set.
  private func arm() {
    var time = itimerspec()
    time.it_value.tv_sec = 1 << 40
    timerfd_settime(
      fd, Int32(TFD_TIMER_ABSTIME) | Int32(TFD_TIMER_CANCEL_ON_SET), &time, nil)
  }
}
