import CLinux
import Glibc

/// The service manager that started this process, if it listens: sd_notify(3) datagrams to
/// $NOTIFY_SOCKET, and the descriptors that it stores over a restart (FDSTORE, sd_listen_fds(3)).
/// Without a manager, every call does nothing and returns false.
///
/// No call waits. What a manager that does not read has no room for is sent by the loop later, in
/// the same order, once `feedWatchdog` has said which loop that is.
public final class ServiceManager {
  /// The manager's address: a path, or '@' and an abstract name; nil: there is no manager.
  public let socket: String?
  /// The names under which the manager stores descriptors.
  public private(set) var stored: Set<String> = []

  /// The manager's watchdog interval in nanoseconds; nil: it has no watchdog.
  public let watchdog: UInt64?
  private var watchdogTimer: LoopTimer?

  /// The most messages that wait for room in the manager's queue; further ones are lost.
  static let mostUnsent = 8
  /// The time between two looks for room, in nanoseconds.
  private static let retry: UInt64 = 1_000_000_000

  private struct Message {
    var text: String
    /// Sent with it; -1: none.
    var descriptor: Int32 = -1
    /// The name under which that is to be stored.
    var name: String?
  }

  /// What there was no room for.
  private var unsent: [Message] = []
  private var retryTimer: LoopTimer?

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
  /// manager restarts the process. Without a watchdog, only sends what there was no room for.
  public func feedWatchdog(on loop: EventLoop) {
    guard socket != nil, retryTimer == nil else { return }
    retryTimer = loop.timer { [unowned self] in sendUnsent() }
    sendUnsent()
    guard let watchdog else { return }
    watchdogTimer = loop.timer { [unowned self] in feed(watchdog) }
    feed(watchdog)
  }

  private func feed(_ interval: UInt64) {
    // Half an interval later would be the deadline.
    let isSent = send(Message(text: "WATCHDOG=1")) == 0
    watchdogTimer?.arm(after: isSent ? interval / 2 : interval / 8)
  }

  /// Reports that the start is complete. Returns whether that was sent, or will be.
  @discardableResult public func ready() -> Bool { post(Message(text: "READY=1")) }

  /// Reports that the process is stopping. Returns whether that was sent, or would be.
  @discardableResult public func stopping() -> Bool { post(Message(text: "STOPPING=1")) }

  /// Asks the manager to keep `fd` open under `name` (letters, digits and '-'; not the name of a
  /// socket unit) and to pass it to the next start. Does not close it: before that, call `remove`
  /// if it `holds` the name and it is not `stored` yet. A descriptor that the manager already has
  /// is not stored again. The unit's FileDescriptorStoreMax= must leave room. Returns whether the
  /// request was sent, or will be.
  @discardableResult
  public func store(_ fd: Int32, name: String) -> Bool {
    post(Message(text: "FDSTORE=1\nFDNAME=\(name)", descriptor: fd, name: name))
  }

  /// Asks the manager to close what it stores under `name`. Returns whether that was sent, or will
  /// be.
  @discardableResult
  public func remove(_ name: String) -> Bool {
    unsent.removeAll { $0.name == name }
    stored.remove(name)
    return post(Message(text: "FDSTOREREMOVE=1\nFDNAME=\(name)"))
  }

  /// Whether a descriptor is stored under `name`, or will be.
  public func holds(_ name: String) -> Bool {
    stored.contains(name) || unsent.contains { $0.name == name }
  }

  private func post(_ message: Message) -> Bool {
    if unsent.isEmpty {
      let code = send(message)
      guard code == EAGAIN else { return code == 0 }
    }
    guard unsent.count < ServiceManager.mostUnsent else { return false }
    unsent.append(message)
    retryTimer?.arm(after: ServiceManager.retry)
    return true
  }

  private func sendUnsent() {
    while let message = unsent.first {
      if send(message) == EAGAIN {
        retryTimer?.arm(after: ServiceManager.retry)
        return
      }
      unsent.removeFirst()
    }
  }

  /// Sends `message` and returns 0, or returns the errno: EAGAIN if there is no room.
  private func send(_ message: Message) -> Int32 {
    guard let socket else { return ENOTCONN }
    let bytes = Array(message.text.utf8)
    let code = bytes.withUnsafeBufferPointer { text in
      text.withMemoryRebound(to: CChar.self) { text in
        waypost_send_datagram(
          socket, socket.utf8.count, text.baseAddress, text.count, message.descriptor) == 0
          ? 0 : errno
      }
    }
    if code == 0, let name = message.name { stored.insert(name) }
    return code
  }

  // MARK: Passed descriptors

  /// The descriptors that the manager passed under `name`; the caller owns them.
  public static func takeDescriptors(named name: String) -> [Int32] {
    PassedDescriptors.ofThisProcess.take(named: name)
  }
}
