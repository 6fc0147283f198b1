import Glibc

/// Fonts of the system for scripts that the bundled font does not have, found where Debian puts
/// them.
package enum ScriptFonts {
  /// The most bytes of such a font: it stays in memory. `hud.font` takes larger ones.
  package static let sizeLimit = 8 << 20

  /// The places of fonts for a language, the smallest first; empty: the bundled font has its
  /// script.
  package static func places(for language: String) -> [String] {
    let base = "/usr/share/fonts/truetype"
    switch language.prefix(while: { $0 != "-" }) {
    case "hi", "mr", "ne", "sa":
      return [
        "\(base)/lohit-devanagari/Lohit-Devanagari.ttf",
        "\(base)/noto/NotoSansDevanagari-Regular.ttf",
      ]
    case "ko":
      // DroidSansFallbackFull.ttf has hardly any Hangul.
      return ["\(base)/nanum/NanumGothic.ttf", "\(base)/wqy/wqy-microhei.ttc"]
    case "ja", "zh":
      return ["\(base)/droid/DroidSansFallbackFull.ttf", "\(base)/wqy/wqy-microhei.ttc"]
    default: return []
    }
  }

  /// The packages of Debian that have these fonts, for a message.
  package static func packages(for language: String) -> String {
    switch language.prefix(while: { $0 != "-" }) {
    case "ko": "fonts-nanum or fonts-wqy-microhei"
    case "ja", "zh": "fonts-droid-fallback or fonts-wqy-microhei"
    default: "fonts-lohit-deva or fonts-noto-core"
    }
  }

  /// A few letters that a font must have for a language; empty: the bundled font has its script.
  static func letters(of language: String) -> String {
    switch language.prefix(while: { $0 != "-" }) {
    case "hi", "mr", "ne", "sa": "अकखग"
    case "ja": "日本語あア"
    case "ko": "한국어"
    case "zh": "中文"
    default: ""
    }
  }

  /// Reads the fonts for all scripts, for a picture whose map may have names in any of them.
  package static func readAll() -> [FontFile] { read(for: ["hi", "ja", "ko"]) }

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
  static func hasLetters(of language: String, _ file: FontFile) -> Bool {
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
