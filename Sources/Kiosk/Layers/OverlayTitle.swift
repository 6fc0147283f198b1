import Configuration
import Features
import Words

/// What overlays are called on cards, in the map key and in the legend of the buttons.
enum OverlayTitle {
  /// The name that people see: the configured `title`, the file's own title, the name of its only
  /// feature, or the file's name made readable; empty: there is none. An overlay of closed features
  /// is called "closed".
  static func of(
    _ overlay: Configuration.Overlay, _ features: FeatureSet, in words: Words
  ) -> String {
    if let title = overlay.title(in: words.language) { return title }
    if let title = features.title {
      // Some programs write a file name as the title.
      return title.contains(" ") ? title : readable(title)
    }
    if features.features.count == 1, let only = features.label(of: features.features[0]) {
      return only
    }
    return overlay.name.hasPrefix(Configuration.Overlay.closurePrefix)
      ? words(.closed) : readable(overlay.name)
  }

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
