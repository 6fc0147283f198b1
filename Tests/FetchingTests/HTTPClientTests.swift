import Glibc
import TestSupport
import Testing

@testable import Fetching

private let hasLibrary = HTTPClient.curlVersion.contains("libcurl/")

/// Requests to a server on the loopback.
@Suite(.enabled(if: hasLibrary, "skipped: libcurl is not installed"))
struct HTTPClientTests {
  private func client(_ connections: Int = 2) throws -> HTTPClient {
    // A proxy of the environment knows nothing of this computer.
    setenv("no_proxy", "127.0.0.1", 1)
    return try #require(HTTPClient(connections: connections))
  }

  private func request(_ address: String) -> HTTPRequest {
    HTTPRequest(url: address, userAgent: UserAgent.text(contact: "maps@example.org"))
  }

  /// The results of all requests under way, by number.
  private func results(_ client: HTTPClient) throws -> [Int: HTTPResult] {
    var results: [Int: HTTPResult] = [:]
    var none: [pollfd] = []
    while client.count > 0 {
      try #require(client.wait(&none, milliseconds: 1000))
      while let result = client.next() { results[result.id] = result }
    }
    return results
  }

  private func result(
    of reply: HTTPServer.Reply, _ change: (inout HTTPRequest) -> Void = { _ in }
  ) throws -> (HTTPResult, HTTPServer.Request) {
    let server = try HTTPServer { _, _ in reply }
    let client = try client()
    var request = request(server.address + "/1/2/3.png")
    change(&request)
    #expect(client.begin(request, id: 7) && client.isUnderWay(7))
    let result = try #require(try results(client)[7])
    return (result, try #require(server.requests.first))
  }

  @Test func anAnswerComesWithItsHead() throws {
    let (result, request) = try result(
      of: .init([1, 2, 3], lines: ["ETag: \"x\"", "Cache-Control: max-age=60"])
    ) {
      $0.etag = "\"old\""
      $0.headers = ["X-Key: secret", "X-Other: 2"]
    }
    #expect(result.failure == nil && result.body == [1, 2, 3] && result.head.etag == "\"x\"")
    #expect(result.head.freshness(now: 0) == 60)
    #expect(result.address.hasSuffix("/1/2/3.png"))
    #expect(request.path == "/1/2/3.png" && request.headers["if-none-match"] == "\"old\"")
    #expect(request.headers["x-key"] == "secret" && request.headers["x-other"] == "2")
    #expect(request.headers["user-agent"]?.contains("maps@example.org") == true)
    #expect(request.headers["range"] == nil)
  }

  @Test func aStatusThatSaysNoIsAWholeAnswerWithoutABody() throws {
    let (busy, _) = try result(of: .init(status: 429, [1, 2], lines: ["Retry-After: 12"]))
    #expect(busy.failure == nil && busy.head.status == 429 && busy.body.isEmpty)
    #expect(busy.retryAfter == 12)
    let (same, _) = try result(of: .init(status: 304, lines: ["ETag: \"x\""]))
    #expect(same.failure == nil && same.head.status == 304 && same.head.etag == "\"x\"")
  }

  @Test func whatDoesNotComeWholeIsAFailure() throws {
    var cut = HTTPServer.Reply([UInt8](repeating: 1, count: 1000))
    cut.cut = 500
    let (half, _) = try result(of: cut)
    #expect(half.failure?.kind == .broken && half.failure?.canRetry == true && half.body.isEmpty)
    let (none, _) = try result(of: .drop)
    #expect(none.failure?.canRetry == true && none.head.status == 0)
    let (large, _) = try result(of: .init([UInt8](repeating: 1, count: 1000))) {
      $0.limits.bodyBytes = 999
    }
    #expect(large.failure?.kind == .bodyTooLong)
    let (unwanted, _) = try result(of: .init([1])) { $0.wantsBody = { _ in false } }
    #expect(unwanted.failure?.kind == .bodyUnwanted && unwanted.head.contentLength == 1)
    let lines = [String](repeating: "X-Line: 1", count: 1001)
    let (endless, _) = try result(of: .init([1], lines: lines))
    #expect(endless.failure?.kind == .headTooLong)
    var late = HTTPServer.Reply([1])
    late.delay = 1.5
    // The server is there.
    let (slow, _) = try result(of: late) { $0.limits.totalSeconds = 1 }
    #expect(slow.failure?.kind == .broken && slow.failure?.canRetry == true)
  }

  @Test func nobodyThereIsToldFromABrokenConnection() throws {
    let server = try HTTPServer { _, _ in .drop }
    let client = try client()
    // A port that was free a moment ago, bound and not listened to.
    let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(socket) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) { place in
      place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        _ = bind(socket, $0, length)
        _ = getsockname(socket, $0, &length)
      }
    }
    let port = UInt16(bigEndian: address.sin_port)
    #expect(client.begin(request("http://127.0.0.1:\(port)/"), id: 1))
    #expect(client.begin(request(server.address), id: 2))
    #expect(client.begin(request("ftp://127.0.0.1/"), id: 3))
    let results = try results(client)
    #expect(results[1]?.failure?.kind == .unreachable)
    #expect(results[2]?.failure?.kind == .broken)
    #expect(results[3]?.failure?.kind == .lasting)
  }

  @Test func noMoreConnectionsAreOpenedThanAllowed() throws {
    let server = try HTTPServer { _, _ in
      var reply = HTTPServer.Reply([1])
      reply.delay = 0.02
      return reply
    }
    let client = try client(2)
    for id in 0..<12 { #expect(client.begin(request(server.address + "/\(id)"), id: id)) }
    let again = client.begin(request(server.address), id: 3)
    #expect(!again)
    let results = try results(client)
    #expect(results.count == 12 && results.values.allSatisfy { $0.failure == nil })
    #expect(server.mostAtOnce == 2)
  }

  @Test func aCancelledRequestHasNoResult() throws {
    let server = try HTTPServer { _, request in
      var reply = HTTPServer.Reply([1])
      reply.delay = request.path == "/slow" ? 0.3 : 0
      return reply
    }
    let client = try client()
    #expect(client.begin(request(server.address + "/slow"), id: 1))
    #expect(client.begin(request(server.address + "/fast"), id: 2))
    client.cancel(1)
    let results = try results(client)
    #expect(results.keys.sorted() == [2])
    // One under way goes with its client.
    #expect(client.begin(request(server.address + "/slow"), id: 1))
  }

  @Test func descriptorsAreToldFromEachOther() throws {
    let client = try client()
    var (one, other): ([Int32], [Int32]) = ([0, 0], [0, 0])
    #expect(pipe(&one) == 0 && pipe(&other) == 0)
    defer { for end in [one[0], other[0], other[1]] { close(end) } }
    func wait(_ milliseconds: Int) throws -> [Int16] {
      var polled = [
        pollfd(fd: one[0], events: Int16(POLLIN), revents: 0),
        pollfd(fd: other[0], events: Int16(POLLIN), revents: 0),
      ]
      try #require(client.wait(&polled, milliseconds: milliseconds))
      return polled.map(\.revents)
    }
    #expect(try wait(0) == [0, 0])
    #expect(write(other[1], "x", 1) == 1)
    #expect(try wait(10_000) == [0, Int16(POLLIN)])
    // The end of the other side is an event as well.
    close(one[1])
    let events = try wait(10_000)
    #expect(events[0] & Int16(POLLHUP) != 0)
  }
}
