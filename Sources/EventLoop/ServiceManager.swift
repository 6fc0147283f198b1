import CLinux
import Glibc

/// The service manager that started this process, if it listens: sd_notify(3) datagrams to
/// $NOTIFY_SOCKET, and the descriptors that it stores over a restart (FDSTORE, sd_listen_fds(3)).
/// Without a manager, every call does nothing and returns false.
public final class ServiceManager {
  /// The manager's address: a path, or '@' and an abstract name; nil: there is no manager.
  public let socket: String?
  /// The names under which the manager stores descriptors.
  public private(set) var stored: Set<String> = []

  /// The manager's watchdog interval in nanoseconds; nil: it has no watchdog.
  public let watchdog: UInt64?
  private var watchdogTimer: LoopTimer?

  /// Creates a connection to a manager.
  ///
  /// - Parameters:
  ///   - socket: The manager's address; nil, or neither a path nor abstract: there is no manager.
  ///   - watchdog: The manager's watchdog interval in nanoseconds; nil: it has no watchdog.
  public init(socket: String?, watchdog: UInt64? = nil) {
    self.watchdog = watchdog
    let known = socket.map { $0.hasPrefix("/") || ($0.hasPrefix("@") && $0.utf8.count > 1) }
    self.socket = known == true ? socket : nil
  }

  /// The manager named by $NOTIFY_SOCKET, with the watchdog of $WATCHDOG_USEC and $WATCHDOG_PID.
  /// Removes the variables, so that child processes do not notify in this one's place. Call it
  /// before any thread starts.
  public static func fromEnvironment() -> ServiceManager {
    func take(_ name: String) -> String? {
      defer { unsetenv(name) }
      return getenv(name).map { String(cString: $0) }
    }
    return ServiceManager(
      socket: take("NOTIFY_SOCKET"),
      watchdog: watchdog(microseconds: take("WATCHDOG_USEC"), pid: take("WATCHDOG_PID")))
  }

  /// The watchdog interval in nanoseconds, as in sd_watchdog_enabled(3); nil if it is not set or is
  /// for another process.
  static func watchdog(microseconds: String?, pid: String?) -> UInt64? {
    guard let microseconds, let time = UInt64(microseconds), time > 0, time < .max / 1000,
      pid == nil || pid.flatMap({ Int32($0) }) == getpid()
    else { return nil }
    return time * 1000
  }

  /// Feeds the manager's watchdog twice per interval while `loop` runs. If the loop hangs, the
  /// manager restarts the process. Does nothing without a watchdog.
  public func feedWatchdog(on loop: EventLoop) {
    guard let watchdog, socket != nil, watchdogTimer == nil else { return }
    watchdogTimer = loop.timer { [unowned self] in feed(watchdog) }
    feed(watchdog)
  }

  private func feed(_ interval: UInt64) {
    // A manager that does not read must not stop the loop. Half an interval later would be the
    // deadline.
    let isSent = send("WATCHDOG=1", waits: false)
    watchdogTimer?.arm(after: isSent ? interval / 2 : interval / 8)
  }

  /// Reports that the start is complete. Returns whether that was sent.
  @discardableResult public func ready() -> Bool { send("READY=1") }

  /// Reports that the process is stopping. Returns whether that was sent.
  @discardableResult public func stopping() -> Bool { send("STOPPING=1") }

  /// Asks the manager to keep `fd` open under `name` (letters, digits and '-'; not the name of a
  /// socket unit) and to pass it to the next start. Does not close it. A descriptor that the
  /// manager already has is not stored again. The unit's FileDescriptorStoreMax= must leave room.
  /// Returns whether the request was sent.
  @discardableResult
  public func store(_ fd: Int32, name: String) -> Bool {
    guard send("FDSTORE=1\nFDNAME=\(name)", descriptor: fd) else { return false }
    stored.insert(name)
    return true
  }

  /// Asks the manager to close what it stores under `name`. Returns whether that was sent.
  @discardableResult
  public func remove(_ name: String) -> Bool {
    guard send("FDSTOREREMOVE=1\nFDNAME=\(name)") else { return false }
    stored.remove(name)
    return true
  }

  /// `waits`: for room in the manager's queue. Without it, `descriptor` is not sent.
  @discardableResult
  private func send(_ text: String, descriptor: Int32 = -1, waits: Bool = true) -> Bool {
    guard let socket else { return false }
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { text in
      text.withMemoryRebound(to: CChar.self) { text in
        waits
          ? waypost_send_datagram(
            socket, socket.utf8.count, text.baseAddress, text.count, descriptor) == 0
          : waypost_send_entry(socket, socket.utf8.count, text.baseAddress, text.count) == 0
      }
    }
  }

  // MARK: Passed descriptors

  /// The descriptors that the manager passed under `name`; the caller owns them.
  public static func takeDescriptors(named name: String) -> [Int32] {
    PassedDescriptors.ofThisProcess.take(named: name)
  }
}
