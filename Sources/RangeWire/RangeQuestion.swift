/// A question to `waypost-fetch ranges`: one line, `get NUMBER OFFSET COUNT`.
///
/// This and `RangeReply` are the whole protocol between a program without network code and
/// waypost-fetch, over the two directions of its standard input and output. Questions may follow
/// each other at once; replies come in any order. The end of the input ends waypost-fetch.
package struct RangeQuestion: Equatable, Sendable {
  /// Tells questions apart; the asking side chooses it.
  package var number: Int
  /// The first byte.
  package var offset: UInt64
  /// How many bytes, 1 to `mostBytes`.
  package var count: Int

  /// The most bytes of one question: one tile and what lies around it.
  package static let mostBytes = 64 << 20
  /// The longest line of either direction, its end included.
  package static let longestLine = 4096

  package init(number: Int, offset: UInt64, count: Int) {
    (self.number, self.offset, self.count) = (number, offset, count)
  }

  /// Reads a line without its end; nil if it is not a question.
  package init?(line: String) {
    let words = line.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 4, words[0] == "get", let number = Int(words[1]),
      let offset = UInt64(words[2]), let count = Int(words[3]), count >= 1,
      count <= RangeQuestion.mostBytes, !offset.addingReportingOverflow(UInt64(count)).overflow
    else { return nil }
    self.init(number: number, offset: offset, count: count)
  }

  /// The line, with its end.
  package var line: String { "get \(number) \(offset) \(count)\n" }
}
