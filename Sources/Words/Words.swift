import CBundled

/// Waypost's own words in one language. What a language lacks is in English.
public struct Words: Sendable, Equatable {
  /// The language's tag, BCP 47, such as "de" or "pt-BR".
  public let language: String
  /// The language's own name; its tag if Waypost has no words in it.
  public let name: String
  private let texts: [String: String]

  /// Waypost's words in English.
  public static let english = Words(language: "en", texts: bundled("en")?.texts ?? [:])

  /// The codes of the languages that are part of the program (ISO 639-1), in their order.
  public static let languages = [
    "ar", "de", "en", "es", "fr", "hi", "it", "ja", "ko", "nl", "pl", "pt", "ro", "ru", "uk", "zh",
  ]

  /// The text of `word`.
  ///
  /// - Parameters:
  ///   - word: The word.
  ///   - values: What `{0}`, `{1}` … stand for.
  /// - Returns: The text in this language, else in English.
  public func callAsFunction(_ word: Word, _ values: String...) -> String {
    let text = template(word)
    return values.isEmpty ? text : Words.filled(text, values)
  }

  /// The text of `word` for a number of things, which is `{0}`.
  ///
  /// - Parameters:
  ///   - word: A word that has forms for numbers.
  ///   - count: The number of things.
  /// - Returns: The text in the form that the language has for that number.
  public func callAsFunction(_ word: Word, count: Int) -> String {
    let form = PluralForm.of(count, in: Words.code(of: language))
    let text = texts["\(word.rawValue).\(form.rawValue)"] ?? template(word)
    return Words.filled(text, [number(count)])
  }

  /// The text of `word` with its `{0}`, `{1}` ….
  func template(_ word: Word) -> String {
    texts[word.rawValue] ?? Words.english.texts[word.rawValue] ?? word.rawValue
  }

  /// The keys that this language has texts for.
  var keys: Set<String> { Set(texts.keys) }

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

  private init(language: String, name: String? = nil, texts: [String: String]) {
    self.language = language
    self.name = name ?? texts[Word.languageName.rawValue] ?? language
    self.texts = texts
  }

  /// Makes the words of a language.
  ///
  /// - Parameters:
  ///   - language: Its tag, BCP 47. "pt-BR" uses the words of "pt" except where `corrections` has
  ///     words for "pt-BR".
  ///   - corrections: Texts that replace bundled ones, by the tags of their languages.
  public init(language: String, corrections: [String: WordFile] = [:]) {
    let code = Words.code(of: language)
    var texts = Words.english.texts
    var name: String?
    func take(_ file: WordFile?) {
      guard let file else { return }
      texts.merge(file.texts) { _, new in new }
      name = file.texts[Word.languageName.rawValue] ?? name
    }
    take(corrections["en"])
    if code != "en" {
      // English plural forms must not fill in for forms that the language lacks.
      if Words.languages.contains(code) || corrections[code] != nil {
        texts = texts.filter { !$0.key.contains(".") }
      }
      name = language
      take(Words.bundled(code))
      take(corrections[code])
    }
    if code != language { take(corrections[language]) }
    self.init(language: language, name: name, texts: texts)
  }

  /// The code of a language without script and country: "zh" of "zh-Hant".
  package static func code(of language: String) -> String {
    language.split(separator: "-").first.map { $0.lowercased() } ?? language
  }

  /// The file of a bundled language; nil: that language is not bundled.
  static func bundled(_ language: String) -> WordFile? {
    var size = 0
    guard let bytes = waypost_words(language, &size) else { return nil }
    return WordFile(UnsafeBufferPointer(start: bytes, count: size), like: nil)
  }
}
