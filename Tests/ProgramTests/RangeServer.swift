import Synchronization
import TestSupport

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
    /// Refused until a second later, and another file from now on.
    case replace(by: [UInt8], tag: String)
  }

  /// A request as it came.
  struct Request: Equatable, Sendable {
    var path: String
    /// Nil where none was asked for.
    var range: ClosedRange<Int>?
    var userAgent: String
  }

  fileprivate struct File {
    var bytes: [UInt8]
    var tag: String?
  }

  /// The file, as both the server and a test reach it.
  private final class Shelf: Sendable {
    let file: Mutex<File>
    init(_ file: File) { self.file = Mutex(file) }
  }

  private let shelf: Shelf
  private let server: HTTPServer

  /// - Parameters:
  ///   - bytes: the file.
  ///   - tag: its ETag; nil: none is said.
  ///   - act: what is done with a request that is the so manieth, from 0 on.
  init(
    _ bytes: [UInt8], tag: String? = "\"1\"",
    act: @escaping @Sendable (Int, Request) -> Act = { _, _ in .serve }
  ) throws {
    let shelf = Shelf(File(bytes: bytes, tag: tag))
    self.shelf = shelf
    server = try HTTPServer { number, request in
      let request = Request(request)
      let act = act(number, request)
      return shelf.file.withLock { file in
        defer { if case .replace(let bytes, let tag) = act { file = File(bytes: bytes, tag: tag) } }
        return file.reply(to: request, act)
      }
    }
  }

  var port: UInt16 { server.port }
  var address: String { "\(server.address)/map.pmtiles" }
  /// All requests so far.
  var requests: [Request] { server.requests.map { Request($0) } }
  /// The most that were under way at the same time.
  var mostAtOnce: Int { server.mostAtOnce }
}

extension RangeServer.Request {
  fileprivate init(_ request: HTTPServer.Request) {
    path = request.path
    userAgent = request.headers["user-agent"] ?? ""
    let value = request.headers["range"] ?? ""
    let ends = value.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) }
    range = ends.count == 2 ? ends[0]...ends[1] : nil
  }
}

extension RangeServer.File {
  fileprivate func reply(
    to request: RangeServer.Request, _ act: RangeServer.Act
  ) -> HTTPServer.Reply {
    let tagLine = tag.map { ["ETag: \($0)"] } ?? []
    func part(_ range: ClosedRange<Int>, _ more: [String] = []) -> HTTPServer.Reply {
      let range = range.clamped(to: 0...(bytes.count - 1))
      let line = "Content-Range: bytes \(range.lowerBound)-\(range.upperBound)/\(bytes.count)"
      return HTTPServer.Reply(status: 206, Array(bytes[range]), lines: [line] + more + tagLine)
    }
    guard let range = request.range, range.lowerBound < bytes.count else {
      return HTTPServer.Reply(
        status: 416, lines: ["Content-Range: bytes */\(bytes.count)"] + tagLine)
    }
    switch act {
    case .serve: return part(range)
    case .drop: return .drop
    case .truncate:
      var reply = part(range)
      reply.cut = max(0, reply.body.count - range.count / 2 - 1)
      return reply
    case .status(let status, let lines):
      return HTTPServer.Reply(
        status: status, Array("<html>no</html>".utf8), lines: lines + tagLine)
    case .whole: return HTTPServer.Reply(bytes, lines: tagLine)
    case .shifted: return part((range.lowerBound + 1)...(range.upperBound + 1))
    case .tooMany: return part(range.lowerBound...(range.upperBound + 1))
    case .noise:
      var reply = HTTPServer.Reply()
      reply.noise = Array("SSH-2.0-OpenSSH\r\n".utf8)
      return reply
    case .line(let line): return part(range, [line])
    case .replace:
      return HTTPServer.Reply(
        status: 503, Array("<html>no</html>".utf8), lines: ["Retry-After: 1"] + tagLine)
    }
  }
}
