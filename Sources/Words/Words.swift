import CBundled

/// Waypost's own words in one language. What a language lacks is in English.
public struct Words: Sendable, Equatable {
  /// The language's code, ISO 639-1, such as "de".
  public let language: String
  private let texts: [String: String]

  /// Waypost's words in English.
  public static let english = Words(language: "en", texts: bundled("en") ?? [:])

  /// The text of `word`.
  ///
  /// - Parameters:
  ///   - word: The word.
  ///   - values: What `{0}`, `{1}` … stand for.
  /// - Returns: The text in this language, else in English.
  public func callAsFunction(_ word: Word, _ values: String...) -> String {
    let key = word.rawValue
    guard let text = texts[key] ?? Words.english.texts[key] else { return key }
    return values.isEmpty ? text : Words.filled(text, values)
  }

  /// `text` with the values in their places.
  static func filled(_ text: String, _ values: [String]) -> String {
    var result = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      result += rest[..<open]
      if let n = Int(rest[rest.index(after: open)..<close]), values.indices.contains(n) {
        result += values[n]
      } else {
        result += rest[open...close]
      }
      rest = rest[rest.index(after: close)...]
    }
    return result + rest
  }

  /// The texts of a bundled language by their keys; nil: that language is not bundled.
  private static func bundled(_ language: String) -> [String: String]? {
    var size = 0
    guard let bytes = waypost_words(language, &size) else { return nil }
    return parsed(String(decoding: UnsafeBufferPointer(start: bytes, count: size), as: UTF8.self))
  }

  /// The lines `key = text` of a file.
  static func parsed(_ file: String) -> [String: String] {
    var texts: [String: String] = [:]
    for line in file.split(whereSeparator: \.isNewline) where !line.hasPrefix("#") {
      guard let sign = line.firstIndex(of: "=") else { continue }
      let key = line[..<sign].reversed().drop { $0 == " " }.reversed()
      let text = line[line.index(after: sign)...].drop { $0 == " " }
      texts[String(key)] = String(text)
    }
    return texts
  }
}
