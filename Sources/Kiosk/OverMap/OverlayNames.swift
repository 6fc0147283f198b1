/// How overlays are called that say nothing of their own.
enum OverlayNames {
  /// The name of a file as words: without its ending, signs between words, and dates and numbers of
  /// devices. Empty if no word is left.
  static func readable(_ name: String) -> String {
    var stem = name[...]
    for ending in [".geojson", ".json", ".gpx", ".kml"] where stem.lowercased().hasSuffix(ending) {
      stem = stem.dropLast(ending.count)
    }
    let parts: [Substring] = stem.split(whereSeparator: {
      $0 == "_" || $0 == "-" || $0 == "." || $0.isWhitespace
    })
    let words = parts.filter { !($0.count >= 4 && $0.allSatisfy(\.isNumber)) }
    guard words.contains(where: { $0.count(where: \.isLetter) >= 2 }) else { return "" }
    let text: String = words.joined(separator: " ")
    return text.prefix(1).uppercased() + String(text.dropFirst())
  }
}
