import CBundled
import Glibc
import Testing

@testable import Drawing

/// Which of the system's fonts are used for which language.
@Suite struct ScriptFontTests {
  private static let droid = "/usr/share/fonts/truetype/droid/DroidSansFallbackFull.ttf"

  @Test func theBundledFontHasTheLettersOfMostLanguagesButNotOfKorean() throws {
    let text = try TextRenderer(fonts: [
      .memory(UnsafeRawBufferPointer(start: waypost_font_bytes(), count: waypost_font_size()))
    ])
    for language in ["en", "de-CH", "ru", "ar"] {
      #expect(ScriptFonts.places(for: language).isEmpty)
      #expect(text.hasLetters(of: language))
    }
    for language in ["hi", "ja", "ko", "zh-Hant"] {
      #expect(!ScriptFonts.places(for: language).isEmpty)
      #expect(!text.hasLetters(of: language))
    }
  }

  @Test func everyScriptHasCharactersOfItsOwnWhichTheBundledFontsLack() throws {
    let text = try TextRenderer(fonts: [
      .memory(UnsafeRawBufferPointer(start: waypost_font_bytes(), count: waypost_font_size())),
      .memory(
        UnsafeRawBufferPointer(
          start: waypost_noto_regular_bytes(), count: waypost_noto_regular_size())),
    ])
    for script in FontScript.all {
      // Japanese is written with Chinese characters, too.
      let known = Set(script.languages + (script.languages == ["ja"] ? ["zh"] : []))
      for letter in script.letters.unicodeScalars {
        #expect(ScriptFonts.language(of: letter.value).map { known.contains($0) } == true)
        #expect(text.glyph(of: letter.value).index == 0)
      }
      #expect(!script.places.isEmpty && !script.packages.isEmpty)
    }
    for letter in "aЖαשა中".unicodeScalars.dropLast() {
      #expect(ScriptFonts.language(of: letter.value) == nil)
    }
  }

  @Test func aTypesetterNamesALanguageForEachScriptThatItLacks() throws {
    let setter = try Typesetter(fonts: [
      .memory(UnsafeRawBufferPointer(start: waypost_font_bytes(), count: waypost_font_size()))
    ])
    let text = "Oslo Осло オスロ 奥斯陆 \u{10FFFD}"
    _ = setter.set(text.unicodeScalars.map { TextCharacter($0.value) }[...], chains: [[0]])
    #expect(setter.lackingLanguages == ["ja", "zh"])
  }

  @Test func aFontForKoreanHasHangul() {
    #expect(!ScriptFonts.places(for: "ko").contains(Self.droid))
    for file in ScriptFonts.read(for: ["ko"]) {
      #expect(ScriptFonts.hasLetters(of: "ko", file))
    }
  }

  @Test(.enabled(if: access(droid, R_OK) == 0, "skipped: Droid Sans Fallback is not installed"))
  func aFontWithoutALanguagesLettersIsNotOneForIt() {
    let file = FontFile(Self.droid)
    #expect(ScriptFonts.hasLetters(of: "ja", file) && ScriptFonts.hasLetters(of: "zh", file))
    #expect(!ScriptFonts.hasLetters(of: "ko", file))
    #expect(ScriptFonts.read(for: ["ja", "zh"]).count == 1)
  }
}
