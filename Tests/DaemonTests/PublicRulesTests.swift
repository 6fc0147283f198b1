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
    return ConfigRules(configuration: configuration).publicNotes.map(\.text)
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
      ])
    #expect(texts { $0.view.tourAfter = 60 }.count == 1)
  }
}
