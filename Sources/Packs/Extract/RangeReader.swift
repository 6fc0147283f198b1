/// What an archive was when bytes of it were read.
package struct ArchiveState: Equatable, Sendable {
  /// Its bytes.
  package var size: UInt64
  /// What tells one version of it from another: the ETag that a server sends, say.
  package var identity: String

  package init(size: UInt64, identity: String) {
    self.size = size
    self.identity = identity
  }

  /// What is different about `other`, for people.
  func difference(to other: ArchiveState) -> String {
    if identity == other.identity { return "it has \(other.size) bytes and had \(size)" }
    // Of a file the identity is its number and time, which say nothing to people.
    for kind in ["ETag ", "Last-Modified "] where identity.hasPrefix(kind) {
      return other.identity.isEmpty
        ? "it has no \(kind)any more" : "\(other.identity) instead of \(identity)"
    }
    return "it was written to"
  }
}

/// Bytes of an archive that are asked for.
package struct RangeRequest: Equatable, Sendable {
  /// Tells requests apart; the caller chooses it.
  package var number: Int
  package var offset: UInt64
  /// 1 or more.
  package var count: Int

  package init(number: Int, offset: UInt64, count: Int) {
    self.number = number
    self.offset = offset
    self.count = count
  }
}

/// Why a request was not answered with bytes.
package struct RangeFault: Error, Equatable, Sendable {
  /// What is wrong, without the archive's name.
  package var reason: String
  /// Whether asking again may help: a connection dropped, a server was busy.
  package var canRetry: Bool
  /// Seconds to wait before that, as far as the other side said.
  package var retryAfter: Double?

  package init(_ reason: String, canRetry: Bool, retryAfter: Double? = nil) {
    self.reason = reason
    self.canRetry = canRetry
    self.retryAfter = retryAfter
  }
}

/// The answer to one request.
package struct RangeAnswer: Sendable {
  /// Bytes, and the archive that they are of.
  package struct Content: Sendable {
    /// All that was asked for, less only where the archive ends. The fetcher checks that.
    package var bytes: [UInt8]
    package var archive: ArchiveState

    package init(bytes: [UInt8], archive: ArchiveState) {
      self.bytes = bytes
      self.archive = archive
    }
  }

  /// The request's number.
  package var number: Int
  package var result: Result<Content, RangeFault>

  package init(number: Int, result: Result<Content, RangeFault>) {
    self.number = number
    self.result = result
  }
}

/// Random access to an archive that may lie far away: a file, or what a program fetches over the
/// network.
///
/// Requests are begun one after the other and may be answered in any order. One thread uses a
/// reader. A reader neither retries nor checks; `RangeFetcher` does. A reader that depends on
/// another program has a timeout and then answers with a fault that can be retried, so that
/// `next()` always returns.
package protocol RangeReader: AnyObject {
  /// What messages name: the path or the address.
  var name: String { get }

  /// How many requests may be under way at the same time, 1 or more.
  var window: Int { get }

  /// Begins to read. At most `window` requests may be without an answer.
  func begin(_ request: RangeRequest)

  /// Waits for the answer to one of the requests that were begun, and have none yet.
  func next() -> RangeAnswer
}
