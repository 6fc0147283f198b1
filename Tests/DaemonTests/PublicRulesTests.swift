import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Configuration
@testable import Daemon

/// What `--check-config` finds about languages, notices and the tour.
@Suite struct PublicRulesTests {
  private func texts(_ change: (inout Configuration) -> Void) -> [String] {
    var configuration = Configuration()
    configuration.sources = [.init(name: "osm", location: .path("/maps/osm.mbtiles"))]
    change(&configuration)
    let rules = ConfigRules(configuration: configuration)
    return (rules.words + rules.publicNotes).map(\.text)
  }

  @Test func theDefaultsAreGood() { #expect(texts { _ in } == []) }

  @Test func aLanguageWithoutWordsIsToldUnlessAFileBringsThem() throws {
    #expect(texts { $0.hud.languages = ["de-CH", "fr", "zh-Hant"] } == [])
    let found = texts { $0.hud.languages = ["rm"] }
    #expect(found.first?.contains("no words in \"rm\"") == true)
    let folder = try TemporaryFolder()
    try Data("back = Enavos\n".utf8).write(to: URL(fileURLWithPath: folder["rm.txt"]))
    let with = texts {
      $0.hud.languages = ["rm"]
      $0.hud.words = folder.path
    }
    #expect(with == [])
    let without = texts {
      $0.hud.languages = ["rm", "tlh-CH", "de-CH"]
      $0.hud.words = folder.path
    }
    #expect(
      without == [
        "hud.words: \(folder.path): has no tlh.txt or tlh-CH.txt, and Waypost no words in \"tlh-CH\":"
          + " it says its own in English"
      ])
  }

  /// The folder may be on a medium that hangs, and the start waits for these warnings.
  @Test func theWarningsOfTheStartDoNotReadTheFolderOfWords() throws {
    let folder = try TemporaryFolder()
    let toml = "[hud]\nlanguages = [\"rm\"]\nwords = \"\(folder["none"])\"\n"
    try Data(toml.utf8).write(to: URL(fileURLWithPath: folder["a.toml"]))
    let result = ConfigurationLoader().load(files: [folder["a.toml"]])
    let rules = ConfigRules(configuration: try #require(result.configuration))
    #expect(rules.words.count == 1)
    let start = rules.warnings(in: result.places).map(\.finding.text)
    #expect(start.filter { $0.hasPrefix("hud.") } == [])
  }

  @Test func mistakesInFilesOfWordsHaveTheirFileAndLine() throws {
    let folder = try TemporaryFolder()
    try Data("# a\nhold-for = Halten\n".utf8).write(to: URL(fileURLWithPath: folder["de.txt"]))
    let found = texts {
      $0.hud.languages = ["de"]
      $0.hud.words = folder.path
    }
    #expect(
      found == ["hud.words: \(folder["de.txt"]):2: hold-for: the text has no value, and needs {0}"])
    let missing = texts { $0.hud.words = folder["none"] }
    #expect(missing.first?.contains("cannot be read") == true)
  }

  @Test func whatANoticeOrTheTourNamesMustBeThere() {
    let found = texts {
      var notice = Configuration.Notice(id: "a", text: "b")
      notice.closes = .overlay("trail", feature: nil)
      $0.notices = [notice]
      $0.overlays = [.init(name: "trails", content: .grid, level: .aboveLabels)]
      var stop = Configuration.TourStop(center: GeoPoint(lat: 0, lon: 0))
      (stop.source, stop.overlays) = ("osn", ["trails", "huts"])
      $0.tour = [stop]
    }
    #expect(
      found == [
        "notice \"a\" closes \"trail\", which is no configured overlay; perhaps \"trails\"",
        "tour: no base source is called \"osn\"; perhaps \"osm\"",
        "tour: no overlay is called \"huts\"",
        "tour: view.tour_after is not set, so that the tour never begins; give a time of rest before"
          + " it, such as \"5m\"",
      ])
    #expect(texts { $0.view.tourAfter = 60 }.count == 1)
  }

  @Test func aNoticeThatIsOverIsToldIfTheClockCanBeRight() {
    var configuration = Configuration()
    var notice = Configuration.Notice(id: "bridge", text: "Closed")
    notice.until = .init("2027-06-01T12:00:00Z")
    configuration.notices = [notice]
    func texts(_ now: Double?) -> [String] {
      var rules = ConfigRules(configuration: configuration)
      rules.now = now
      return rules.publicNotes.map(\.text)
    }
    let noon = 1_811_851_200.0
    #expect(
      texts(noon) == [
        "notice \"bridge\": until \"2027-06-01T12:00:00Z\" is over, so that it is not shown; remove"
          + " it, or give a later time"
      ])
    #expect(texts(noon - 1) == [])
    #expect(texts(nil) == [])
  }

  @Test func eachFindingHasItsOwnLine() throws {
    let folder = try TemporaryFolder()
    let toml = """
      [[source]]
      name = "osm"
      path = "osm.mbtiles"
      [[overlay]]
      kind = "grid"
      [[tour]]
      center = [46, 7]
      source = "osm"
      [[tour]]
      center = [46, 7]
      source = "osn"
      [[tour]]
      center = [46, 7]
      overlays = [
        "grid",
        "huts"]
      [[notice]]
      id = "a"
      text = "b"
      until = "2020-01-01"
      closes = "grit"
      [view]
      bounds = [5, 45, 10, 48]
      center = [46, 11]
      [[gpio.button]]
      line = 1
      action = "zoom-in"
      hold = "repeat"
      [[gpio.button]]
      line = 2
      action = "home"
      hold = "repeat"
      [[gpio.button]]
      line = 3
      action = "language-next"
      """
    try Data(toml.utf8).write(to: URL(fileURLWithPath: folder["a.toml"]))
    let result = ConfigurationLoader().load(files: [folder["a.toml"]])
    #expect(result.findings == [])
    var rules = ConfigRules(configuration: try #require(result.configuration))
    rules.now = 1_811_851_200
    let places = result.places
    let found = rules.notes().filter {
      $0.near != .key("state.path") && $0.near != .key("cache.memory")
    }
    .map { (line: $0.near.place(in: places).line, text: $0.text) }
    .sorted { $0.line < $1.line }
    #expect(found.map(\.line) == [6, 11, 16, 20, 21, 24, 32, 35])
    let words = [
      "tour_after", "\"osn\"", "\"huts\"", "is over", "\"grit\"", "[46, 11]", "\"home\"",
      "hud.languages",
    ]
    for (note, word) in zip(found, words) {
      #expect(note.text.contains(word), "\(note)")
    }
  }
}
