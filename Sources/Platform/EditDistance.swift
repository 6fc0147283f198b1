/// How many letters two words differ by, for "the nearest known one".
package enum EditDistance {
  /// Letters to insert, delete, replace or swap with their neighbour (optimal string alignment).
  /// Only the first 64 bytes count, so that a long word costs no more.
  package static func between(_ a: String, _ b: String) -> Int {
    let a = Array(a.utf8.prefix(64))
    let b = Array(b.utf8.prefix(64))
    var beforeLast = [Int](repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for i in 0..<a.count {
      var row = [i + 1]
      for j in 0..<b.count {
        var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          best = min(best, beforeLast[j - 1] + 1)
        }
        row.append(best)
      }
      beforeLast = last
      last = row
    }
    return last[b.count]
  }

  /// The first of the `words` that differ least from `word`.
  package static func nearest(to word: String, in words: [String]) -> String? {
    let distances = words.map { between(word, $0) }
    return distances.min().flatMap { best in distances.firstIndex(of: best).map { words[$0] } }
  }
}
