/// Finds the name that a mistyped one was meant to be.
public enum NearestName {
  /// The known name that `name` is likely a misspelling of, regardless of case; nil where none is.
  ///
  /// Likely is at most one edit in three characters, and always a single one.
  public static func find(_ name: String, among known: [String]) -> String? {
    let wanted = name.lowercased()
    guard let (nearest, distance) = nearest(to: wanted, in: known, by: { $0.lowercased() }),
      distance <= max(1, min(wanted.utf8.count, 64) / 3)
    else { return nil }
    return nearest
  }

  /// The first of the `known` names that takes the fewest edits, however many; nil where there is
  /// none.
  public static func closest(to name: String, in known: [String]) -> String? {
    nearest(to: name, in: known, by: { $0 })?.name
  }

  /// `name`, cut for a message if it is very long.
  public static func shorten(_ name: String) -> String {
    name.utf8.count <= 80 ? name : String(name.prefix(60)) + "…"
  }

  private static func nearest(
    to name: String, in known: [String], by fold: (String) -> String
  ) -> (name: String, distance: Int)? {
    var best: (name: String, distance: Int)?
    for candidate in known {
      let distance = EditDistance.between(name, fold(candidate))
      if distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best
  }
}
