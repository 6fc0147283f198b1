import Platform
import Testing

@testable import Configuration

private func parse(_ toml: String) throws(Finding) -> ConfigValue {
  try ConfigValue.parse(toml: Array(toml.utf8), file: "a.toml", directory: nil)
}

private func refusal(_ toml: String) -> String? {
  do throws(Finding) {
    _ = try parse(toml)
    return nil
  } catch {
    return "\(error.line): \(error.text)"
  }
}

private let written: [(String, String)] = [
  (#"a = "Zürich ~ 東京 🗺""#, "Zürich ~ 東京 🗺"), ("a = 'Zürich ~7E'", "Zürich ~7E"),
  (#"a = "\u007E41 \U0000007e41 ~41""#, "~41 ~41 ~41"), (#"a = "\u00fc""#, "ü"),
  ("a = \"\"\"\\\n  é\n  ~é\"\"\"", "é\n  ~é"), ("a = '''é\n''' # é ~", "é\n"),
  (#""é~" = "x""#, "x"),
]

/// What toml++ would take for a space, or not, by chance.
@Test(arguments: written)
func charactersBeyondASCIIComeThroughUnchanged(_ toml: String, _ text: String) throws {
  let entry = try #require(try parse(toml).table?.first)
  #expect(entry.value.string == text)
  if toml.hasPrefix("\"") { #expect(entry.key == "é~") }
}

private let refused: [(String, String)] = [
  ("é = 1", "1: not TOML at column 1: a character that has to be in quotation marks"),
  ("a = 1\n  b\u{a0}= 1", "2: not TOML at column 4: a character that has to be in quotation marks"),
  ("a = é", "1: not TOML at column 5: a character that has to be in quotation marks"),
  ("a = ~", "1: not TOML at column 5: a character that has to be in quotation marks"),
  ("[=]", "1: not TOML at column 2: a table's name is missing behind ["),
  ("[[[a]]]", "1: not TOML at column 3: a table's name is missing behind ["),
  ("[ +1]", "1: not TOML at column 3: a table's name is missing behind ["),
  ("[é]", "1: not TOML at column 2: a table's name is missing behind ["),
  ("a = [1, }", "1: not TOML at column 9: no value where one is needed"),
  ("a = [{b = 1}, {b = [}]}]", "1: not TOML at column 21: no value where one is needed"),
]

@Test(arguments: refused)
func whatTheParserWouldAssertIsRefusedWithItsPlace(_ toml: String, _ text: String) {
  #expect(refusal(toml) == text)
}

@Test func anEarlierFaultIsToldFirst() throws {
  let text = try #require(refusal("a = 1\nb 2\n[=]\n"))
  #expect(text.hasPrefix("2: not TOML at column 3: "))
}

@Test func columnsAreTheDocuments() throws {
  let text = try #require(refusal("# Straße\nname = \"Zürich\" ~x"))
  #expect(text.hasPrefix("2: not TOML at column 17: "))
  let other = try #require(refusal("\"Zürich\" 2"))
  #expect(other.hasPrefix("1: not TOML at column 10: "))
}

@Test func arraysThatAreNoHeadersMayBeginALine() throws {
  let tree = try parse("a = [\n[1, 2],\n[{b = 1}],\n]\n[t]\nb = 2")
  #expect(tree["a"]?.array?.count == 2)
  #expect(tree["t"]?["b"]?.integer == 2)
}

@Test func noShortTextMakesTheParserGiveUp() {
  // Every text of three signs behind some beginnings: the assertions are all near.
  let signs = Array("[]{}=,.#\"'\n a1+\u{b}\\~-é\r")
  for before in ["", "a=[", "a={", "a=1\n", "a=\"\"\""] {
    for a in signs {
      for b in signs {
        for c in signs {
          let text = refusal(before + String([a, b, c]))
          #expect(text?.contains("gave up") != true)
        }
      }
    }
  }
}
