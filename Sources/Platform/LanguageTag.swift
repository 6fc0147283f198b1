/// The tags of languages (BCP 47), as people give them.
public enum LanguageTag {
  /// `text` in the usual case, such as "de", "zh-Hant" or "pt-BR": two or three letters and parts
  /// of up to eight letters and digits (BCP 47, section 2.1); "local" is left as it is. Nil if it
  /// is no tag.
  public static func checked(_ text: String) -> String? {
    guard (2...35).contains(text.utf8.count) else { return nil }
    if text == "local" { return text }
    let parts = text.split(separator: "-", omittingEmptySubsequences: false)
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7a).contains(byte | 0x20) }
    guard (2...3).contains(parts[0].utf8.count), parts[0].utf8.allSatisfy(isLetter),
      parts.dropFirst().allSatisfy({ part in
        (1...8).contains(part.utf8.count)
          && part.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
      })
    else { return nil }
    return parts.enumerated().map { n, part in
      // A script is written "Hant", a country "CH" (RFC 5646, section 2.1.1).
      if n > 0, part.utf8.count == 4, part.utf8.allSatisfy(isLetter) {
        return part.prefix(1).uppercased() + part.dropFirst().lowercased()
      }
      return n > 0 && part.utf8.count == 2 ? part.uppercased() : part.lowercased()
    }.joined(separator: "-")
  }
}
