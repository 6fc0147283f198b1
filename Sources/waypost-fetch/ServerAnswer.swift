import Fetching
import Glibc
import RangeWire

/// What a server's answer says of a tile.
enum ServerAnswer {
  /// Statuses that say that there is no such tile.
  private static let absent: Set<Int> = [204, 404, 410]
  /// The Content-Encodings of tiles (RFC 9110, section 8.4.1; RFC 7932; RFC 9659).
  private static let encodings: Set<String> = ["gzip", "x-gzip", "zstd", "br"]
  /// Seconds to wait for a server that limits requests and does not say for how long.
  private static let usualWait = 5

  /// Why `address` must not be requested; nil: it may be.
  static func refusal(ofAddress address: String) -> String? {
    guard let host = TileServerPolicy.host(of: address) else {
      return "the address has no host that can be read: https://HOST/{z}/{x}/{y}.png"
    }
    return TileServerPolicy.refusal(host: host)
  }

  /// Whether a redirection may be followed.
  ///
  /// - Parameters:
  ///   - location: where it leads.
  ///   - host: it has to stay there; nil: it may go where tiles may be fetched.
  /// - Returns: whether it may.
  static func mayFollow(_ location: String, within host: String?) -> Bool {
    let address = completed(location)
    // Byte by byte, as libcurl reads it.
    let start = address.utf8.prefix { !"/?#".utf8.contains($0) }
    // A relative address stays on the same host.
    guard start.contains(UInt8(ascii: ":")) else { return true }
    guard let other = TileServerPolicy.host(of: address) else { return false }
    return TileServerPolicy.refusal(host: other) == nil && (host == nil || host == other)
  }

  /// Completes "//host/path", which has the scheme of what it was asked with. Only the host is
  /// looked at, so any scheme will do.
  private static func completed(_ location: String) -> String {
    location.utf8.starts(with: "//".utf8) ? "https:\(location)" : location
  }

  static func never(_ number: Int, _ reason: String) -> TileReply {
    .fault(number: number, canRetry: false, seconds: 0, reason: reason)
  }

  /// The reply to what came of a request. Its bytes are the result's body.
  static func reply(to result: HTTPResult) -> TileReply {
    let head = result.head
    if result.failure?.kind == .redirectionUnwanted, head.status < 400 {
      let leads = head.location.flatMap { TileServerPolicy.host(of: completed($0)) }
      return never(
        result.id,
        leads.flatMap { TileServerPolicy.refusal(host: $0) }
          ?? "leads to \(leads ?? "another place"), where tiles are not asked for: headers go to "
          + "the host of the address alone; give the address that it leads to")
    }
    func fault(_ reason: String, canRetry: Bool, isAnswer: Bool = false) -> TileReply {
      .fault(
        number: result.id, canRetry: canRetry, seconds: 0, reason: reason, isAnswer: isAnswer)
    }
    if absent.contains(head.status) { return .none(number: result.id) }
    if head.status >= 400 {
      return .fault(
        number: result.id, canRetry: ServerFault.passes(status: head.status),
        seconds: result.retryAfter ?? (head.status == 429 ? usualWait : 0),
        reason: ServerFault.text(status: head.status),
        // These two statuses concern the server, not the tile.
        isAnswer: head.status != 429 && head.status != 503)
    }
    switch result.failure?.kind {
    case .headTooLong: return fault("answers with a header that does not end", canRetry: false)
    case .bodyTooLong:
      return fault("sends more than \(TileReply.mostBytes) bytes for a tile", canRetry: false)
    case nil, .bodyUnwanted: break
    default:
      return fault(
        result.failure.map { ServerFault.text(of: $0) } ?? "",
        canRetry: result.failure?.canRetry == true)
    }
    let fresh = head.freshness(now: time(nil))
    if head.status == 304 { return .same(number: result.id, fresh: fresh) }
    guard head.status == 200 else {
      return fault("answers with the status \(head.status) instead of a tile", canRetry: false)
    }
    // Tiles are stored as received, and unpacked where they are read.
    if let encoding = head.encoding, !encodings.contains(encoding.lowercased()) {
      return fault(
        "answers in the encoding \(encoding), which is not read: gzip, zstd and br are",
        canRetry: false)
    }
    guard !result.body.isEmpty else {
      // On a vector map, an empty answer means a tile without features.
      return head.contentType?.contains("protobuf") == true
        || head.contentType?.contains("vector-tile") == true
        ? .none(number: result.id)
        : fault("sends a tile without bytes", canRetry: true, isAnswer: true)
    }
    return .tile(
      number: result.id, count: result.body.count, fresh: fresh, etag: head.etag ?? "")
  }
}
