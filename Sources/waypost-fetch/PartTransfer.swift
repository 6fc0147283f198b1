import Fetching
import RangeWire
import TileServing

/// A question for a part of a file, as a request and as what came of it.
struct PartTransfer: Sendable {
  private let transfer: RangeTransfer

  /// Nil if `question` has no range.
  init?(_ question: FetchQuestion) {
    guard let range = question.range, range.upperBound - range.lowerBound < UInt64(Int32.max) else {
      return nil
    }
    transfer = RangeTransfer(
      RangeQuestion(
        number: 0, offset: range.lowerBound, count: Int(range.upperBound - range.lowerBound) + 1))
  }

  /// Asks for the part, and for no byte more.
  func limit(_ request: inout HTTPRequest) {
    let part = transfer.request(request.url, userAgent: request.userAgent)
    (request.range, request.wantsBody) = (part.range, part.wantsBody)
    request.limits.bodyBytes = part.limits.bodyBytes
  }

  /// What came of the request.
  func outcome(_ result: HTTPResult) -> FetchOutcome {
    let head = result.head
    switch (head.status, result.failure?.kind) {
    case (200, nil), (206, nil), (200, .bodyUnwanted), (206, .bodyUnwanted):
      switch transfer.reply(result) {
      case .bytes(_, _, let size, let identity):
        return .part(
          FetchOutcome.Part(
            bytes: result.body, size: size, identity: identity, terms: NetworkFetcher.terms(head)))
      case .fault(_, _, _, let reason): return .broken(reason)
      }
    case (200, .bodyTooLong), (206, .bodyTooLong):
      return .broken("sends more bytes than it was asked for")
    case (0, _), (200, _), (206, _):
      return result.failure.map(NetworkFetcher.outcome) ?? .cut("the server said nothing")
    default: return .refused(status: head.status, retryAfter: result.retryAfter)
    }
  }
}
