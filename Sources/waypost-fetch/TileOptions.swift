import Fetching
import RangeWire

/// The command line of `waypost-fetch tiles`.
struct TileOptions {
  /// Connections, and requests at the same time, 1 to 6.
  private(set) var connections = 2
  private var contact: String?

  private static let most = 6

  /// Reads the words after "tiles".
  ///
  /// - Throws: `FetchOptions.Misuse`.
  init(_ words: [String]) throws(FetchOptions.Misuse) {
    var rest = words[...]
    while let word = rest.popFirst() {
      guard word == "--contact" || word == "--connections" else {
        throw FetchOptions.Misuse(text: "no option \"\(word)\"; --help lists them")
      }
      guard let value = rest.popFirst() else {
        throw FetchOptions.Misuse(text: "\(word): its value is missing")
      }
      if word == "--contact" {
        contact = value
      } else if let count = Int(value), (1...TileOptions.most).contains(count) {
        connections = count
      } else {
        throw FetchOptions.Misuse(text: "--connections \(value): 1 to \(TileOptions.most)")
      }
    }
    try FetchOptions.check(contact: contact)
  }

  var userAgent: String { UserAgent.text(contact: contact) }

  /// Of one request: a tile is small.
  var limits: HTTPRequest.Limits {
    var limits = HTTPRequest.Limits()
    limits.totalSeconds = 300
    limits.bodyBytes = TileReply.mostBytes
    return limits
  }
}
