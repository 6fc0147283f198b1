/// Finds the name that a misspelled one was probably meant to be.
public enum NearestName {
  /// The known name that `name` is probably a misspelling of, ignoring case; nil if there is none.
  ///
  /// Probable means at most one edit in three characters; a single edit always is.
  public static func find(_ name: String, among known: [String]) -> String? {
    let wanted = name.lowercased()
    guard let (nearest, distance) = nearest(to: wanted, in: known, by: { $0.lowercased() }),
      distance <= max(1, min(wanted.utf8.count, 64) / 3)
    else { return nil }
    return nearest
  }

  /// The first of the `known` names with the fewest edits, however many these are; nil if `known`
  /// is empty.
  public static func closest(to name: String, in known: [String]) -> String? {
    nearest(to: name, in: known, by: { $0 })?.name
  }

  /// `name`, shortened to 60 characters if it has more than 80 bytes, for messages.
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
