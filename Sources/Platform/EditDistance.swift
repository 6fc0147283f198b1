/// The number of single-character edits between two words.
package enum EditDistance {
  /// The optimal string alignment distance: the number of characters inserted, deleted, replaced,
  /// or exchanged with their neighbour.
  ///
  /// Compares UTF-8, and only the first 64 bytes of each word, so that long words cost no more.
  package static func between(_ a: String, _ b: String) -> Int {
    between(Array(a.utf8.prefix(64)), Array(b.utf8.prefix(64)))
  }

  private static func between(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    var row = beforeLast
    for i in a.indices {
      row[0] = i + 1
      for j in b.indices {
        var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, beforeLast[j - 1] + 1)
        }
        row[j + 1] = best
      }
      // The row before the last is written over next.
      swap(&beforeLast, &last)
      swap(&last, &row)
    }
    return last[b.count]
  }
}
