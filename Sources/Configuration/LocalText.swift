import Drawing

/// Texts in several languages, by their tags (BCP 47), for a text that has one without a language.
public typealias Translations = [String: String]

extension Translations {
  /// A text has translations into at most this many languages.
  public static let most = 32

  /// The translation into a language, or into that language without its script and country.
  ///
  /// - Parameters:
  ///   - language: The tag, such as "de" or "pt-BR".
  ///   - text: What is used where there is no translation; nil: none.
  /// - Returns: The translation; else `text`; else one into English, or into the first language by
  ///   its tag.
  public func text(in language: String, else text: String?) -> String? {
    translation(into: language) ?? text ?? self["en"] ?? self.min { $0.key < $1.key }?.value
  }

  /// The translation into a language, or into that language without its script and country.
  ///
  /// - Parameter language: The tag, such as "de" or "pt-BR".
  /// - Returns: The translation; nil: there is none.
  public func translation(into language: String) -> String? {
    if isEmpty { return nil }
    return self[language] ?? self[String(language.prefix { $0 != "-" })]
  }
}

/// A text with its translations.
public struct LocalText: Sendable, Equatable {
  /// The text without a language; nil: there are only translations.
  public var text: String?
  /// Its translations.
  public var others: Translations

  /// Creates a text.
  public init(_ text: String?, _ others: Translations = [:]) {
    (self.text, self.others) = (text, others)
  }

  /// The text in a language, as `Translations.text` finds it; nil: there is none at all.
  public func text(in language: String) -> String? { others.text(in: language, else: text) }
}

extension TableReader {
  /// A text with its translations: `key`, and `"key.fr"` with a language's tag. Instead of both,
  /// `key` may be a table of languages.
  ///
  /// - Parameters:
  ///   - key: The key of the text.
  ///   - longest: The most bytes of each text.
  ///   - least: The fewest bytes of each text.
  ///   - isSeen: Whether each text must have a character that is drawn.
  /// - Returns: The text, nil if the key is missing or a table; and its translations.
  func localText(
    _ key: String, _ longest: Int, least: Int = 0, isSeen: Bool = false
  ) -> (text: String?, others: Translations) {
    var others: Translations = [:]
    let lengths = least...longest
    let expected =
      "a string of " + (least > 0 ? "\(least) to" : "at most") + " \(longest) bytes"
      + (isSeen ? " with words in it" : "")
    func isGood(_ text: String) -> Bool {
      lengths.contains(text.utf8.count) && (!isSeen || text.isSeen)
    }
    func take(_ tag: String, _ value: ConfigValue, _ place: ConfigValue.Origin) {
      let name = name("\(key).\(tag)")
      guard let language = ConfigValue(.string(tag), origin: place).language, language != "local"
      else {
        return findings.error("\(name): \"\(tag)\" is no language, such as \"de\"", at: place)
      }
      guard let text = value.string, isGood(text) else {
        return findings.error("\(name) = \(value.shown): \(expected)", at: place)
      }
      if others.count == Translations.most {
        return findings.error("\(name): more than \(Translations.most) languages", at: place)
      }
      others[language] = text
    }
    var text: String?
    if let value = value(key) {
      if let table = value.table {
        for entry in table { take(entry.key, entry.value, entry.place) }
      } else if let plain = value.string, isGood(plain) {
        text = plain
      } else {
        wrong(key, value, expected)
      }
    }
    for tag in languages(of: key) {
      let whole = "\(key).\(tag)"
      if let value = value(whole) { take(tag, value, place(whole)) }
    }
    return (text, others)
  }
}

extension String {
  /// Whether a character of it is drawn: neither white space nor a control, joiner or mark of
  /// direction.
  fileprivate var isSeen: Bool {
    unicodeScalars.contains { !$0.properties.isWhitespace && !TextRules.isControl($0.value) }
  }
}
