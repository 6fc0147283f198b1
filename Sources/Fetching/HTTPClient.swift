import CCurl
import Glibc

/// Several requests to http and https servers at the same time, over libcurl. Belongs to one
/// thread.
///
/// `begin` requests under numbers of the caller's choice, call `wait` in a loop, and take what
/// ended with `next` after each. Connections are kept for the requests that follow. Proxies are
/// those of the environment (`http_proxy`, `HTTPS_PROXY`, `ALL_PROXY`, `NO_PROXY`).
package final class HTTPClient {
  private let fetcher: OpaquePointer
  private let certificates: String?
  private var underWay: [Int: Transfer] = [:]

  /// Nil where libcurl is not there.
  ///
  /// - Parameters:
  ///   - connections: the most at the same time; requests beyond wait inside of libcurl.
  ///   - perHost: the most to one host; nil: all.
  ///   - certificates: a file of those that are trusted; nil: what `CURL_CA_BUNDLE` or else
  ///     `SSL_CERT_FILE` names, else the system's.
  package init?(connections: Int, perHost: Int? = nil, certificates: String? = nil) {
    guard let fetcher = waypost_curl_create(connections, perHost ?? 0) else { return nil }
    self.fetcher = fetcher
    self.certificates =
      certificates ?? HTTPClient.variable("CURL_CA_BUNDLE") ?? HTTPClient.variable("SSL_CERT_FILE")
  }

  deinit {
    for transfer in underWay.values { transfer.cancel(fetcher) }
    waypost_curl_destroy(fetcher)
  }

  /// Name and version of libcurl, or "no libcurl".
  package static var curlVersion: String { String(cString: waypost_curl_version()) }

  /// Requests that were begun and have not ended.
  package var count: Int { underWay.count }

  /// Whether the request `id` was begun and has not ended.
  package func isUnderWay(_ id: Int) -> Bool { underWay[id] != nil }

  /// Begins a request.
  ///
  /// - Parameters:
  ///   - request: what to ask for.
  ///   - id: a number that no request under way has; its result has it too.
  /// - Returns: whether it was begun; there is no result for one that was not.
  package func begin(_ request: HTTPRequest, id: Int) -> Bool {
    guard underWay[id] == nil else { return false }
    let transfer = Transfer(id: id, request)
    guard transfer.begin(fetcher, request, certificates) else { return false }
    underWay[id] = transfer
    return true
  }

  /// Ends the request `id`, if it is under way; it has no result then.
  package func cancel(_ id: Int) { underWay.removeValue(forKey: id)?.cancel(fetcher) }

  /// Waits until a request can proceed, a descriptor has an event or the time is over, then
  /// advances the requests. Call it at least every second while requests are under way.
  ///
  /// - Parameters:
  ///   - descriptors: descriptors to wait for as well. Sets `revents` as poll(2) does, with POLLHUP
  ///     and
  ///     POLLERR even if not requested.
  ///   - milliseconds: the longest wait.
  /// - Returns: false if libcurl gave up; the client is then unusable.
  package func wait(_ descriptors: inout [pollfd], milliseconds: Int) -> Bool {
    descriptors.withUnsafeMutableBufferPointer {
      waypost_curl_wait(
        fetcher, $0.baseAddress, UInt32($0.count), Int32(clamping: milliseconds)) != 0
    }
  }

  /// The next result; nil: no other request has ended.
  package func next() -> HTTPResult? {
    var result = waypost_curl_result()
    while waypost_curl_next(fetcher, &result) != 0 {
      guard let context = result.context else { continue }
      let transfer = Unmanaged<Transfer>.fromOpaque(context).takeUnretainedValue()
      underWay[transfer.id] = nil
      return transfer.result(result)
    }
    return nil
  }

  private static func variable(_ name: String) -> String? {
    guard let value = getenv(name), value.pointee != 0 else { return nil }
    return String(cString: value)
  }
}
