import EventLoop
import Foundation
import Testing

/// A TCP server on the loopback that says what the test has it say: for faults that no gpsd makes.
final class ScriptedServer {
  let port: UInt16
  private var listener: Int32
  private(set) var clients: [Int32] = []

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    try #require(listener >= 0)
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
    try #require(bound)
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit {
    closeClients()
    if listener >= 0 { close(listener) }
  }

  /// Whether a client waits to be accepted.
  var isAwaited: Bool {
    var poller = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    return poll(&poller, 1, 0) == 1
  }

  /// Waits for the next client.
  func accept() throws {
    var poller = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    try #require(poll(&poller, 1, 60_000) == 1)
    let client = Glibc.accept(listener, nil, nil)
    try #require(client >= 0)
    clients.append(client)
  }

  /// Sends `text` to the last client.
  func say(_ text: String) {
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
  func heard() -> String {
    guard let client = clients.last else { return "" }
    var bytes = [UInt8](repeating: 0, count: 4096)
    let count = recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    return String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self)
  }

  func closeClients() {
    for client in clients { close(client) }
    clients = []
  }

  /// Nobody listens any more.
  func stop() {
    closeClients()
    close(listener)
    listener = -1
  }
}

extension EventLoop {
  /// Runs until `condition` holds; false after ten minutes.
  func run(until condition: () -> Bool) -> Bool {
    let end = EventLoop.now() + 600_000_000_000
    while !condition() {
      if EventLoop.now() > end { return false }
      runOnce(timeout: 20_000_000)
    }
    return true
  }
}
