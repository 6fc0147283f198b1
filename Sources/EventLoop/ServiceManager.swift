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

  /// - Parameter socket: nil, or an address that is neither a path nor abstract: nobody listens.
  public init(socket: String?) {
    let known = socket.map { $0.hasPrefix("/") || ($0.hasPrefix("@") && $0.utf8.count > 1) }
    self.socket = known == true ? socket : nil
  }

  /// The one that $NOTIFY_SOCKET names. The variable is removed, so that programs started from here
  /// do not speak for this one.
  public static func fromEnvironment() -> ServiceManager {
    let socket = getenv("NOTIFY_SOCKET").map { String(cString: $0) }
    unsetenv("NOTIFY_SOCKET")
    return ServiceManager(socket: socket)
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
