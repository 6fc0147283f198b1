/// Which characters need a shaper, and which are not drawn (The Unicode Standard 15, code charts).
enum TextScripts {
  /// Scripts whose letters join, reorder or stack, and combining marks.
  private static let complex: [ClosedRange<UInt32>] = [
    0x0300...0x036F,  // combining marks
    0x0483...0x0489,  // Cyrillic ones
    0x0590...0x08FF,  // Hebrew, Arabic, Syriac, Thaana, N'Ko and their like
    0x0900...0x109F,  // the scripts of India, Sinhala, Thai, Lao, Tibetan, Myanmar
    0x1700...0x17FF,  // the Philippines', Khmer
    0x1800...0x18AF,  // Mongolian
    0x1900...0x1CFF,  // Limbu to Vedic
    0x1DC0...0x1DFF, 0x20D0...0x20FF,  // combining marks
    0x302A...0x302F, 0x3099...0x309A,
    0xA800...0xABFF,  // Syloti Nagri to Meetei Mayek
    0xFB1D...0xFDFF, 0xFE20...0xFE2F, 0xFE70...0xFEFE,  // Hebrew's and Arabic's presentation forms
    0x10800...0x10FFF, 0x11000...0x11FFF, 0x1E800...0x1EFFF,
  ]

  /// Whether a line with this character must be shaped.
  static func needsShaping(_ value: UInt32) -> Bool {
    // Nearly every character ends here.
    if value < 0x0300 { return false }
    // A mark that gives a line its direction.
    if value == TextDirection.rightToLeftMark.value { return true }
    return complex.contains { $0.contains(value) }
  }

  /// Whether it is a C0 or C1 control, or a mark that controls direction or joining.
  static func isControl(_ value: UInt32) -> Bool {
    value < 0x20 || (0x7f..<0xa0).contains(value) || (0x200b...0x200f).contains(value)
      || (0x2028...0x202e).contains(value) || (0x2060...0x206f).contains(value)
      || (0xfe00...0xfe0f).contains(value) || value == 0xfeff
  }
}
