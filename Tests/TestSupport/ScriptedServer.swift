import Glibc

/// A TCP server on the loopback that says what the test has it say: for faults that no gpsd makes.
public final class ScriptedServer {
  /// The system refused what the server needs, or nobody connected within a minute.
  public struct Failure: Error {}

  public let port: UInt16
  private var listener: Int32
  public private(set) var clients: [Int32] = []

  public init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    guard listener >= 0 else { throw Failure() }
    var one: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, 4)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let fd = listener
    let bound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(fd, $0, size) == 0 && listen(fd, 8) == 0 && getsockname(fd, $0, &size) == 0
      }
    }
    guard bound else { throw Failure() }
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit {
    closeClients()
    if listener >= 0 { close(listener) }
  }

  /// Whether a client waits to be accepted.
  public var isAwaited: Bool {
    var poller = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    return poll(&poller, 1, 0) == 1
  }

  /// Waits for the next client.
  public func accept() throws {
    var poller = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    guard poll(&poller, 1, 60_000) == 1 else { throw Failure() }
    let client = Glibc.accept(listener, nil, nil)
    guard client >= 0 else { throw Failure() }
    clients.append(client)
  }

  /// Sends `text` to the last client.
  public func say(_ text: String) {
    guard let client = clients.last else { return }
    let bytes = Array(text.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes[sent...].withUnsafeBytes {
        send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      sent += count
    }
  }

  /// What the last client has said so far.
  public func heard() -> String {
    guard let client = clients.last else { return "" }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  public func closeClients() {
    for client in clients { close(client) }
    clients = []
  }

  /// Nobody listens any more.
  public func stop() {
    closeClients()
    close(listener)
    listener = -1
  }
}
