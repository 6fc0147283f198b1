import Fetching
import RangeWire

/// One question, as a request and as the reply to what came of it.
struct RangeTransfer {
  let question: RangeQuestion

  init(_ question: RangeQuestion) { self.question = question }

  /// The request for the bytes at `address`.
  func request(_ address: String, userAgent: String) -> HTTPRequest {
    var request = HTTPRequest(url: address, userAgent: userAgent)
    request.range = question.offset...(question.offset + UInt64(question.count) - 1)
    request.limits.bodyBytes = question.count
    request.wantsBody = { [question] in
      ($0.status == 200 || $0.status == 206) && RangeTransfer.fault(of: $0, question) == nil
    }
    return request
  }

  /// What is wrong with a successful answer; nil: nothing.
  private static func fault(
    of head: HTTPHead, _ question: RangeQuestion
  ) -> (reason: String, canRetry: Bool)? {
    if let encoding = head.encoding {
      return ("answers in the encoding \(encoding): the server may not compress this file", false)
    }
    if head.status == 200 {
      // A file that ends within the wanted bytes may come as a whole.
      guard let length = head.contentLength, question.offset == 0, length <= UInt64(question.count)
      else {
        return (
          "sends the whole file instead of a part: the server has to support range requests "
            + "(HTTP 206); or download the file, and name it", false
        )
      }
      return nil
    }
    guard let range = head.range else {
      return ("does not say which part of the file it sends (no Content-Range)", false)
    }
    let last = min(question.offset + UInt64(question.count), range.size) - 1
    guard range.first == question.offset, range.last == last else {
      return (
        "sends bytes \(range.first)-\(range.last) instead of \(question.offset)-\(last)", true
      )
    }
    return nil
  }

  /// The reply to a question whose request ended as `result` says. Its bytes are the result's body.
  func reply(_ result: HTTPResult) -> RangeReply {
    let head = result.head
    switch result.failure?.kind {
    case .headTooLong: return fault("answers with a header that does not end")
    case .bodyTooLong: return fault("sends more bytes than it was asked for", canRetry: true)
    case nil, .bodyUnwanted: break
    default: if head.status >= 400 { break } else { return fault(result.failure) }
    }
    if head.status >= 400 { return faultOfStatus(head, result.retryAfter ?? 0) }
    guard head.status == 200 || head.status == 206 else {
      return fault("answers with the status \(head.status) instead of a part (206)")
    }
    // Without a body nobody looked at the header.
    if let wrong = RangeTransfer.fault(of: head, question) {
      return fault(wrong.reason, canRetry: wrong.canRetry)
    }
    let identity = head.etag.map { "ETag \($0)" } ?? head.lastModified.map { "Last-Modified \($0)" }
    return .bytes(
      number: question.number, count: result.body.count,
      size: head.range?.size ?? head.contentLength ?? 0, identity: identity ?? "")
  }

  private func faultOfStatus(_ head: HTTPHead, _ retryAfter: Int) -> RangeReply {
    if head.status == 416 {
      let end = head.sizeAlone.map { "at byte \($0), " } ?? ""
      return fault("ends \(end)before byte \(question.offset) (HTTP 416)")
    }
    return .fault(
      number: question.number, canRetry: ServerFault.passes(status: head.status),
      seconds: retryAfter, reason: ServerFault.text(status: head.status))
  }

  private func fault(_ failure: HTTPFailure?) -> RangeReply {
    fault(failure.map { ServerFault.text(of: $0) } ?? "", canRetry: failure?.canRetry == true)
  }

  private func fault(_ reason: String, canRetry: Bool = false) -> RangeReply {
    .fault(number: question.number, canRetry: canRetry, seconds: 0, reason: reason)
  }
}
