/// What the characters' code points say of how they are to be set (The Unicode Standard 15, code
/// charts). Coarse: as much as it takes to know when a text needs shaping and where a script ends.
enum TextScripts {
  /// Scripts whose letters join, change places or stand on each other, and combining marks.
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

  /// Hebrew to Arabic Extended, their presentation forms, and the others that run from right to left.
  private static let rightToLeft: [ClosedRange<UInt32>] = [
    0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
  ]

  private static func lies(_ value: UInt32, in ranges: [ClosedRange<UInt32>]) -> Bool {
    // Nearly all text ends here.
    if value < 0x0300 { return false }
    for range in ranges where range.contains(value) { return true }
    return false
  }

  static func needsShaping(_ value: UInt32) -> Bool { lies(value, in: complex) }

  static func isRightToLeft(_ value: UInt32) -> Bool { lies(value, in: rightToLeft) }

  /// A mark that stands on the letter before it.
  static func isMark(_ value: UInt32) -> Bool {
    (0x0300...0x036F).contains(value) || (0x1AB0...0x1AFF).contains(value)
      || (0x1DC0...0x1DFF).contains(value) || (0x20D0...0x20FF).contains(value)
      || (0xFE20...0xFE2F).contains(value)
  }

  /// A number for the script; 0 for what belongs to any: digits, signs, spaces, marks.
  static func script(_ value: UInt32) -> UInt32 {
    switch value {
    case 0x41...0x5A, 0x61...0x7A, 0xC0...0x24F: return 1
    case 0..<0x0370: return 0
    case 0x0370...0x03FF, 0x1F00...0x1FFF: return 2
    case 0x0400...0x052F: return 3
    case 0x0590...0x05FF, 0xFB1D...0xFB4F: return 4
    case 0x0600...0x06FF, 0x0750...0x077F, 0x08A0...0x08FF, 0xFB50...0xFDFF, 0xFE70...0xFEFE:
      return 5
    // Dandas belong to all scripts of India.
    case 0x0964...0x0965: return 0
    // The scripts of India, Thai and their like have blocks of 128.
    case 0x0700...0x1CFF: return 0x100 + value >> 7
    case 0x1D00...0x2BFF, 0x3000...0x303F: return isMark(value) ? 0 : 0
    case 0x2E80...0x2FFF, 0x3100...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: return 6
    case 0x3040...0x30FF: return 7
    case 0xAC00...0xD7FF: return 8
    case 0xA800...0xABFF: return 0x100 + value >> 5
    case 0x10000...0x1FFFF: return 0x100 + value >> 7
    default: return 0
    }
  }

  /// C0 and C1 controls, and the marks that steer a text's direction and joining.
  static func isControl(_ value: UInt32) -> Bool {
    value < 0x20 || (0x7f..<0xa0).contains(value) || (0x200b...0x200f).contains(value)
      || (0x2028...0x202e).contains(value) || (0x2060...0x206f).contains(value)
      || (0xfe00...0xfe0f).contains(value) || value == 0xfeff
  }
}
