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
    case "ja", "ko", "zh":
      return ["\(base)/droid/DroidSansFallbackFull.ttf", "\(base)/wqy/wqy-microhei.ttc"]
    default: return []
    }
  }

  /// Reads the fonts for all scripts, for a picture whose map may have names in any of them.
  package static func readAll() -> [FontFile] { read(for: ["hi", "ja"]) }

  /// Reads the fonts for some languages, those that are there. Blocks as long as the medium needs.
  package static func read(for languages: [String]) -> [FontFile] {
    var paths: [String] = []
    for language in languages {
      let found = places(for: language).first { access($0, R_OK) == 0 }
      if let found, !paths.contains(found) { paths.append(found) }
    }
    return paths.map { FontFile($0, room: sizeLimit, isLast: true) }
  }
}
