/// Finds what a mistyped name was meant to be.
public enum NearestName {
  /// The known name that takes the fewest single-character edits to reach from `name`, if they are
  /// few for its length (at most 1 for 3 characters, a third beyond that); nil otherwise.
  public static func find(_ name: String, among known: [String]) -> String? {
    let wanted = Array(name.lowercased().utf8.prefix(64))
    let allowed = max(1, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in known {
      let distance = editDistance(wanted, Array(candidate.lowercased().utf8.prefix(64)))
      if distance <= allowed, distance < (best?.distance ?? .max) { best = (candidate, distance) }
    }
    return best?.name
  }

  /// `name`, cut for a message if it is very long.
  public static func shorten(_ name: String) -> String {
    name.utf8.count <= 80 ? name : String(name.prefix(60)) + "…"
  }

  /// The optimal string alignment distance: insertions, deletions, replacements, and exchanges of
  /// two neighbours, each counting one.
  private static func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var beforeLast = Array(repeating: 0, count: b.count + 1)
    var last = Array(0...b.count)
    for (i, x) in a.enumerated() {
      var row = [i + 1]
      for (j, y) in b.enumerated() {
        var cost = min(last[j + 1] + 1, row[j] + 1, last[j] + (x == y ? 0 : 1))
        if i > 0, j > 0, x == b[j - 1], a[i - 1] == y { cost = min(cost, beforeLast[j - 1] + 1) }
        row.append(cost)
      }
      (beforeLast, last) = (last, row)
    }
    return last[b.count]
  }
}
