import Fetching
import Glibc
import RangeWire
import TileFormats
import TileServing

/// Asks servers for tiles and parts of archives, over libcurl.
final class NetworkFetcher: ServerFetcher {
  /// Connections to all servers together.
  private static let connections = 16
  /// Connections to one server, as a considerate client limits them.
  private static let connectionsPerHost = 2
  /// Timeouts in seconds: `connect` covers name resolution, connection and TLS; `slow` is the
  /// longest time without progress afterwards, because some servers render a tile on its first
  /// request.
  private static let patience = (connect: 3, slow: 15)
  /// Seconds for a tile: the map waits for 30.
  private static let longest = 25
  private static let largestTile = 4 << 20

  /// Called for each question.
  var onAsk: (() -> Void)?

  private let client: HTTPClient
  private let userAgent: String
  private var answers: [Int: (HTTPResult) -> Void] = [:]
  private var last = 0
  /// Questions that could not be begun.
  private var unasked: [(FetchOutcome) -> Void] = []

  /// Nil where libcurl is not there.
  init?(userAgent: String) {
    let client = HTTPClient(
      connections: NetworkFetcher.connections, perHost: NetworkFetcher.connectionsPerHost)
    guard let client else { return nil }
    self.client = client
    self.userAgent = userAgent
  }

  func ask(_ question: FetchQuestion, _ answer: @escaping (FetchOutcome) -> Void) {
    onAsk?()
    var request = HTTPRequest(url: question.address, userAgent: userAgent)
    request.headers = question.headers
    if !question.tag.isEmpty {
      request.etag = question.tag
    } else if !question.modified.isEmpty {
      request.headers.append("If-Modified-Since: \(question.modified)")
    }
    request.limits.connectSeconds = NetworkFetcher.patience.connect
    request.limits.leastBytes = 1
    request.limits.slowSeconds = NetworkFetcher.patience.slow
    request.limits.totalSeconds = NetworkFetcher.longest
    request.limits.bodyBytes = NetworkFetcher.largestTile
    request.wantsBody = { $0.status == 200 }
    let part = PartTransfer(question)
    part?.limit(&request)
    // Headers may be secret, so they go only to the host that they are for.
    if !question.headers.isEmpty {
      let host = TileServerPolicy.host(of: question.address) ?? ""
      request.wantsRedirection = { ServerAnswer.mayFollow($0, within: host) }
    }
    last += 1
    if client.begin(request, id: last) {
      answers[last] = { answer(part?.outcome($0) ?? NetworkFetcher.outcome($0)) }
    } else {
      unasked.append(answer)
    }
  }

  /// Waits for the network or `descriptor`, and delivers the answers that have arrived.
  ///
  /// - Parameters:
  ///   - descriptor: also ends the wait when it is readable.
  ///   - mayWait: false: delivers only what has already arrived.
  /// - Returns: False if libcurl gave up.
  func run(beside descriptor: Int32, mayWait: Bool) -> Bool {
    var others = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
    // Wake up now and then for libcurl's own timers.
    let wait = unasked.isEmpty && mayWait ? (client.count == 0 ? 3_600_000 : 1000) : 0
    guard client.wait(&others, milliseconds: wait) else { return false }
    while let result = client.next() {
      answers.removeValue(forKey: result.id)?(result)
    }
    let failed = unasked
    unasked = []
    for answer in failed { answer(.broken("cannot be asked for: is the url right?")) }
    return true
  }

  // MARK: Answers

  private static func outcome(_ result: HTTPResult) -> FetchOutcome {
    let head = result.head
    switch head.status {
    case 200: return result.failure.map(outcome) ?? outcome(of: result.body, head)
    case 204, 404, 410: return .absent(terms(head))
    case 304: return .unchanged(terms(head))
    case 0: return result.failure.map(outcome) ?? .cut("the server said nothing")
    default: return .refused(status: head.status, retryAfter: result.retryAfter)
    }
  }

  static func outcome(_ failure: HTTPFailure) -> FetchOutcome {
    switch failure.kind {
    case .unreachable, .lasting: .unreachable(failure.text)
    case .untrusted:
      .unreachable("\(failure.text) (ca-certificates has those that are trusted)")
    case .redirectionUnwanted:
      .broken("leads to another place, and headers go to the host of the address alone")
    case .broken: .cut(failure.text)
    case .headTooLong, .bodyUnwanted: .broken(failure.text)
    case .bodyTooLong: .broken("sends more than \(largestTile >> 20) MiB for a tile")
    }
  }

  private static func outcome(of body: [UInt8], _ head: HTTPHead) -> FetchOutcome {
    let format = TileFormat(sniffing: body)
    if format == .empty { return .empty(terms(head)) }
    guard PictureEnd.isThere(body, format) else {
      return .broken("sends a picture without its end")
    }
    if format.isDrawn || format == .mvt { return .tile(body, terms(head)) }
    let type = head.contentType ?? ""
    // Brotli data have no signature; the map recognises them by what they unpack to.
    let isBrotli = format == .unknown && head.encoding?.lowercased() == "br"
    if format == .gzip || format == .zstd || isBrotli,
      type.contains("vector-tile") || type.contains("protobuf")
    {
      return .tile(body, terms(head))
    }
    if format.isMapTile || format == .gzip || format == .zstd {
      return .broken("sends \(format.refusal ?? format.rawValue)")
    }
    return .broken(
      format == .html
        ? "sends a web page instead of a tile: does its network want a login?"
        : "sends something else than a tile (\(head.contentType ?? format.rawValue))")
  }

  static func terms(_ head: HTTPHead) -> FetchOutcome.Terms {
    var terms = FetchOutcome.Terms()
    terms.tag = head.etag ?? ""
    terms.modified = head.lastModified ?? ""
    terms.lifetime = head.freshness(now: Int(time(nil)))
    terms.mayStore = !head.forbidsStoring
    return terms
  }
}
