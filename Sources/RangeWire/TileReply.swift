/// A reply of `waypost-fetch tiles` to one question. A line:
///
///     tile NUMBER COUNT FRESH ETAG
///     same NUMBER FRESH
///     none NUMBER
///     fault NUMBER again|later|never SECONDS REASON
///
/// After `tile`, COUNT bytes follow. FRESH is how many seconds the tile may be used without asking
/// again, or - if the server does not say. ETAG is the server's tag for the tile and may be empty.
/// `same` means that the tile still has the ETag of the question, `none` that there is no such
/// tile. SECONDS is how long to wait, 0 if the server did not say. After `again` and `later` a
/// retry may help; `later` means that the server answered, so the fault may be this tile's alone.
/// ETAG and REASON extend to the end of the line.
package enum TileReply: Equatable, Sendable {
  /// So many bytes follow, 1 or more.
  case tile(number: Int, count: Int, fresh: Int?, etag: String)
  /// The tile has not changed.
  case same(number: Int, fresh: Int?)
  /// There is no such tile.
  case none(number: Int)
  /// The tile's state is unknown. `isAnswer`: the server did answer, so the fault may be this
  /// tile's alone.
  case fault(number: Int, canRetry: Bool, seconds: Int, reason: String, isAnswer: Bool = false)

  /// The most bytes of a tile, as packs have it.
  package static let mostBytes = 16 << 20

  /// Reads a line without its end; nil where it is no reply.
  package init?(line: String) {
    let words = line.split(separator: " ", maxSplits: 4, omittingEmptySubsequences: false)
    guard words.count >= 2, let number = Int(words[1]) else { return nil }
    switch (words[0], words.count) {
    case ("tile", 5):
      guard let count = Int(words[2]), (1...TileReply.mostBytes).contains(count),
        let fresh = TileReply.fresh(words[3])
      else { return nil }
      self = .tile(number: number, count: count, fresh: fresh, etag: String(words[4]))
    case ("same", 3):
      guard let fresh = TileReply.fresh(words[2]) else { return nil }
      self = .same(number: number, fresh: fresh)
    case ("none", 2): self = .none(number: number)
    case ("fault", 5):
      guard ["again", "later", "never"].contains(words[2]), let seconds = Int(words[3]),
        seconds >= 0
      else { return nil }
      self = .fault(
        number: number, canRetry: words[2] != "never", seconds: seconds,
        reason: String(words[4]), isAnswer: words[2] == "later")
    default: return nil
    }
  }

  /// The line, with its end. The reason is cut to what fits, and is one line.
  package var line: String {
    switch self {
    case .tile(let number, let count, let fresh, let etag):
      // A truncated ETag could match another tile's, so a long one is left out.
      "tile \(number) \(count) \(TileReply.word(fresh)) \(etag.utf8.count <= 1000 ? etag : "")\n"
    case .same(let number, let fresh): "same \(number) \(TileReply.word(fresh))\n"
    case .none(let number): "none \(number)\n"
    case .fault(let number, let canRetry, let seconds, let reason, let isAnswer):
      TileReply.faultLine(
        number, canRetry ? (isAnswer ? "later" : "again") : "never", seconds, reason)
    }
  }

  private static func faultLine(
    _ number: Int, _ word: String, _ seconds: Int, _ reason: String
  ) -> String { "fault \(number) \(word) \(seconds) \(RangeReply.oneLine(reason))\n" }

  private static func word(_ fresh: Int?) -> String { fresh.map { "\($0)" } ?? "-" }

  /// Nil where `word` is neither a number of seconds nor "-".
  private static func fresh(_ word: Substring) -> Int?? {
    if word == "-" { return .some(nil) }
    guard let seconds = Int(word), seconds >= 0 else { return nil }
    return .some(seconds)
  }
}
