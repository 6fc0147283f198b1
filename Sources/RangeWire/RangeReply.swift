/// A reply of `waypost-fetch ranges` to one question. A line:
///
///     bytes NUMBER COUNT SIZE IDENTITY
///     fault NUMBER again|never SECONDS REASON
///
/// After `bytes`, COUNT bytes follow. SIZE is the archive's size. IDENTITY distinguishes versions
/// of the archive and may be empty. SECONDS is how long to wait, 0 if the server did not say.
/// IDENTITY and REASON extend to the end of the line.
package enum RangeReply: Equatable, Sendable {
  /// So many bytes follow.
  case bytes(number: Int, count: Int, size: UInt64, identity: String)
  /// Why there are none.
  case fault(number: Int, canRetry: Bool, seconds: Int, reason: String)

  /// Reads a line without its end; nil if it is not a reply.
  package init?(line: String) {
    let words = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
    guard words.count == 5, let number = Int(words[1]) else { return nil }
    switch words[0] {
    case "bytes":
      guard let count = Int(words[2]), count >= 0, count <= RangeQuestion.mostBytes,
        let size = UInt64(words[3])
      else { return nil }
      self = .bytes(number: number, count: count, size: size, identity: String(words[4]))
    case "fault":
      guard words[2] == "again" || words[2] == "never", let seconds = Int(words[3]), seconds >= 0
      else { return nil }
      self = .fault(
        number: number, canRetry: words[2] == "again", seconds: seconds, reason: String(words[4]))
    default: return nil
    }
  }

  /// The line, with its end. Texts are cut to what fits, and are one line.
  package var line: String {
    switch self {
    case .bytes(let number, let count, let size, let identity):
      "bytes \(number) \(count) \(size) \(RangeReply.oneLine(identity))\n"
    case .fault(let number, let canRetry, let seconds, let reason):
      "fault \(number) \(canRetry ? "again" : "never") \(seconds) \(RangeReply.oneLine(reason))\n"
    }
  }

  private static let longestText = 1000

  static func oneLine(_ text: String) -> String {
    let line = text.unicodeScalars.map { $0.value < 0x20 || $0.value == 0x7f ? " " : $0 }
    return String(String.UnicodeScalarView(line.prefix(longestText)))
  }
}
