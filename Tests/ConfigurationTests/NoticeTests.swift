import Foundation
import MapGeometry
import TestSupport
import Testing

@testable import Configuration

/// `[[notice]]`, `[[tour]]`, `hud.languages`, and texts in several languages.
@Suite struct NoticeTests {
  private func load(_ toml: String) -> (Configuration?, [String]) {
    guard let folder = try? TemporaryFolder() else { return (nil, ["no folder"]) }
    try? Data(toml.utf8).write(to: URL(fileURLWithPath: folder["a.toml"]))
    let result = ConfigurationLoader().load(files: [folder["a.toml"]])
    return (result.configuration, result.findings.map { "\($0.line): \($0.text)" })
  }

  @Test func noticesAreReadWithTheirTranslations() throws {
    let (configuration, findings) = load(
      """
      [[notice]]
      id = "bridge"
      text = "Bridge closed"
      "text.de" = "Brücke gesperrt"
      severity = "warning"
      until = "2027-06-01T18:00:00+02:00"
      closes = "trails"
      feature = "Ridge path"
      [[notice]]
      id = "fire"
      text = { de-ch = "Feuerverbot", fr = "Pas de feu" }
      """)
    #expect(findings == [])
    let notices = try #require(configuration).notices
    #expect(notices.map(\.id) == ["bridge", "fire"])
    #expect(notices[0].texts == ["de": "Brücke gesperrt"])
    #expect(notices[0].severity == .warning)
    #expect(notices[0].until?.time == 1_811_865_600)
    #expect(notices[0].closes == .overlay("trails", feature: "Ridge path"))
    #expect(notices[1].text == nil)
    #expect(notices[1].texts == ["de-CH": "Feuerverbot", "fr": "Pas de feu"])
    #expect(notices[1].severity == .info)
  }

  @Test(arguments: [
    ("text = \"a\"", "1: notice: id is missing; id and text are required"),
    ("id = \"a\"", "1: notice: text is missing; id and text are required"),
    ("id = \"a\"\ntext = \"\"", "3: notice.text = \"\": a string of 1 to 500 bytes with words"),
    ("id = \"a\"\ntext = \" \\n\"", "3: notice.text = \" \\n\": a string of 1 to 500 bytes with"),
    ("id = \"a\"\ntext = \"\\u0001\\u0007\"", "3: notice.text"),
    ("id = \"a\"\ntext = \"\\u200b\\u200d\\ufeff\"", "3: notice.text"),
    ("id = \"a\"\ntext = \"b\"\n\"text.de\" = \" \"", "4: notice.text.de"),
    ("id = \"a\"\ntext = \"b\"\nseverity = \"bad\"", "4: notice.severity"),
    ("id = \"a\"\ntext = \"b\"\nuntil = \"June\"", "4: notice.until"),
    ("id = \"a\"\ntext = \"b\"\nuntil = 2027-06-01", "4: notice.until"),
    ("id = \"a\"\ntext = \"b\"\nfeature = \"c\"", "4: notice.feature: closes is missing"),
    ("id = \"a\"\ntext = \"b\"\ncloses = \"c\"\ngeojson = \"{}\"", "4: notice: one of closes"),
    ("id = \"a\"\ntext = \"b\"\n\"text.german\" = \"c\"", "4: notice.text.german"),
    ("id = \"a\"\ntext = \"b\"\n\"text.de\" = 3", "4: notice.text.de = 3"),
    ("id = \"a\"\ntext = \"b\"\ntexts = \"c\"", "4: unknown key notice.texts"),
  ])
  func mistakesInNoticesAreNamed(_ toml: String, _ finding: String) {
    let (configuration, findings) = load("[[notice]]\n" + toml)
    #expect(configuration == nil)
    #expect(findings.first?.hasPrefix(finding) == true, "\(findings)")
  }

  @Test func namesOfIconsAreReadWithTheirTranslations() throws {
    let (configuration, findings) = load(
      """
      [hud.icons]
      info = "Bus stop"
      "info.de" = "Haltestelle"
      first-aid = { en = "Rescue point", fr = "Point de secours" }
      """)
    #expect(findings == [])
    let icons = try #require(configuration).hud.icons
    #expect(
      icons == [
        .info: LocalText("Bus stop", ["de": "Haltestelle"]),
        .firstAid: LocalText(nil, ["en": "Rescue point", "fr": "Point de secours"]),
      ])
    #expect(icons[.info]?.text(in: "de-CH") == "Haltestelle")
    #expect(icons[.info]?.text(in: "it") == "Bus stop")
    #expect(icons[.firstAid]?.text(in: "it") == "Rescue point")
    #expect(load("[hud]\nicons = { info = \"Bus stop\" }").0?.hud.icons.count == 1)
  }

  @Test(
    arguments: [
      ("2027-06-01T16:00:00Z", 1_811_865_600), ("2027-06-01T18:00:00.25+02:00", 1_811_865_600),
      ("2027-06-01t10:30:00-05:30", 1_811_865_600), ("2027-02-29", nil),
      ("2028-02-29T00:00:00Z", 1_835_395_200),
      ("2027-6-1", nil), ("2027-06-01T", nil), ("2027-06-01T25:00:00Z", nil),
      ("2027-06-01T16:00:00", nil), ("2027-06-01T16:00:00Zx", nil), ("2027-06-01T16:00:00.Z", nil),
      ("", nil), ("2027-06-01T16:00:00+02", nil),
    ] as [(String, Double?)])
  func anEndIsADateOrATime(_ text: String, _ time: Double?) {
    #expect(Configuration.Notice.Until(text)?.time == time)
  }

  @Test func aDateEndsWhenItsDayIsOver() throws {
    let until = try #require(Configuration.Notice.Until("2027-06-01"))
    var parts = tm()
    (parts.tm_year, parts.tm_mon, parts.tm_mday, parts.tm_isdst) = (127, 5, 1, -1)
    let midnight = Double(mktime(&parts))
    #expect(until.time == midnight + 86_400)
  }

  @Test func theTourIsRead() throws {
    let (configuration, findings) = load(
      """
      [view]
      tour_after = "5m"
      [[tour]]
      center = [46.02, 7.75]
      caption = "The valley"
      "caption.de" = "Das Tal"
      [[tour]]
      center = [46, 8]
      zoom = 14
      bearing = 90
      source = "topo"
      overlays = ["trails"]
      seconds = 12
      """)
    #expect(findings == [])
    let read = try #require(configuration)
    #expect(read.view.tourAfter == 300)
    #expect(read.tour.count == 2)
    #expect(read.tour[0].center == GeoPoint(lat: 46.02, lon: 7.75))
    #expect(read.tour[0].seconds == 10)
    #expect(read.tour[0].captions == ["de": "Das Tal"])
    #expect(read.tour[1].overlays == ["trails"])
    #expect(load("[[tour]]\nzoom = 3").1 == ["1: tour: center is missing"])
  }

  @Test func languagesAreAListOfDifferentOnes() throws {
    let (configuration, findings) = load("[hud]\nlanguages = [\"de\", \"pt-br\"]\nwords = \"w\"")
    #expect(findings == [])
    let hud = try #require(configuration).hud
    #expect(hud.languages == ["de", "pt-BR"])
    #expect(hud.words?.hasSuffix("/w") == true)
    for wrong in ["[]", "[\"de\", \"de\"]", "[\"local\"]", "[\"german!\"]", "\"de\""] {
      let findings = load("[hud]\nlanguages = \(wrong)").1
      #expect(findings.first?.hasPrefix("2: hud.languages") == true, "\(wrong)")
    }
  }

  @Test func markersHaveTranslations() throws {
    let (configuration, findings) = load(
      """
      [[marker]]
      id = "here"
      lat = 46
      lon = 7
      label = "You are here"
      "label.fr" = "Vous êtes ici"
      text = { en = "Hut", de = "Hütte" }
      """)
    #expect(findings == [])
    let marker = try #require(configuration?.markers.first)
    #expect(marker.labels == ["fr": "Vous êtes ici"])
    #expect(marker.text == nil)
    #expect(marker.texts == ["en": "Hut", "de": "Hütte"])
  }

  @Test func theBestTranslationIsTaken() {
    let texts: Translations = ["de": "d", "en": "e", "pt-BR": "b"]
    #expect(texts.text(in: "de-CH", else: "x") == "d")
    #expect(texts.text(in: "pt-BR", else: "x") == "b")
    #expect(texts.text(in: "pt", else: "x") == "x")
    #expect(texts.text(in: "fr", else: nil) == "e")
    #expect(Translations().text(in: "fr", else: nil) == nil)
  }
}
