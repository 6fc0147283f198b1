/// Chooses where to break a word, or a line of a script without spaces, that is wider than a line.
///
/// Japanese and Chinese have rules for what may begin and end a line (JIS X 4051, W3C "Requirements
/// for Japanese Text Layout", 3.1.7 and 3.1.8). Words of alphabets get a hyphen, before a
/// consonant that a vowel follows: that is where syllables begin in most of Europe's languages.
enum LineBreaks {
  /// What may not begin a line.
  private static let noStart: Set<Character> = Set(
    "、。，．・：；？！）］｝」』】〉》〕’”…‥ーゝゞ々〻％ぁぃぅぇぉっゃゅょゎゕゖァィゥェォッャュョヮヵヶ,.;:?!)]}%")
  /// What may not end a line.
  private static let noEnd: Set<Character> = Set("（［｛「『【〈《〔‘“([{")
  private static let vowels: Set<Character> = Set(
    "aeiouyäöüàáâãåæèéêëìíîïòóôõøœùúûýąęőűăîâůаеёиоуыэюяіїєαεηιουωάέήίόύώ")
  /// The fewest letters of a part of a word.
  private static let leastPart = 3
  /// How many characters before the last one that fits are searched for a better place.
  private static let reach = 8

  /// Where to break.
  struct Break: Equatable {
    /// How many characters the line has, at least 1.
    var count: Int
    /// Whether it ends with a hyphen that is not in the text.
    var isHyphenated = false
  }

  /// Where to break a text.
  ///
  /// - Parameters:
  ///   - text: The text, of more than one character.
  ///   - fitting: How many of its first characters fit the line, at least 1.
  ///   - hyphenated: How many of them fit with a hyphen.
  /// - Returns: The place, with at most as many characters as fit.
  static func place(in text: [Character], fitting: Int, hyphenated: Int) -> Break {
    let most = min(max(fitting, 1), max(text.count, 1))
    guard most < text.count else { return Break(count: most) }
    let from = max(1, most - reach)
    // A hyphen of the text's own, or the sign between two words.
    for count in stride(from: most, through: from, by: -1)
    where count >= leastPart && isJoint(text[count - 1]) && text[count].isLetter {
      return Break(count: count)
    }
    guard isAlphabetic(text[most - 1]), isAlphabetic(text[most]) else {
      return Break(count: betweenWords(text, from, most))
    }
    let end = min(hyphenated, most)
    guard end >= leastPart else { return Break(count: most) }
    for count in stride(from: end, through: max(leastPart, end - reach), by: -1)
    where isSyllable(text, count) { return Break(count: count, isHyphenated: true) }
    return isAlphabetic(text[end - 1]) && isAlphabetic(text[end])
      ? Break(count: end, isHyphenated: true) : Break(count: most)
  }

  /// Where to break between characters of which one belongs to no alphabet. A line of Chinese or
  /// Japanese rather ends a few characters earlier, where a word seems to begin, and leaves no one
  /// or two characters for the last line, unless that takes a further line.
  private static func betweenWords(_ text: [Character], _ from: Int, _ most: Int) -> Int {
    let allowed = stride(from: most, through: from, by: -1).filter {
      !noStart.contains(text[$0]) && !noEnd.contains(text[$0 - 1])
    }
    guard isIdeographic(text[most - 1]) || isIdeographic(text[most]) else {
      return allowed.first ?? most
    }
    // Those that the rest takes if this one is filled.
    let lines = (text.count - 1) / most
    let apt = allowed.filter { $0 >= 2 && text.count - $0 <= lines * most }
    let near = most - nearEnd
    let words = apt.filter {
      $0 >= near && text.count - $0 >= 2 && isWordStart(after: text[$0 - 1], text[$0])
    }
    return words.first
      ?? apt.first { text.count - $0 > 2 } ?? apt.first { text.count - $0 == 2 }
      ?? allowed.first ?? most
  }

  /// How many characters earlier a line of Japanese may end for the beginning of a word.
  private static let nearEnd = 3
  /// What ends a part of a sentence.
  private static let ends: Set<Character> = Set("、。，．：；？！）］｝」』】〉》〕")

  /// The scripts that Japanese mixes.
  private enum Script { case hiragana, katakana, kanji }

  private static func script(_ character: Character) -> Script? {
    switch character.unicodeScalars.first?.value ?? 0 {
    case 0x3040...0x309F: .hiragana
    case 0x30A0...0x30FF, 0x31F0...0x31FF: .katakana
    case 0x3400...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: .kanji
    default: nil
    }
  }

  /// Whether a word seems to begin at a place in Japanese: after a sign, at a bracket, or where
  /// another script than hiragana begins, in which words end.
  static func isWordStart(after last: Character, _ next: Character) -> Bool {
    if ends.contains(last) || noEnd.contains(next) { return true }
    guard let last = script(last), let next = script(next) else { return false }
    return next != last && next != .hiragana
  }

  /// The parts of a word between which a line may break without a hyphen: those of Chinese and
  /// Japanese; any other word is one part.
  static func parts(of word: String) -> [String] {
    guard word.unicodeScalars.contains(where: { isIdeographic($0.value) }) else { return [word] }
    var parts: [String] = []
    var last: Character?
    for character in word {
      if let last,
        noStart.contains(character) || noEnd.contains(last)
          || !isIdeographic(character) && !isIdeographic(last)
      {
        parts[parts.count - 1].append(character)
      } else {
        parts.append(String(character))
      }
      last = character
    }
    return parts
  }

  private static func isIdeographic(_ character: Character) -> Bool {
    character.unicodeScalars.first.map { isIdeographic($0.value) } ?? false
  }

  /// Whether a scalar is of Chinese or Japanese, whose words have no spaces between them.
  private static func isIdeographic(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x2E80...0x31FF, 0x3400...0x9FFF, 0xF900...0xFAFF, 0xFF00...0xFF9F, 0x20000...0x3FFFF:
      true
    default: false
    }
  }

  private static func isJoint(_ character: Character) -> Bool {
    character == "-" || character == "–" || character == "/"
  }

  /// Whether a syllable seems to begin at a place between letters.
  private static func isSyllable(_ text: [Character], _ at: Int) -> Bool {
    guard at + leastPart <= text.count, at >= leastPart,
      text[at - leastPart..<at + leastPart].allSatisfy(isAlphabetic)
    else { return false }
    func isVowel(_ n: Int) -> Bool { vowels.contains(Character(text[n].lowercased())) }
    let head = text[..<at].suffix(leastPart + 1)
    return !isVowel(at) && isVowel(at + 1)
      && head.contains { vowels.contains(Character($0.lowercased())) }
      // "ch", "sch", "ph", "th", "qu", "ck" stay together.
      && !pairs.contains(String(text[at - 1...at]).lowercased())
  }

  private static let pairs: Set<String> = ["ch", "ck", "ph", "th", "sh", "qu", "gn", "sz", "cz"]

  /// Whether a character is a letter of an alphabet whose words may be hyphenated: Latin, Greek or
  /// Cyrillic.
  private static func isAlphabetic(_ character: Character) -> Bool {
    guard character.isLetter, let scalar = character.unicodeScalars.first else { return false }
    return scalar.value < 0x530 || (0x1E00..<0x2000).contains(scalar.value)
  }
}
