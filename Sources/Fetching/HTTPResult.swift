/// How a request ended.
package struct HTTPResult: Sendable {
  /// The request's number.
  package var id: Int
  /// What the answer's header says, as far as one came: `status` is 0 without one.
  package var head: HTTPHead
  /// The body; empty where `HTTPRequest.wantsBody` did not want it.
  package var body: [UInt8]
  /// How many seconds the server asks to wait (Retry-After, at most a day); nil if it does not say.
  package var retryAfter: Int?
  /// Where the answer came from after redirections, cut to 500 bytes; empty where it is not known.
  package var address: String
  /// Why there is no whole answer; nil: there is one, perhaps with a status that says no.
  package var failure: HTTPFailure?
}

/// Why there is no whole answer.
package struct HTTPFailure: Error, Equatable, Sendable {
  package enum Kind: Equatable, Sendable {
    /// The name of the host is not known, or nobody answers there: the network may be away.
    case unreachable
    /// The connection ended early, was too slow, or sent something that is not HTTP.
    case broken
    /// The server's certificate is not one that is trusted.
    case untrusted
    /// Asking again is in vain: an unsupported scheme, a malformed address, too many redirections.
    case lasting
    /// A header that does not end, of more than 1000 lines or a line of more than 8192 bytes.
    case headTooLong
    /// `HTTPRequest.wantsBody` said no. The head is there.
    case bodyUnwanted
    /// `HTTPRequest.wantsRedirection` said no. The head is there.
    case redirectionUnwanted
    /// The body is longer than `HTTPRequest.Limits.bodyBytes`. The head is there.
    case bodyTooLong
  }

  package var kind: Kind
  /// For people, without the address: "Could not resolve host: maps.example".
  package var text: String

  /// Whether the same request may succeed later.
  package var canRetry: Bool {
    switch kind {
    case .unreachable, .broken: true
    case .untrusted, .lasting, .headTooLong, .bodyUnwanted, .redirectionUnwanted, .bodyTooLong:
      false
    }
  }

  /// What a code of libcurl means (curl.se/libcurl/c/libcurl-errors.html).
  static func kind(ofCode code: Int32, wasConnected: Bool) -> Kind {
    switch code {
    case 5, 6, 7: .unreachable
    // A time limit of any kind. A server that is slow to answer is there.
    case 28: wasConnected ? .broken : .unreachable
    case 60, 77: .untrusted
    case 1, 3, 47, 58, 83, 91: .lasting
    default: .broken
    }
  }
}
