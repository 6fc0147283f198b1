import Foundation
import Glibc
import Synchronization
import TestSupport

/// A provider whose answers a test writes.
final class ScriptedProvider: Sendable {
  static let greeting = "waypost-tiles 1\nmin_zoom 1\nmax_zoom 5\n\n"

  let path: String
  private let listener: Int32
  private let shared = Shared()

  /// What the threads share with the test.
  private final class Shared: Sendable {
    let heard = Mutex<[String]>([])
    let clients = Mutex<Set<Int32>>([])

    func serve(_ client: Int32, _ answer: ([String]) -> [UInt8]?) {
      var input: [UInt8] = []
      var chunk = [UInt8](repeating: 0, count: 4096)
      while true {
        let count = read(client, &chunk, chunk.count)
        guard count > 0 else { break }
        input += chunk[..<count]
        while let end = input.firstIndex(of: 10) {
          let line = String(decoding: input[..<end], as: UTF8.self)
          input.removeSubrange(...end)
          heard.withLock { $0.append(line) }
          if let bytes = answer(line.split(separator: " ").map(String.init)) {
            ScriptedProvider.send(client, bytes)
          }
        }
      }
      clients.withLock { clients in
        clients.remove(client)
        close(client)
      }
    }
  }

  /// Listens at `path`. Each connection gets `greeting`, then what `answer` gives for each line.
  init(
    _ path: String, greeting: String = ScriptedProvider.greeting,
    answer: @escaping @Sendable (_ words: [String]) -> [UInt8]?
  ) {
    self.path = path
    listener = ScriptedProvider.listen(path)
    Thread.detachNewThread { [shared, listener] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0 else { break }
        shared.clients.withLock { _ = $0.insert(client) }
        ScriptedProvider.send(client, Array(greeting.utf8))
        Thread.detachNewThread { shared.serve(client, answer) }
      }
      close(listener)
    }
  }

  deinit { end() }

  /// The requests so far.
  var requests: [String] { shared.heard.withLock { $0 } }

  /// Closes all connections.
  func hangUp() {
    shared.clients.withLock { clients in
      for client in clients { shutdown(client, Int32(SHUT_RDWR)) }
    }
  }

  /// Sends `bytes` on all connections.
  func say(_ bytes: [UInt8]) {
    shared.clients.withLock { clients in
      for client in clients { ScriptedProvider.send(client, bytes) }
    }
  }

  /// Ends as a program does that is killed: its socket stays. Call it once.
  func end() {
    shutdown(listener, Int32(SHUT_RDWR))
    hangUp()
  }

  private static func listen(_ path: String) -> Int32 {
    let fd = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix(107)) }
    let bound = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(fd, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    precondition(bound == 0 && Glibc.listen(fd, 16) == 0, "cannot listen at \(path)")
    return fd
  }

  fileprivate static func send(_ fd: Int32, _ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(fd, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }
}
