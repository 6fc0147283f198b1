import Testing
import Words

@testable import Kiosk

/// What cards say of the properties of a line.
@Suite struct CardWordsTests {
  @Test(
    "A property of OpenStreetMap has its name in every language, another is written as words",
    arguments: [
      ("en", "surface", "Surface"), ("de", "surface", "Belag"), ("fr", "operator", "Gestionnaire"),
      ("de", "sac_scale", "Schwierigkeit"), ("de", "Difficulty", "Schwierigkeit"),
      ("en", "contact:website", "Website"), ("xx", "dog", "Dogs"),
      ("de", "trail_class", "Trail class"), ("en", "mtb:scale", "Mtb scale"), ("en", "", ""),
    ])
  func names(_ language: String, _ key: String, _ name: String) {
    #expect(Words(language: language).property(key) == name)
  }

  @Test(
    "A value that is a code is written as words, and one of OpenStreetMap in the language",
    arguments: [
      ("en", "sac_scale", "demanding_mountain_hiking", "demanding mountain hiking (T3)"),
      ("de", "sac_scale", "mountain_hiking", "Bergwandern (T2)"), ("de", "sac_scale", "T2", "T2"),
      ("en", "surface", "fine_gravel", "fine gravel"),
      ("de", "surface", "fine_gravel", "feiner Kies"),
      ("de", "surface", "gravel;ground", "Schotter, Naturboden"),
      ("de", "surface", "asphalt; gravel", "Asphalt, Schotter"),
      ("de", "surface", "woodchips_and_bark", "woodchips and bark"),
      ("de", "dog", "leashed", "an der Leine"), ("de", "dog", "ask_warden", "ask warden"),
      // A value belongs to its property.
      ("de", "note", "gravel", "gravel"), ("en", "note", "_a__b_", "a b"),
      // What is no code stays as it is.
      ("de", "surface", "compacted gravel", "compacted gravel"), ("en", "ref", "", ""),
      ("en", "opening_hours", "Mo-Fr 08:00-18:00; Sa 09:00", "Mo-Fr 08:00-18:00; Sa 09:00"),
      ("en", "note", "gravel;", "gravel;"), ("en", "note", "__", "__"),
    ])
  func values(_ language: String, _ key: String, _ text: String, _ shown: String) {
    #expect(Words(language: language).value(text, of: key) == shown)
  }

  @Test(
    "An address on the web is shown as its host",
    arguments: [
      ("https://example.org/very/long/path/index.html", "example.org"),
      ("HTTP://www.example.org:8080?a=b", "www.example.org"),
      ("www.example.org/x", "www.example.org"),
      ("https://someone:secret@example.org#x", "example.org"),
      ("https://a.example;https://b.example", "a.example"),
      ("https://münchen.example/", "münchen.example"),
      ("see https://example.org", "see https://example.org"),
      ("https://example.org for more", "https://example.org for more"),
      ("https://", "https://"), ("https:///path", "https:///path"), ("www.", "www."),
    ])
  func addresses(_ text: String, _ shown: String) {
    #expect(Words.english.value(text, of: "website") == shown)
  }

  @Test("Every word for a value is that of a property's value, and has an underscore for a hyphen")
  func wordsForValuesAreUsed() {
    for word in Word.allCases {
      for (key, kind) in [("surface", "surface-"), ("sac_scale", "sac-"), ("dog", "access-")]
      where word.rawValue.hasPrefix(kind) {
        let code = String(word.rawValue.dropFirst(kind.count).map { $0 == "-" ? "_" : $0 })
        #expect(Words(language: "ja").value(code, of: key) == Words(language: "ja")(word))
      }
    }
  }
}
