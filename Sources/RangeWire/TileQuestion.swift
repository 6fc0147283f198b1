/// A line for `waypost-fetch tiles`:
///
///     header NAME: VALUE
///     get NUMBER URL [ETAG]
///
/// With ETAG, which extends to the end of the line, the tile comes only if it has changed. A header
/// applies to all later requests. Headers may be secret, so they come this way and not on the
/// command line, which other users can read.
///
/// This and `TileReply` are the whole protocol, over the two directions of the standard input and
/// output of waypost-fetch. Replies come in any order. The end of the input ends waypost-fetch.
package enum TileQuestion: Equatable, Sendable {
  case header(String)
  case get(number: Int, url: String, etag: String? = nil)

  /// The longest line of either direction, its end included.
  package static let longestLine = 16384

  /// Reads a line without its end; nil where it is no question.
  package init?(line: String) {
    if line.hasPrefix("header ") {
      let text = String(line.dropFirst(7))
      guard TileQuestion.isHeader(text) else { return nil }
      self = .header(text)
      return
    }
    let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard words.count >= 3, words[0] == "get", let number = Int(words[1]), !words[2].isEmpty else {
      return nil
    }
    let etag = words.count == 4 && !words[3].isEmpty ? String(words[3]) : nil
    // The ETag becomes a header's value; a carriage return in it would begin another header.
    guard etag?.utf8.allSatisfy(TileQuestion.isAllowedInValue) != false else { return nil }
    self = .get(number: number, url: String(words[2]), etag: etag)
  }

  /// The line, with its end.
  package var line: String {
    switch self {
    case .header(let text): "header \(text)\n"
    case .get(let number, let url, let etag):
      "get \(number) \(url)\(etag.map { " \($0)" } ?? "")\n"
    }
  }

  /// Whether `text` can be a line of a header, "Name: value" (RFC 9110, section 5): a name of
  /// visible ASCII and a value without control characters.
  package static func isHeader(_ text: String) -> Bool {
    guard let colon = text.firstIndex(of: ":"), text.utf8.count < longestLine / 2 else {
      return false
    }
    let name = text[..<colon].utf8
    let value = text[text.index(after: colon)...].utf8
    let separators = Set("\"(),/:;<=>?@[\\]{}".utf8)
    return !name.isEmpty && name.allSatisfy { $0 > 0x20 && $0 < 0x7f && !separators.contains($0) }
      && value.allSatisfy(isAllowedInValue)
      && value.contains { $0 != 0x20 && $0 != 9 }
  }

  private static func isAllowedInValue(_ byte: UInt8) -> Bool {
    byte == 9 || (byte >= 0x20 && byte != 0x7f)
  }
}
