import TestSupport

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

  private let server: HTTPServer

  /// - Parameters:
  ///   - port: 0 for any.
  ///   - act: answers a request.
  init(port: UInt16 = 0, act: @escaping @Sendable (Request) -> Answer) throws {
    server = try HTTPServer(port: port) { _, request in
      let answer = act(Request(request))
      let missing = [UInt8](repeating: 0, count: answer.missing)
      var reply = HTTPServer.Reply(
        status: answer.status, answer.body + missing, lines: answer.lines)
      if answer.missing > 0 { reply.cut = answer.body.count }
      reply.hangs = answer.hangs
      // One request a connection, so that a stopped server answers nothing more.
      reply.closes = true
      return reply
    }
  }

  var port: UInt16 { server.port }

  /// Nobody listens any more.
  func stop() { server.stop() }

  /// All requests so far.
  var requests: [Request] { server.requests.map { Request($0) } }

  /// The paths of the requests so far.
  var paths: [String] { requests.map(\.path) }
}

extension TileServer.Request {
  fileprivate init(_ request: HTTPServer.Request) {
    (path, header) = (request.path, request.headers)
  }
}
