/// What to ask a server for. Redirections are followed, at most five; certificates are verified.
package struct HTTPRequest: Sendable {
  /// Which addresses may be used, also those that a redirection leads to.
  package enum Schemes: String, Sendable {
    case https
    case httpAndHTTPS = "http,https"

    /// An https address may not redirect to http.
    ///
    /// - Parameter address: http or https.
    package init(for address: String) {
      self = address.lowercased().hasPrefix("https://") ? .https : .httpAndHTTPS
    }
  }

  /// How long a request may take, and how much may come.
  package struct Limits: Sendable {
    /// Seconds until a connection is there.
    package var connectSeconds = 15
    /// A request with less than so many bytes a second over so many seconds is given up: a server
    /// that sends a byte now and then would hold it for ever.
    package var leastBytes = 1000
    package var slowSeconds = 30
    /// Seconds for all of it; nil: no limit.
    package var totalSeconds: Int?
    /// Bytes of a body; a longer one ends the request.
    package var bodyBytes = 16 << 20

    package init() {}
  }

  /// An address on an http or https server.
  package var url: String
  package var userAgent: String
  /// The bytes that are wanted; nil: all.
  package var range: ClosedRange<UInt64>?
  /// The ETag of what is there already, with its quotes: the server answers 304 where it is still
  /// the same. Nil: none.
  package var etag: String?
  /// More lines of the request's header, "Name: value".
  package var headers: [String] = []
  package var schemes: Schemes
  package var limits = Limits()
  /// Whether the body of an answer with this head is wanted: asked when the first bytes of it come.
  package var wantsBody: @Sendable (HTTPHead) -> Bool = { $0.status == 200 || $0.status == 206 }

  /// Whether to follow a redirection. Receives the value of Location, which may be relative. The
  /// extra header lines would go there as well.
  package var wantsRedirection: @Sendable (String) -> Bool = { _ in true }

  /// A request for `url`, whose scheme says which may be used.
  package init(url: String, userAgent: String) {
    self.url = url
    self.userAgent = userAgent
    schemes = Schemes(for: url)
  }
}
