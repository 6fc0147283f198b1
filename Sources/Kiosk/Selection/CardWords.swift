import Words

/// What cards say of a line's properties: those of OpenStreetMap in the words of the language, the
/// others as people would write them.
///
/// The words are for what is common on signs at trailheads. Each more property or value costs a
/// word in every language; values that are sentences have translations in the file.
extension Words {
  /// The name of a property, as the file calls it: "Difficulty" of `sac_scale`, "Mtb scale" of
  /// `mtb:scale`.
  func property(_ key: String) -> String {
    if let word = Words.properties[key.lowercased()] { return self(word) }
    let words = String(key.map { $0 == "_" || $0 == ":" ? " " : $0 })
    return words.prefix(1).uppercased() + words.dropFirst()
  }

  /// The value `text` of a property: "fine gravel" of `fine_gravel`, the host of an address on the
  /// web.
  func value(_ text: String, of key: String) -> String {
    if let host = Words.host(of: text) { return host }
    // OpenStreetMap writes lists with semicolons.
    let parts: [String] = text.split(separator: ";", omittingEmptySubsequences: false).map {
      String($0.drop(while: \.isWhitespace))
    }
    guard parts.allSatisfy(Words.isCode) else { return text }
    let kind = Words.kinds[key.lowercased()]
    return parts.map { code in
      let name = String(code.map { $0 == "_" ? "-" : $0 })
      if let kind, let word = Word(rawValue: "\(kind)-\(name)") { return self(word) }
      return code.split(separator: "_").joined(separator: " ")
    }.joined(separator: ", ")
  }

  /// The words for properties.
  private static let properties: [String: Word] = [
    "surface": .cardSurface, "difficulty": .cardDifficulty, "sac_scale": .cardDifficulty,
    "trail_visibility": .cardVisibility, "operator": .cardOperator, "ref": .cardRef,
    "distance": .cardDistance, "network": .cardNetwork, "bicycle": .cardBicycle, "dog": .cardDog,
    "wheelchair": .cardWheelchair, "opening_hours": .cardOpeningHours, "website": .cardWebsite,
    "contact:website": .cardWebsite,
  ]

  /// How the words for the values of properties begin.
  private static let kinds = [
    "surface": "surface", "sac_scale": "sac", "bicycle": "access", "dog": "access",
    "wheelchair": "access",
  ]

  /// Whether a text is a code: letters, digits and underscores only.
  private static func isCode(_ text: String) -> Bool {
    text.contains { $0 != "_" } && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
  }

  /// The host of an address on the web, which nobody can follow on a kiosk; nil: the text is none.
  static func host(of text: String) -> String? {
    let start = text.prefix(8).lowercased()
    let scheme = start == "https://" ? 8 : start.hasPrefix("http://") ? 7 : 0
    guard scheme > 0 || start.hasPrefix("www."), !text.contains(where: \.isWhitespace) else {
      return nil
    }
    var host = text.dropFirst(scheme).prefix { !"/?#;\\".contains($0) }
    // Neither a name and password before the host nor a port after it.
    if let at = host.lastIndex(of: "@") { host = host[host.index(after: at)...] }
    host = host.prefix { $0 != ":" }
    let isHost = host.contains { $0.isLetter || $0.isNumber }
    let signs = host.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "." }
    return isHost && signs ? String(host) : nil
  }
}
