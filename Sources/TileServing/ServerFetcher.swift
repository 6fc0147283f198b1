/// What a tile service asks a server for.
package struct FetchQuestion: Sendable {
  package var address: String
  /// More lines of the request's header, "Name: value".
  package var headers: [String]
  /// The bytes of the file that are wanted; nil: all of it, a tile.
  package var range: ClosedRange<UInt64>?
  /// The ETag of what is stored; empty: none.
  package var tag = ""
  /// The Last-Modified of what is stored; empty: none.
  package var modified = ""

  package init(address: String, headers: [String]) {
    self.address = address
    self.headers = headers
  }
}

/// What came of a question.
package enum FetchOutcome: Sendable, Equatable {
  /// What the server says of a tile beside its bytes.
  package struct Terms: Sendable, Equatable {
    package var tag = ""
    package var modified = ""
    /// Seconds for which it need not be asked for again; nil: not said.
    package var lifetime: Int?
    /// It may be kept on a medium.
    package var mayStore = true

    package init() {}
  }

  /// A part of a file.
  package struct Part: Sendable, Equatable {
    package var bytes: [UInt8]
    /// The whole file's.
    package var size: UInt64
    /// What the server says to tell one state of the file from another; may be empty.
    package var identity: String
    package var terms: Terms

    package init(bytes: [UInt8], size: UInt64, identity: String, terms: Terms = Terms()) {
      (self.bytes, self.size, self.identity, self.terms) = (bytes, size, identity, terms)
    }
  }

  case tile([UInt8], Terms)
  /// What a question with a range asked for.
  case part(Part)
  /// What is stored is still right.
  case unchanged(Terms)
  /// The server has no such tile.
  case absent(Terms)
  /// An answer without a byte: there is nothing on that tile, or the server has trouble.
  case empty(Terms)
  /// The server refuses: HTTP's status, and for how long it wants to be left alone.
  case refused(status: Int, retryAfter: Int?)
  /// The server cannot be reached: the network may be away.
  case unreachable(String)
  /// The answer broke off, or did not come in time.
  case cut(String)
  /// A whole answer that is no tile.
  case broken(String)
}

/// Asks servers. Belongs to the loop's thread.
package protocol ServerFetcher: AnyObject {
  /// Asks, and calls `answer` later on the loop.
  func ask(_ question: FetchQuestion, _ answer: @escaping (FetchOutcome) -> Void)
}
