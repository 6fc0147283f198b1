import Foundation
import Glibc
import Synchronization

/// An http server on the loopback that answers as a test says, wrongly too.
public final class HTTPServer: Sendable {
  /// A request as it came.
  public struct Request: Sendable {
    public var path: String
    /// By name, in lower case.
    public var headers: [String: String]
  }

  /// What is answered.
  public struct Reply: Sendable {
    /// 0: nothing; the connection ends.
    public var status = 200
    /// Lines of the header beside the length.
    public var lines: [String] = []
    public var body: [UInt8] = []
    /// So many bytes of the body are sent; the connection ends then. Nil: all.
    public var cut: Int?
    /// Seconds before the first byte.
    public var delay = 0.0
    /// No Content-Length: the end of the connection is that of the body.
    public var hasNoLength = false
    /// The connection ends after the answer.
    public var closes = false
    /// Nothing comes before the other end gives up.
    public var hangs = false
    /// Sent in place of an answer of HTTP; the connection ends then.
    public var noise: [UInt8]?

    public init(status: Int = 200, _ body: [UInt8] = [], lines: [String] = []) {
      (self.status, self.body, self.lines) = (status, body, lines)
    }

    /// The connection ends without an answer.
    public static let drop = Reply(status: 0)
  }

  /// A request and what became of it.
  public struct Answered: Sendable {
    public var request: Request
    public var status: Int
    /// The whole answer was sent.
    public var isWhole: Bool
  }

  private struct State {
    var requests: [Request] = []
    var answered: [Answered] = []
    var atOnce = 0
    var mostAtOnce = 0
    var respond: @Sendable (Int, Request) -> Reply
  }

  public struct NoPort: Error {}

  public let port: UInt16
  /// A socket on the port, which is kept from others until this object goes.
  private let listener: Mutex<(fd: Int32, isOpen: Bool)>
  private let state: Mutex<State>

  /// - Parameters:
  ///   - port: 0 for any.
  ///   - respond: the reply to a request that is the so manieth, from 0 on.
  public init(port: UInt16 = 0, _ respond: @escaping @Sendable (Int, Request) -> Reply) throws {
    state = Mutex(State(respond: respond))
    let (listener, bound) = Self.socket(on: port)
    self.listener = Mutex((listener, true))
    guard let bound, listen(listener, 64) == 0 else { throw NoPort() }
    self.port = bound
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

  deinit {
    stop()
    Glibc.close(listener.withLock { $0.fd })
  }

  /// Nobody listens any more, and connections are refused. Those that are open stay. Another server
  /// may be made on the port.
  public func stop() {
    listener.withLock { listener in
      if !listener.isOpen { return }
      shutdown(listener.fd, Int32(SHUT_RDWR))
      Glibc.close(listener.fd)
      listener = (Self.socket(on: port).fd, false)
    }
  }

  /// A socket of the loopback that does not listen, and its port; nil if that is taken.
  private static func socket(on port: UInt16) -> (fd: Int32, port: UInt16?) {
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let fd = Glibc.socket(AF_INET, kind, 0)
    var yes: Int32 = 1
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(fd, $0, length) == 0 && getsockname(fd, $0, &length) == 0
      }
    }
    return (fd, isBound ? UInt16(bigEndian: address.sin_port) : nil)
  }

  /// "http://127.0.0.1:PORT".
  public var address: String { "http://127.0.0.1:\(port)" }
  /// All requests so far.
  public var requests: [Request] { state.withLock { $0.requests } }
  /// All that were answered, in the order of the ends of the answers.
  public var answered: [Answered] { state.withLock { $0.answered } }
  /// How many those are.
  public var answeredCount: Int { state.withLock { $0.answered.count } }
  /// The most that were under way at the same time.
  public var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

  /// Answers otherwise from now on.
  public func change(_ respond: @escaping @Sendable (Int, Request) -> Reply) {
    state.withLock { $0.respond = respond }
  }

  // MARK: A connection

  private func serve(_ connection: Int32) {
    defer {
      // A program that a test starts may have it open as well.
      shutdown(connection, Int32(SHUT_RDWR))
      Glibc.close(connection)
    }
    var rest: [UInt8] = []
    while let request = HTTPServer.read(connection, &rest) {
      let (respond, number) = state.withLock { state in
        state.requests.append(request)
        state.atOnce += 1
        state.mostAtOnce = max(state.mostAtOnce, state.atOnce)
        return (state.respond, state.requests.count - 1)
      }
      let reply = respond(number, request)
      if reply.delay > 0 { usleep(UInt32(reply.delay * 1e6)) }
      // Before the last byte: after it the next request may come on another connection.
      let end = { self.state.withLock { $0.atOnce -= 1 } }
      let isWhole = HTTPServer.answer(reply, connection, end)
      state.withLock { state in
        state.answered.append(
          Answered(request: request, status: reply.status, isWhole: isWhole))
      }
      if !isWhole || reply.hasNoLength || reply.closes { return }
    }
  }

  private static func read(_ connection: Int32, _ rest: inout [UInt8]) -> Request? {
    let end = Data("\r\n\r\n".utf8)
    while true {
      if let last = Data(rest).range(of: end) {
        let text = String(decoding: rest[..<last.lowerBound], as: UTF8.self)
        rest.removeSubrange(..<last.upperBound)
        return parse(text)
      }
      var chunk = [UInt8](repeating: 0, count: 4096)
      let count = recv(connection, &chunk, chunk.count, 0)
      guard count > 0, rest.count < 65536 else { return nil }
      rest += chunk[..<count]
    }
  }

  private static func parse(_ text: String) -> Request {
    let lines = text.components(separatedBy: "\r\n")
    let path = lines[0].split(separator: " ").dropFirst().first.map { String($0) } ?? ""
    var request = Request(path: path, headers: [:])
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      request.headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
    }
    return request
  }

  /// - Parameter end: is called before the last byte.
  /// - Returns: whether all of it was sent.
  private static func answer(_ reply: Reply, _ connection: Int32, _ end: () -> Void) -> Bool {
    guard reply.status > 0, !reply.hangs, reply.noise == nil else {
      end()
      if reply.hangs { wait(for: connection) }
      if let noise = reply.noise { _ = send(connection, noise) }
      return false
    }
    var lines = ["HTTP/1.1 \(reply.status) Status"] + reply.lines
    if reply.hasNoLength || reply.closes { lines.append("Connection: close") }
    if !reply.hasNoLength, reply.status != 304, reply.status != 204 {
      lines.append("Content-Length: \(reply.body.count)")
    }
    let head = Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    let body = reply.cut.map { Array(reply.body.prefix($0)) } ?? reply.body
    let bytes = head + body
    let isSent = send(connection, Array(bytes.dropLast()))
    end()
    return isSent && send(connection, Array(bytes.suffix(1))) && reply.cut == nil
  }

  /// Waits until the other end closes.
  private static func wait(for connection: Int32) {
    var chunk = [UInt8](repeating: 0, count: 100)
    while recv(connection, &chunk, chunk.count, 0) > 0 {}
  }

  private static func send(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes { raw in
        Glibc.send(
          connection, raw.baseAddress.map { $0 + done }, raw.count - done,
          Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      done += count
    }
    return true
  }
}
