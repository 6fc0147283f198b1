import Foundation
import Glibc
import Synchronization
import Testing

/// An http server on the loopback, whose answers a test makes.
final class TileServer: Sendable {
  /// A request as it came, the names of its header in lower case.
  struct Request: Sendable {
    var path: String
    var header: [String: String]
  }

  /// An answer.
  struct Answer: Sendable {
    var status = 200
    var lines: [String] = []
    var body: [UInt8] = []
    /// Bytes that are announced and do not come.
    var missing = 0
    /// Nothing comes before the other end gives up.
    var hangs = false
  }

  let port: UInt16
  private let listener: Mutex<Int32>
  private let log = Mutex<[Request]>([])
  private let act: @Sendable (Request) -> Answer

  /// - Parameters:
  ///   - port: 0 for any.
  ///   - act: answers a request.
  init(port: UInt16 = 0, act: @escaping @Sendable (Request) -> Answer) throws {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let listener = Glibc.socket(AF_INET, kind, 0)
    var yes: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    try #require(isBound)
    self.port = UInt16(bigEndian: address.sin_port)
    self.listener = Mutex(listener)
    self.act = act
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(listener, nil, nil)
        guard connection >= 0 else { return }
        guard let server = self else {
          Glibc.close(connection)
          return
        }
        Thread.detachNewThread { server.serve(connection) }
      }
    }
  }

  deinit { stop() }

  /// Nobody listens any more.
  func stop() {
    listener.withLock { listener in
      if listener < 0 { return }
      shutdown(listener, Int32(SHUT_RDWR))
      Glibc.close(listener)
      listener = -1
    }
  }

  /// All requests so far.
  var requests: [Request] { log.withLock { $0 } }

  /// The paths of the requests so far.
  var paths: [String] { requests.map(\.path) }

  private func serve(_ connection: Int32) {
    defer {
      shutdown(connection, Int32(SHUT_RDWR))
      Glibc.close(connection)
    }
    var rest: [UInt8] = []
    // One request a connection, so that a stopped server answers nothing more.
    guard let request = TileServer.read(connection, &rest) else { return }
    log.withLock { $0.append(request) }
    let answer = act(request)
    if answer.hangs {
      var chunk = [UInt8](repeating: 0, count: 100)
      while recv(connection, &chunk, chunk.count, 0) > 0 {}
      return
    }
    let lines =
      ["HTTP/1.1 \(answer.status) Status", "Connection: close"]
      + (answer.status == 304 ? [] : ["Content-Length: \(answer.body.count + answer.missing)"])
      + answer.lines
    let bytes = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8) + answer.body
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        Glibc.send(
          connection, raw.baseAddress.map { $0 + done }, raw.count - done, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return }
      done += count
    }
  }

  private static func read(_ connection: Int32, _ rest: inout [UInt8]) -> Request? {
    let end = Data("\r\n\r\n".utf8)
    while true {
      if let last = Data(rest).range(of: end) {
        let text = String(decoding: rest[..<last.lowerBound], as: UTF8.self)
        rest.removeSubrange(..<last.upperBound)
        let lines = text.components(separatedBy: "\r\n")
        var request = Request(path: "", header: [:])
        request.path = lines[0].split(separator: " ").dropFirst().first.map { String($0) } ?? ""
        for line in lines.dropFirst() {
          let parts = line.split(separator: ":", maxSplits: 1)
          guard parts.count == 2 else { continue }
          request.header[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        return request
      }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0, rest.count < 65536 else { return nil }
      rest += chunk[..<count]
    }
  }
}
