import Foundation
import Glibc
import Synchronization
import Testing

/// An http server on the loopback with one file, which answers requests for parts of it, and
/// misbehaves where a test says so.
final class RangeServer: Sendable {
  /// What is done with a request.
  enum Act: Sendable {
    /// As it should be.
    case serve
    /// No answer: the connection ends.
    case drop
    /// The connection ends in the middle of the body.
    case truncate
    /// Another status, with further lines of the header, and a page.
    case status(Int, lines: [String] = [])
    /// The whole file, with 200.
    case whole
    /// The bytes after those that were asked for.
    case shifted
    /// More bytes than were asked for, with a header that says so.
    case tooMany
    /// Not an answer of HTTP.
    case noise
    /// The part, with one more line of the header.
    case line(String)
  }

  /// A request as it came.
  struct Request: Equatable, Sendable {
    var path: String
    /// Nil where none was asked for.
    var range: ClosedRange<Int>?
    var userAgent: String
  }

  private struct State {
    var bytes: [UInt8]
    var tag: String?
    var requests: [Request] = []
    var atOnce = 0
    var mostAtOnce = 0
    var act: @Sendable (Int, Request) -> Act
  }

  let port: UInt16
  private let listener: Int32
  private let state: Mutex<State>

  /// - Parameters:
  ///   - bytes: the file.
  ///   - tag: its ETag; nil: none is said.
  ///   - act: what is done with a request that is the so manieth, from 0 on.
  init(
    _ bytes: [UInt8], tag: String? = "\"1\"",
    act: @escaping @Sendable (Int, Request) -> Act = { _, _ in .serve }
  ) throws {
    state = Mutex(State(bytes: bytes, tag: tag, act: act))
    let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
    let listener = Glibc.socket(AF_INET, kind, 0)
    self.listener = listener
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(listener, $0, length) == 0 && listen(listener, 64) == 0
          && getsockname(listener, $0, &length) == 0
      }
    }
    try #require(isBound)
    port = UInt16(bigEndian: address.sin_port)
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
    shutdown(listener, Int32(SHUT_RDWR))
    Glibc.close(listener)
  }

  var address: String { "http://127.0.0.1:\(port)/map.pmtiles" }

  /// All requests so far.
  var requests: [Request] { state.withLock { $0.requests } }
  /// The most that were under way at the same time.
  var mostAtOnce: Int { state.withLock { $0.mostAtOnce } }

  /// Has another file from now on.
  func replace(_ bytes: [UInt8], tag: String?) {
    state.withLock { ($0.bytes, $0.tag) = (bytes, tag) }
  }

  // MARK: A connection

  private func serve(_ connection: Int32) {
    defer {
      // A program that another test starts may have it open as well.
      shutdown(connection, Int32(SHUT_RDWR))
      Glibc.close(connection)
    }
    var rest: [UInt8] = []
    while let request = RangeServer.read(connection, &rest) {
      let (act, bytes, tag) = state.withLock { state in
        state.requests.append(request)
        state.atOnce += 1
        state.mostAtOnce = max(state.mostAtOnce, state.atOnce)
        return (state.act(state.requests.count - 1, request), state.bytes, state.tag)
      }
      let goesOn = RangeServer.answer(request, connection, act, bytes, tag)
      state.withLock { $0.atOnce -= 1 }
      if !goesOn { return }
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
    var request = Request(path: "", range: nil, userAgent: "")
    request.path = lines[0].split(separator: " ").dropFirst().first.map { String($0) } ?? ""
    for line in lines.dropFirst() {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      let value = parts[1].trimmingCharacters(in: .whitespaces)
      switch parts[0].lowercased() {
      case "user-agent": request.userAgent = value
      case "range":
        let ends = value.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
        if ends.count == 2 { request.range = ends[0]...ends[1] }
      default: break
      }
    }
    return request
  }

  /// - Returns: whether the connection goes on.
  private static func answer(
    _ request: Request, _ connection: Int32, _ act: Act, _ bytes: [UInt8], _ tag: String?
  ) -> Bool {
    func head(_ status: Int, _ count: Int, _ more: [String]) -> [UInt8] {
      var lines = ["HTTP/1.1 \(status) Status", "Content-Length: \(count)"] + more
      if let tag { lines.append("ETag: \(tag)") }
      return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
    func part(_ range: ClosedRange<Int>, _ more: [String] = []) -> [UInt8] {
      let range = range.clamped(to: 0...(bytes.count - 1))
      let lines = ["Content-Range: bytes \(range.lowerBound)-\(range.upperBound)/\(bytes.count)"]
      return head(206, range.count, lines + more) + bytes[range]
    }
    let page = Array("<html>no</html>".utf8)
    guard let range = request.range, range.lowerBound < bytes.count else {
      return send(connection, head(416, 0, ["Content-Range: bytes */\(bytes.count)"]))
    }
    switch act {
    case .serve: return send(connection, part(range))
    case .drop: return false
    case .truncate:
      _ = send(connection, Array(part(range).dropLast(range.count / 2 + 1)))
      return false
    case .status(let status, let lines):
      return send(connection, head(status, page.count, lines) + page)
    case .whole: return send(connection, head(200, bytes.count, []) + bytes)
    case .shifted: return send(connection, part((range.lowerBound + 1)...(range.upperBound + 1)))
    case .tooMany: return send(connection, part(range.lowerBound...(range.upperBound + 1)))
    case .noise:
      _ = send(connection, Array("SSH-2.0-OpenSSH\r\n".utf8))
      return false
    case .line(let line): return send(connection, part(range, [line]))
    }
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
