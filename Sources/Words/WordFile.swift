import Platform

/// The lines of a file of words: `key = text`.
public struct WordFile: Sendable, Equatable {
  /// What is wrong with a line.
  public struct Problem: Sendable, Equatable {
    /// The line's number, from 1.
    public var line: Int
    /// What is wrong, and what would be right.
    public var reason: String
  }

  /// The most bytes that a file of words may have.
  public static let sizeLimit = 64 << 10
  /// The most bytes of a text.
  public static let longestText = 300

  /// The texts by their keys.
  public private(set) var texts: [String: String] = [:]
  /// The lines that cannot be used, at most `mostProblems`.
  public private(set) var problems: [Problem] = []

  static let mostProblems = 20

  /// Reads a file. Lines that cannot be used are left out and become problems.
  ///
  /// - Parameter bytes: The file's bytes; from `sizeLimit` on they are not read.
  public init(_ bytes: some Collection<UInt8>) {
    self.init(bytes) { Words.english.template($0) }
  }

  /// Reads a file whose texts must use the same values as those of `template`; nil: any values.
  init(_ bytes: some Collection<UInt8>, like template: ((Word) -> String)?) {
    let text = String(decoding: bytes.prefix(WordFile.sizeLimit), as: UTF8.self)
    var number = 0
    for line in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      number += 1
      let line = WordFile.trimmed(line.first == "\u{FEFF}" ? line.dropFirst() : line)
      if line.isEmpty || line.hasPrefix("#") { continue }
      // For further problems no text is made, and no similar name looked for.
      if let reason = take(line, template), problems.count < WordFile.mostProblems {
        problems.append(Problem(line: number, reason: reason()))
      }
    }
  }

  /// Takes a line. Returns what tells why it cannot be used.
  private mutating func take(
    _ line: Substring, _ template: ((Word) -> String)?
  ) -> (() -> String)? {
    guard let sign = line.firstIndex(of: "=") else { return { "a line is `key = text`" } }
    let key = String(WordFile.trimmed(line[..<sign]))
    let text = String(WordFile.trimmed(line[line.index(after: sign)...]))
    guard let word = WordFile.word(of: key) else { return { WordFile.unknown(key) } }
    if text.isEmpty { return { "\(key): the text is missing" } }
    if text.utf8.count > WordFile.longestText {
      return { "\(key): the text has more than \(WordFile.longestText) bytes" }
    }
    if text.unicodeScalars.contains(where: { $0.value < 0x20 || (0x7f..<0xa0).contains($0.value) })
    {
      return { "\(key): the text has control characters" }
    }
    if texts[key] != nil { return { "\(key): the same again" } }
    if let template {
      let (wanted, given) = (WordFile.values(template(word)), WordFile.values(text))
      // A plural form, such as that for one or two things, may omit the number.
      if given != wanted, !(key != word.rawValue && given.isSubset(of: wanted)) {
        return {
          "\(key): the text has \(WordFile.list(given)), and needs \(WordFile.list(wanted))"
        }
      }
    }
    if let reason = WordFile.wrongNumber(word, text) { return { "\(key): \(reason)" } }
    texts[key] = text
    return nil
  }

  private static func unknown(_ key: String) -> String {
    let nearest = NearestName.closest(to: key, in: Word.allCases.map(\.rawValue))
    return "there is no word \"\(NearestName.shorten(key))\""
      + (nearest.map { "; perhaps \"\($0)\"" } ?? "")
  }

  private static func wrongNumber(_ word: Word, _ text: String) -> String? {
    guard word == .groupFrom else { return nil }
    return Int(text).map { (2...19).contains($0) } == true ? nil : "a whole number from 2 to 19"
  }

  /// The word that `key` gives a text for: its own key, or that of one of its forms.
  private static func word(of key: String) -> Word? {
    if let word = Word(rawValue: key) { return word }
    guard let dot = key.lastIndex(of: "."), let word = Word(rawValue: String(key[..<dot])),
      word.isCounted, PluralForm(rawValue: String(key[key.index(after: dot)...])) != nil
    else { return nil }
    return word
  }

  /// The values `{n}` that a text has.
  static func values(_ text: String) -> Set<Int> {
    var found: Set<Int> = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      if let n = Int(rest[rest.index(after: open)..<close]) { found.insert(n) }
      rest = rest[rest.index(after: close)...]
    }
    return found
  }

  private static func list(_ values: Set<Int>) -> String {
    values.isEmpty ? "no value" : values.sorted().map { "{\($0)}" }.joined(separator: ", ")
  }

  private static func trimmed(_ text: Substring) -> Substring {
    func isBlank(_ c: Character) -> Bool { c == " " || c == "\t" || c == "\r" }
    return Substring(text.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
  }
}
