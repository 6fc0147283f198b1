import CCurl

/// One request on its way to the server and back.
final class Transfer {
  let id: Int
  private var head = HTTPHead()
  private var body: [UInt8] = []
  private let bodyLimit: Int
  private let wantsBody: @Sendable (HTTPHead) -> Bool
  private let wantsRedirection: @Sendable (String) -> Bool
  private var isJudged = false
  /// Why the rest is not wanted.
  private var refusal: HTTPFailure?
  /// libcurl's, until it gives the result.
  private var handle: OpaquePointer?

  private static let longestWait: Int64 = 86_400

  init(id: Int, _ request: HTTPRequest) {
    self.id = id
    bodyLimit = request.limits.bodyBytes
    wantsBody = request.wantsBody
    wantsRedirection = request.wantsRedirection
  }

  /// - Returns: whether it was begun. The caller keeps it until its result comes, or cancels it.
  func begin(_ fetcher: OpaquePointer, _ request: HTTPRequest, _ certificates: String?) -> Bool {
    var headers = request.headers
    if let etag = request.etag { headers.append("If-None-Match: \(etag)") }
    let range = request.range.map { "\($0.lowerBound)-\($0.upperBound)" }
    handle = CTexts.with(
      [request.url, request.userAgent, range, request.schemes.rawValue, certificates] + headers
    ) { texts in
      var raw = waypost_curl_request()
      (raw.url, raw.user_agent, raw.range) = (texts[0], texts[1], texts[2])
      (raw.schemes, raw.redirections) = (texts[3], texts[3])
      raw.certificates = texts[4]
      raw.headers = texts.baseAddress.map { $0 + 5 }
      raw.header_count = headers.count
      raw.connect_seconds = request.limits.connectSeconds
      raw.total_seconds = request.limits.totalSeconds ?? 0
      raw.least_bytes = request.limits.leastBytes
      raw.slow_seconds = request.limits.slowSeconds
      raw.on_header = { bytes, size, count, context in
        Transfer.pass(bytes, size &* count, context) { $0.takeHead($1) }
      }
      raw.on_body = { bytes, size, count, context in
        Transfer.pass(bytes, size &* count, context) { $0.takeBody($1) }
      }
      raw.context = Unmanaged.passUnretained(self).toOpaque()
      return waypost_curl_begin(fetcher, &raw)
    }
    return handle != nil
  }

  func cancel(_ fetcher: OpaquePointer) {
    if let handle { waypost_curl_cancel(fetcher, handle) }
    handle = nil
  }

  private static func pass(
    _ bytes: UnsafePointer<CChar>?, _ count: Int, _ context: UnsafeMutableRawPointer?,
    _ take: (Transfer, UnsafeRawBufferPointer) -> Bool
  ) -> Int {
    guard let context else { return 0 }
    let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
    let isWanted = take(transfer, UnsafeRawBufferPointer(start: bytes, count: count))
    // Returning any other number ends the transfer; 0 would not do so for an empty part.
    return isWanted ? count : count &+ 1
  }

  /// Takes a line of the header.
  ///
  /// - Returns: whether the answer is still wanted.
  private func takeHead(_ line: UnsafeRawBufferPointer) -> Bool {
    guard head.add(line) else {
      refusal = HTTPFailure(kind: .headTooLong, text: "a header that does not end")
      return false
    }
    // Checked as soon as it arrives, because libcurl follows it at the header's end. libcurl
    // decides which statuses outside 2xx are redirections.
    if !(200..<300).contains(head.status), let location = head.location,
      !wantsRedirection(location)
    {
      refusal = HTTPFailure(
        kind: .redirectionUnwanted, text: "a redirection that is not followed")
      return false
    }
    return true
  }

  /// Takes a part of the body.
  ///
  /// - Returns: whether the rest is wanted.
  private func takeBody(_ part: UnsafeRawBufferPointer) -> Bool {
    if !isJudged, !wantsBody(head) {
      refusal = HTTPFailure(kind: .bodyUnwanted, text: "a body that is not wanted")
      return false
    }
    isJudged = true
    guard part.count <= bodyLimit - body.count else {
      refusal = HTTPFailure(kind: .bodyTooLong, text: "more than \(bodyLimit) bytes")
      return false
    }
    body.append(contentsOf: part)
    return true
  }

  /// What came of it, when it has ended as `raw` says.
  func result(_ raw: waypost_curl_result) -> HTTPResult {
    handle = nil
    var failure = refusal
    // The body of an error status is not needed, so skipping it is no failure.
    if failure?.kind == .bodyUnwanted, head.status >= 300 { failure = nil }
    if failure == nil, refusal == nil, raw.code != 0 {
      failure = HTTPFailure(
        kind: HTTPFailure.kind(
          ofCode: raw.code, wasConnected: raw.was_connected != 0 || head.status != 0),
        text: Transfer.text(raw.message))
    }
    return HTTPResult(
      id: id, head: head, body: failure == nil ? body : [],
      retryAfter: raw.retry_after > 0
        ? Int(min(raw.retry_after, Transfer.longestWait)) : nil,
      address: Transfer.text(raw.address), failure: failure)
  }

  private static func text<Chars>(_ chars: Chars) -> String {
    withUnsafeBytes(of: chars) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}

/// Texts as C has them.
private enum CTexts {
  /// Calls `body` with the texts, which end with 0 and are valid during the call.
  static func with<Value>(
    _ texts: [String?], _ body: (UnsafeBufferPointer<UnsafePointer<CChar>?>) -> Value
  ) -> Value {
    var bytes: [CChar] = []
    var places: [Int?] = []
    for text in texts {
      places.append(text == nil ? nil : bytes.count)
      if let text { bytes += text.utf8CString }
    }
    return bytes.withUnsafeBufferPointer { all in
      places.map { place in place.flatMap { offset in all.baseAddress.map { $0 + offset } } }
        .withUnsafeBufferPointer(body)
    }
  }
}
