import Drawing
import Glibc

/// Fonts of the system for scripts that the bundled font does not have, found where Debian puts
/// them.
enum ScriptFonts {
  /// The most bytes of such a font: it stays in memory. `hud.font` takes larger ones.
  static let sizeLimit = 8 << 20

  /// The places of fonts for a language, the smallest first; empty: the bundled font has its
  /// script.
  static func places(for language: String) -> [String] {
    let base = "/usr/share/fonts/truetype"
    switch language.prefix(while: { $0 != "-" }) {
    case "hi", "mr", "ne", "sa":
      return [
        "\(base)/lohit-devanagari/Lohit-Devanagari.ttf",
        "\(base)/noto/NotoSansDevanagari-Regular.ttf",
      ]
    case "ja", "ko", "zh":
      return ["\(base)/droid/DroidSansFallbackFull.ttf", "\(base)/wqy/wqy-microhei.ttc"]
    default: return []
    }
  }

  /// Reads the fonts for some languages, those that are there. Blocks as long as the medium needs.
  static func read(for languages: [String]) -> [FontFile] {
    var paths: [String] = []
    for language in languages {
      let found = places(for: language).first { access($0, R_OK) == 0 }
      if let found, !paths.contains(found) { paths.append(found) }
    }
    return paths.map { FontFile($0, room: sizeLimit, isLast: true) }
  }
}
