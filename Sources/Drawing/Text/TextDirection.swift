/// The direction of a paragraph: that of its first strong letter (Unicode Standard Annex 9, rules
/// P2 and P3).
public enum TextDirection: Sendable {
  case leftToRight
  case rightToLeft

  /// RIGHT-TO-LEFT MARK: an invisible letter of that direction.
  static let rightToLeftMark: Unicode.Scalar = "\u{200F}"
  /// LEFT-TO-RIGHT MARK.
  static let leftToRightMark: Unicode.Scalar = "\u{200E}"
  /// ARABIC LETTER MARK: an invisible letter, after which numbers stand as after Arabic ones (W2).
  static let arabicMark: Unicode.Scalar = "\u{061C}"

  /// The direction of `text`; left to right if it has no letter.
  ///
  /// - Parameter text: A paragraph, or a line of one with its mark.
  public init(of text: some StringProtocol) {
    for scalar in text.unicodeScalars.prefix(TextRenderer.maxLength) {
      guard let strong = TextDirection.strong(scalar) else { continue }
      self = strong
      return
    }
    self = .leftToRight
  }

  /// The direction of a letter or a mark; nil: it has none of its own.
  private static func strong(_ scalar: Unicode.Scalar) -> TextDirection? {
    if scalar == rightToLeftMark || scalar == arabicMark { return .rightToLeft }
    if scalar == leftToRightMark { return .leftToRight }
    guard scalar.properties.isAlphabetic else { return nil }
    return isOfRightToLeft(scalar) ? .rightToLeft : .leftToRight
  }

  static func isMark(_ character: Character) -> Bool {
    [rightToLeftMark, leftToRightMark, arabicMark].contains { character == Character($0) }
  }

  /// Whether a letter is Arabic, Syriac or Thaana, after which numbers are set as Arabic ones.
  private static func isArabic(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0600...0x07BF, 0x0860...0x08FF, 0xFB50...0xFDFF, 0xFE70...0xFEFE, 0x1EE00...0x1EEFF:
      true
    default: false
    }
  }

  /// Whether a character is in the blocks of the scripts that are written from right to left.
  private static func isOfRightToLeft(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x200F, 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF,
      0x1E800...0x1EFFF:
      true
    default: false
    }
  }

  private var mark: String {
    String(Character(self == .rightToLeft ? Self.rightToLeftMark : Self.leftToRightMark))
  }

  /// Has lines that were broken from one paragraph be set as in it, by marks that are not drawn.
  ///
  /// The rules of Unicode Standard Annex 9 hold for the whole paragraph, and lines are broken
  /// afterwards (L1, L2), but each line is set alone. So a line that does not begin with a letter
  /// of the paragraph's direction begins with its mark. And where a sign or a number at the edge
  /// of a line is between words of the other direction, it stays with them (N1, W7): the comma of
  /// "Biodiversity," among lines of Arabic is right of the word if English follows.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - begin: Which of them is the paragraph's first; it ends with the last one.
  ///   - direction: The paragraph's direction.
  ///   - previous: Text of the paragraph before these lines.
  ///   - next: Text of it after them.
  public static func mark(
    _ lines: inout [String], from begin: Int = 0, _ direction: TextDirection,
    after previous: String = "", before next: String = ""
  ) {
    guard begin < lines.count else { return }
    if direction == .leftToRight,
      !lines[begin...].contains(where: { $0.unicodeScalars.contains(where: isOfRightToLeft) })
    {
      return
    }
    let firsts = firsts(lines[begin...], before: next)
    var letter = lastLetter(previous)
    var last = letter.flatMap(strong) ?? direction
    /// Whether its direction goes on from a line on.
    func goesOn(_ n: Int) -> Bool { firsts[n - begin].isOf(last) }
    for n in begin..<lines.count {
      let line = lines[n]
      var marked = line
      if last != direction, let first = line.unicodeScalars.first, strong(first) == nil, goesOn(n) {
        marked = last.mark + marked
      }
      let isAfterArabic = direction == .rightToLeft && letter.map(isArabic) ?? false
      letter = lastLetter(line) ?? letter
      last = letter.flatMap(strong) ?? last
      if last != direction, endsWithSign(line), goesOn(n + 1) { marked += last.mark }
      if isAfterArabic, beginsWithNumber(marked) || TextDirection(of: marked) != direction {
        marked = String(Character(arabicMark)) + marked
      } else if TextDirection(of: marked) != direction {
        marked = direction.mark + marked
      }
      lines[n] = marked
    }
  }

  private static func lastLetter(_ text: String) -> Unicode.Scalar? {
    text.unicodeScalars.reversed().first { strong($0) != nil }
  }

  /// Whether a number comes before any letter.
  private static func beginsWithNumber(_ line: String) -> Bool {
    if case .number = First(of: line) { true } else { false }
  }

  private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }

  private static func endsWithSign(_ line: String) -> Bool {
    line.unicodeScalars.last.map { strong($0) == nil && !isDigit($0) } ?? false
  }

  /// What comes first in a text, apart from signs.
  private enum First {
    case letter(TextDirection)
    /// It belongs to words of either direction.
    case number
    case nothing

    init(of text: String) {
      for scalar in text.unicodeScalars {
        if TextDirection.isDigit(scalar) {
          self = .number
          return
        }
        if let strong = TextDirection.strong(scalar) {
          self = .letter(strong)
          return
        }
      }
      self = .nothing
    }

    func isOf(_ direction: TextDirection) -> Bool {
      switch self {
      case .letter(let own): own == direction
      case .number: true
      case .nothing: false
      }
    }
  }

  /// What comes first from each of some lines on, with what follows them, and in that alone. Each
  /// line is read once, however many are all signs.
  private static func firsts(_ lines: ArraySlice<String>, before next: String) -> [First] {
    var firsts = [First(of: next)]
    for line in lines.reversed() {
      var first = First(of: line)
      if case .nothing = first, let following = firsts.last { first = following }
      firsts.append(first)
    }
    return firsts.reversed()
  }
}
