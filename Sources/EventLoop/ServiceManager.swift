import CLinux
import Glibc

/// The service manager that started this process, where it listens: sd_notify(3) as datagrams to
/// $NOTIFY_SOCKET, and the descriptors it keeps over a restart (FDSTORE, sd_listen_fds(3)).
/// Without one, every call does nothing.
public final class ServiceManager {
  /// Where to send to: a path, or '@' and an abstract name; nil: nobody listens.
  public let socket: String?
  /// The names under which a descriptor is kept.
  public private(set) var stored: Set<String> = []

  /// How often the manager wants to hear from this process, in nanoseconds; nil: it does not watch.
  public let watchdog: UInt64?
  private var watchdogTimer: LoopTimer?

  /// - Parameters:
  ///   - socket: nil, or an address that is neither a path nor abstract: nobody listens.
  ///   - watchdog: how often the manager wants to hear from this process, in nanoseconds; nil:
  ///     never.
  public init(socket: String?, watchdog: UInt64? = nil) {
    self.watchdog = watchdog
    let known = socket.map { $0.hasPrefix("/") || ($0.hasPrefix("@") && $0.utf8.count > 1) }
    self.socket = known == true ? socket : nil
  }

  /// The one that $NOTIFY_SOCKET names, with what $WATCHDOG_USEC and $WATCHDOG_PID ask for. The
  /// variables are removed, so that programs started from here do not speak for this one: call it
  /// before any thread is started.
  public static func fromEnvironment() -> ServiceManager {
    func take(_ name: String) -> String? {
      defer { unsetenv(name) }
      return getenv(name).map { String(cString: $0) }
    }
    return ServiceManager(
      socket: take("NOTIFY_SOCKET"),
      watchdog: watchdog(microseconds: take("WATCHDOG_USEC"), pid: take("WATCHDOG_PID")))
  }

  /// sd_watchdog_enabled(3): the time in nanoseconds; nil where none is set, or for another
  /// process.
  static func watchdog(microseconds: String?, pid: String?) -> UInt64? {
    guard let microseconds, let time = UInt64(microseconds), time > 0, time < .max / 1000,
      pid == nil || pid.flatMap({ Int32($0) }) == getpid()
    else { return nil }
    return time * 1000
  }

  /// Feeds the manager's watchdog, twice in its interval, as long as `loop` runs. If the loop
  /// hangs, the manager restarts the process. Without a watchdog there is no timer.
  public func feedWatchdog(on loop: EventLoop) {
    guard let watchdog, socket != nil, watchdogTimer == nil else { return }
    watchdogTimer = loop.timer { [unowned self] in
      send("WATCHDOG=1")
      watchdogTimer?.arm(after: watchdog / 2)
    }
    send("WATCHDOG=1")
    watchdogTimer?.arm(after: watchdog / 2)
  }

  /// The unit's start is complete.
  @discardableResult public func ready() -> Bool { send("READY=1") }

  /// The unit is on its way out.
  @discardableResult public func stopping() -> Bool { send("STOPPING=1") }

  /// Asks the manager to keep `fd` open under `name` (letters, digits, '-'; unlike any socket
  /// unit's name) and to hand it to the next start. It is not closed here. A descriptor that it has
  /// already is not added a second time; the unit's FileDescriptorStoreMax= must leave room.
  @discardableResult
  public func store(_ fd: Int32, name: String) -> Bool {
    guard send("FDSTORE=1\nFDNAME=\(name)", descriptor: fd) else { return false }
    stored.insert(name)
    return true
  }

  /// Has the manager close what it keeps under `name`.
  @discardableResult
  public func remove(_ name: String) -> Bool {
    guard send("FDSTOREREMOVE=1\nFDNAME=\(name)") else { return false }
    stored.remove(name)
    return true
  }

  @discardableResult
  private func send(_ text: String, descriptor: Int32 = -1) -> Bool {
    guard let socket else { return false }
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { text in
      text.withMemoryRebound(to: CChar.self) { text in
        waypost_send_datagram(
          socket, socket.utf8.count, text.baseAddress, text.count, descriptor) == 0
      }
    }
  }

  // MARK: Descriptors from the manager

  /// The descriptors that the manager passed under `name`; the caller owns them.
  public static func takeDescriptors(named name: String) -> [Int32] {
    PassedDescriptors.ofThisProcess.take(named: name)
  }
}
