/// A reply of `waypost-fetch tiles` to one question. A line:
///
///     tile NUMBER COUNT FRESH ETAG
///     same NUMBER FRESH
///     none NUMBER
///     fault NUMBER again|later|never SECONDS REASON
///
/// COUNT bytes follow the first. FRESH is for how many seconds the tile may be used without asking
/// again, - where the server does not say; ETAG is what it calls the tile, and may be empty. The
/// second says that the tile has the ETag that was named, the third that there is none. SECONDS is
/// how long to wait, 0 where the server did not say. After `again` and `later` asking again may
/// help; with `later` the server answered, and what is wrong may be this tile's alone. ETAG and
/// REASON go to the end of the line.
package enum TileReply: Equatable, Sendable {
  /// So many bytes follow, 1 or more.
  case tile(number: Int, count: Int, fresh: Int?, etag: String)
  /// The tile has not changed.
  case same(number: Int, fresh: Int?)
  /// There is no such tile.
  case none(number: Int)
  /// Why it is not known what the tile is. `isAnswer`: the server answered, so that it may be this
  /// tile's fault.
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
      // One that is cut would be another's.
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
