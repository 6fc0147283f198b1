import CCurl
import RangeWire

/// One question on its way to the server and back.
final class RangeTransfer {
  let question: RangeQuestion
  private(set) var bytes: [UInt8] = []
  private var head = ResponseHead()
  /// Why the rest is not wanted.
  private var refusal: (reason: String, canRetry: Bool)?

  /// Codes of libcurl (curl.se/libcurl/c/libcurl-errors.html) with which asking again is in vain:
  /// an unsupported scheme, a malformed address, too many redirections, a certificate.
  private static let lasting: Set<Int32> = [1, 3, 47, 58, 60, 77, 83, 91]
  /// The library of certificates, which people have to mend.
  private static let certificate: Set<Int32> = [60, 77]
  /// Statuses after which it is worth asking again.
  private static let busy: Set<Int> = [408, 425, 429, 500, 502, 503, 504]

  init(_ question: RangeQuestion) { self.question = question }

  /// Takes a line of the header.
  ///
  /// - Returns: whether the answer is still wanted.
  func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
    if head.add(line) { return true }
    refusal = ("answers with a header that does not end", false)
    return false
  }

  /// Takes a part of the body.
  ///
  /// - Returns: whether the rest is wanted.
  func takeBody(_ part: UnsafeRawBufferPointer) -> Bool {
    // The page that comes with an error is of no use.
    guard head.status == 200 || head.status == 206 else { return false }
    if bytes.isEmpty, let refusal = judgeHead() {
      self.refusal = refusal
      return false
    }
    guard part.count <= question.count - bytes.count else {
      refusal = ("sends more bytes than it was asked for", true)
      return false
    }
    bytes.append(contentsOf: part)
    return true
  }

  /// What is wrong with an answer that brings bytes; nil: nothing.
  private func judgeHead() -> (reason: String, canRetry: Bool)? {
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

  /// The reply, when the transfer has ended as `result` says.
  func reply(_ result: waypost_curl_result) -> RangeReply {
    if let refusal { return fault(refusal.reason, canRetry: refusal.canRetry) }
    if head.status >= 400 { return faultOfStatus(Int(clamping: result.retry_after)) }
    guard result.code == 0 else {
      var reason = RangeTransfer.text(of: result)
      if RangeTransfer.certificate.contains(result.code) {
        reason += " (ca-certificates has those that are trusted)"
      }
      return fault(reason, canRetry: !RangeTransfer.lasting.contains(result.code))
    }
    guard head.status == 200 || head.status == 206 else {
      return fault("answers with the status \(head.status) instead of a part (206)")
    }
    // Without a body nobody looked at the header.
    if let wrong = judgeHead() { return fault(wrong.reason, canRetry: wrong.canRetry) }
    let size = head.range?.size ?? head.contentLength ?? 0
    return .bytes(
      number: question.number, count: bytes.count, size: size, identity: head.identity)
  }

  private func faultOfStatus(_ retryAfter: Int) -> RangeReply {
    let status = head.status
    if status == 416 {
      let end = head.sizeAlone.map { "at byte \($0), " } ?? ""
      return fault("ends \(end)before byte \(question.offset) (HTTP 416)")
    }
    let meaning =
      switch status {
      case 401, 403, 407: ": it is not open to everybody"
      case 404, 410: ": nothing is there; is the address right?"
      case 429: ": it was asked too often"
      case 500...599: ": it has trouble"
      default: ""
      }
    return .fault(
      number: question.number, canRetry: RangeTransfer.busy.contains(status),
      seconds: min(max(retryAfter, 0), 86_400),
      reason: "the server answers with HTTP \(status)\(meaning)")
  }

  private func fault(_ reason: String, canRetry: Bool = false) -> RangeReply {
    .fault(number: question.number, canRetry: canRetry, seconds: 0, reason: reason)
  }

  private static func text(of result: waypost_curl_result) -> String {
    withUnsafeBytes(of: result.message) { raw in
      let text = String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
      return "cannot be fetched: \(text)"
    }
  }
}
