/// The direction of a paragraph.
enum TextDirection {
  /// Whether the first strong letter of a text is of a script that is written from right to left
  /// (Unicode Standard Annex 9, rules P2 and P3; Hebrew, Arabic and their neighbours).
  static func isRightToLeft(_ text: String) -> Bool {
    for scalar in text.unicodeScalars where scalar.properties.isAlphabetic {
      switch scalar.value {
      case 0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF,
        0x1E800...0x1EFFF:
        return true
      default: return false
      }
    }
    return false
  }
}
