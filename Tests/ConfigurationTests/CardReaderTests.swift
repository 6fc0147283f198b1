import Testing

@testable import Configuration

/// `title` and `card` of `[[overlay]]`, with their translations.
@Suite struct CardReaderTests {
  private func overlay(_ lines: String) throws -> Configuration.Overlay {
    let result = load("[[overlay]]\npath = \"t.gpx\"\n" + lines)
    #expect(result.findings.map(\.text) == [])
    return try #require(result.configuration?.overlays.first)
  }

  @Test func aTitleHasTranslationsBesideItOrIsATableOfThem() throws {
    let beside = try overlay("title = \"Trails\"\n\"title.de\" = \"Wege\"")
    #expect(beside.title == "Trails" && beside.titles == ["de": "Wege"])
    #expect(beside.title(in: "de-AT") == "Wege" && beside.title(in: "fr") == "Trails")
    let table = try overlay("title = { en = \"Trails\", fr = \"Sentiers\" }")
    #expect(table.title == nil && table.titles.count == 2)
    #expect(table.title(in: "fr") == "Sentiers" && table.title(in: "de") == "Trails")
    // Without a title for everybody, others read what the file says.
    let german = try overlay("title.de = \"Wege\"")
    #expect(german.title(in: "de") == "Wege" && german.title(in: "fr") == nil)
  }

  @Test func aPropertyOfCardsMayHaveANameForPeople() throws {
    let card = try overlay(
      """
      card = ["surface", { property = "sac_scale", name = "Difficulty", "name.de" = "Grad" },
        { property = "owner", name.fr = "Propriétaire" }, { property = "surface" }]
      """
    ).card
    #expect(card.map(\.property) == ["surface", "sac_scale", "owner"])
    #expect(card[0] == "surface" && card[0].name(in: "de") == nil)
    #expect(card[1].name(in: "de-CH") == "Grad" && card[1].name(in: "fr") == "Difficulty")
    #expect(card[2].name(in: "fr") == "Propriétaire" && card[2].name(in: "en") == nil)
  }

  @Test(arguments: [
    ("title = \"\"", "3: error: overlay.title = \"\": a string of 1 to 100 bytes"),
    ("title = 3", "3: error: overlay.title = 3: a string of 1 to 100 bytes"),
    ("\"title.de\" = \"\"", "3: error: overlay.title.de = \"\": a string of 1 to 100 bytes"),
    ("\"title.german\" = \"a\"", "3: error: overlay.title.german: \"german\" is no language"),
    ("card = \"surface\"", "3: error: overlay.card = \"surface\": a list of at most 16 properties"),
    ("card = [3]", "3: error: overlay.card = [3]: a list of at most 16 properties"),
    ("card = [\"\"]", "3: error: overlay.card = [\"\"]: a list of at most 16 properties"),
    ("card = [{ name = \"a\" }]", "3: error: overlay.card: property is missing"),
    (
      "card = [\n\"a\",\n{ property = \"b\", nmae = \"B\" }]",
      "5: error: unknown key overlay.card.nmae; the nearest known one is overlay.card.name"
    ),
    ("card = [{ property = \"b\", name = \"\" }]", "3: error: overlay.card.name = \"\""),
    ("card = [{ property = 1 }]", "3: error: overlay.card.property = 1: a property's name"),
  ])
  func mistakesAreNamedWithWhatWouldBeRight(_ lines: String, _ finding: String) {
    let found = findings("[[overlay]]\npath = \"t.gpx\"\n" + lines)
    #expect(found.count == 1 && found[0].hasPrefix(finding), "\(found)")
  }

  @Test func aCardHasSoManyPropertiesAndNoMore() {
    func lines(_ count: Int) -> String {
      let all = (0..<count).map { "{ property = \"p\($0)\", name = \"P\" }" }
      return "[[overlay]]\npath = \"t.gpx\"\ncard = [" + all.joined(separator: ", ") + "]"
    }
    #expect(findings(lines(Configuration.Overlay.mostCardKeys)) == [])
    #expect(findings(lines(Configuration.Overlay.mostCardKeys + 1)).count == 1)
  }
}
