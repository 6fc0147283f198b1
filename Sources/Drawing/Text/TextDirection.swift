/// The direction of a paragraph: that of its first strong letter (Unicode Standard Annex 9, rules
/// P2 and P3).
public enum TextDirection: Sendable {
  case leftToRight
  case rightToLeft

  /// RIGHT-TO-LEFT MARK: an invisible letter of that direction.
  static let rightToLeftMark: Unicode.Scalar = "\u{200F}"
  /// LEFT-TO-RIGHT MARK.
  static let leftToRightMark: Unicode.Scalar = "\u{200E}"

  /// The direction of `text`; left to right if it has no letter.
  ///
  /// - Parameter text: A paragraph, or a line of one with its mark.
  public init(of text: some StringProtocol) {
    for scalar in text.unicodeScalars.prefix(TextRenderer.maxLength) {
      switch scalar.value {
      case 0x200F, 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF,
        0x1E800...0x1EFFF:
        if TextDirection.isLetter(scalar) {
          self = .rightToLeft
          return
        }
      default:
        if scalar == TextDirection.leftToRightMark || TextDirection.isLetter(scalar) {
          self = .leftToRight
          return
        }
      }
    }
    self = .leftToRight
  }

  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    scalar == rightToLeftMark || scalar.properties.isAlphabetic
  }

  /// Has the lines from `begin` on, which are one paragraph, begin with its direction.
  static func mark(_ lines: inout [String], from begin: Int, _ direction: TextDirection) {
    for n in begin..<max(begin, lines.count) where TextDirection(of: lines[n]) != direction {
      let mark = direction == .rightToLeft ? rightToLeftMark : leftToRightMark
      lines[n] = String(Character(mark)) + lines[n]
    }
  }
}
