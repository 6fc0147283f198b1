import Glibc

/// Fonts of the system for scripts that the bundled fonts do not have, found where Debian puts
/// them.
package enum ScriptFonts {
  /// The most bytes of such a font: it stays in memory. `hud.font` takes larger ones.
  package static let sizeLimit = 8 << 20

  /// The places of fonts for a language, the smallest first; empty: the bundled fonts have its
  /// script.
  package static func places(for language: String) -> [String] {
    FontScript.of(language)?.places.map { "/usr/share/fonts/truetype/\($0)" } ?? []
  }

  /// The packages of Debian that have these fonts, for a message.
  package static func packages(for language: String) -> String {
    FontScript.of(language)?.packages ?? "fonts-noto-core"
  }

  /// A few letters that a font must have for a language; empty: the bundled fonts have its script.
  static func letters(of language: String) -> String { FontScript.of(language)?.letters ?? "" }

  /// A language whose script has this character; nil: the bundled fonts have it, or no font is
  /// known for it.
  static func language(of scalar: UInt32) -> String? {
    FontScript.all.first { script in script.ranges.contains { $0.contains(scalar) } }?.languages[0]
  }

  /// Reads a font for each of some languages: the first that is there and has its letters. Blocks
  /// as long as the medium needs.
  package static func read(for languages: [String]) -> [FontFile] {
    var files: [FontFile] = []
    for language in languages {
      for path in places(for: language) where access(path, R_OK) == 0 {
        let known = files.first { $0.path == path }
        let file = known ?? FontFile(path, room: sizeLimit, isLast: true)
        guard hasLetters(of: language, file) else { continue }
        if known == nil { files.append(file) }
        break
      }
    }
    return files
  }

  /// Whether a font has the letters of a language.
  package static func hasLetters(of language: String, _ file: FontFile) -> Bool {
    let text = file.reason == nil ? try? TextRenderer(fonts: [.file(file)]) : nil
    return text?.hasLetters(of: language) ?? false
  }
}

extension TextRenderer {
  /// Whether the fonts have the letters of a language, as far as `ScriptFonts` knows them.
  package func hasLetters(of language: String) -> Bool {
    ScriptFonts.letters(of: language).unicodeScalars.allSatisfy { glyph(of: $0.value).index != 0 }
  }
}

/// A script that the bundled fonts lack.
struct FontScript {
  /// The languages that are written in it; the first stands for all of them.
  let languages: [String]
  /// A few letters that a font for it must have.
  let letters: String
  /// Its characters (Unicode 16, Blocks.txt).
  let ranges: [ClosedRange<UInt32>]
  /// Where Debian puts fonts that have it, the smallest first, below `/usr/share/fonts/truetype`.
  let places: [String]
  let packages: String

  private init(
    _ languages: String, _ letters: String, _ ranges: ClosedRange<UInt32>..., places: [String],
    packages: String
  ) {
    self.languages = languages.split(separator: " ").map(String.init)
    (self.letters, self.ranges) = (letters, ranges)
    (self.places, self.packages) = (places, packages)
  }

  /// A script for which Noto Sans has a file of its own.
  private static func noto(
    _ name: String, _ languages: String, _ letters: String, _ ranges: ClosedRange<UInt32>,
    or small: (place: String, package: String)? = nil
  ) -> FontScript {
    FontScript(
      languages, letters, ranges,
      places: [small?.place, "noto/Noto\(name)-Regular.ttf"].compactMap { $0 },
      packages: [small?.package, "fonts-noto-core"].compactMap { $0 }.joined(separator: " or "))
  }

  private static let chinese = (
    places: ["droid/DroidSansFallbackFull.ttf", "wqy/wqy-microhei.ttc"],
    packages: "fonts-droid-fallback or fonts-wqy-microhei"
  )

  static let all: [FontScript] = [
    noto(
      "SansDevanagari", "hi mr ne sa", "अकखग", 0x900...0x97F,
      or: ("lohit-devanagari/Lohit-Devanagari.ttf", "fonts-lohit-deva")),
    noto("SansBengali", "bn as", "অকখগ", 0x980...0x9FF),
    noto("SansGurmukhi", "pa", "ਅਕਖਗ", 0xA00...0xA7F),
    noto("SansGujarati", "gu", "અકખગ", 0xA80...0xAFF),
    noto("SansOriya", "or", "ଅକଖଗ", 0xB00...0xB7F),
    noto("SansTamil", "ta", "அகஙச", 0xB80...0xBFF),
    noto("SansTelugu", "te", "అకఖగ", 0xC00...0xC7F),
    noto("SansKannada", "kn", "ಅಕಖಗ", 0xC80...0xCFF),
    noto("SansMalayalam", "ml", "അകഖഗ", 0xD00...0xD7F),
    noto("SansSinhala", "si", "අකඛග", 0xD80...0xDFF),
    noto(
      "SansThai", "th", "กขคง", 0xE00...0xE7F,
      or: ("tlwg/Garuda.ttf", "fonts-tlwg-garuda-ttf")),
    noto("SerifTibetan", "dz bo", "ཀཁགང", 0xF00...0xFFF),
    noto("SansMyanmar", "my", "ကခဂဃ", 0x1000...0x109F),
    noto("SansEthiopic", "am ti", "ሀለሐመ", 0x1200...0x137F),
    noto(
      "SansKhmer", "km", "កខគឃ", 0x1780...0x17FF, or: ("khmeros/KhmerOS.ttf", "fonts-khmeros")),
    // DroidSansFallbackFull.ttf has hardly any Hangul.
    FontScript(
      "ko", "한국어", 0x1100...0x11FF, 0x3130...0x318F, 0xAC00...0xD7A3,
      places: ["nanum/NanumGothic.ttf", "wqy/wqy-microhei.ttc"],
      packages: "fonts-nanum or fonts-wqy-microhei"),
    FontScript(
      "ja", "日本語あア", 0x3040...0x30FF, 0x31F0...0x31FF, 0xFF66...0xFF9F,
      places: chinese.places, packages: chinese.packages),
    FontScript(
      "zh", "中文", 0x2E80...0x2FDF, 0x3000...0x303F, 0x3100...0x312F, 0x3400...0x9FFF,
      0xF900...0xFAFF, 0x20000...0x3FFFF, places: chinese.places, packages: chinese.packages),
  ]

  /// The script of a language's tag (BCP 47); nil: the bundled fonts have it.
  static func of(_ language: String) -> FontScript? {
    let language = String(language.prefix { $0 != "-" })
    return all.first { $0.languages.contains(language) }
  }
}
