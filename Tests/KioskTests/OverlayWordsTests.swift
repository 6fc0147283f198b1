import Control
import MapOverlays
import TestSupport
import Testing

@testable import Configuration
@testable import Kiosk

/// Titles of overlays, and the names of properties on cards, in the language of the display.
@Suite struct OverlayWordsTests: MarkerCase {
  private static let way = """
    {"type":"Feature","geometry":{"type":"LineString","coordinates":[[10,40.98],[12,40.98]]},
    "properties":{"sac_scale":"T2","surface":"gravel"}}
    """

  private static let table: JSON = [
    "name": "ways_1", "geojson": .string(way), "title": "Walks", "title.de": "Wanderwege",
    "card": [
      "surface",
      [
        "property": "sac_scale", "name": "Difficulty", "name.de": "Schwierigkeit",
        "name.fr": "Cote",
      ],
    ],
  ]

  private func bench(
    _ languages: [String], _ set: (inout Configuration) -> Void = { _ in }
  ) throws -> Bench {
    try bench {
      $0.hud.languages = languages
      set(&$0)
    }
  }

  private func card(_ bench: Bench) -> TrailCard? {
    bench.kiosk.selection.card(bench.kiosk.overMap.words, .metric)
  }

  @Test func cardAndMapKeyFollowTheLanguage() throws {
    let bench = try bench(["en", "de", "fr"])
    _ = try bench.kiosk.addOverlay(Self.table, trusted: true)
    try bench.settle()
    #expect(bench.kiosk.selectLine(of: "ways_1", feature: 0) == nil)
    // The line has no name of its own: it is called by the title.
    #expect(card(bench)?.title == "Walks")
    #expect(card(bench)?.facts.map(\.label).sorted() == ["Difficulty", "Surface"])
    #expect(bench.kiosk.setLanguage("de"))
    try bench.settle()
    #expect(card(bench)?.title == "Wanderwege")
    #expect(card(bench)?.facts.map(\.label).sorted() == ["Belag", "Schwierigkeit"])
    #expect(card(bench)?.facts.map(\.value).sorted() == ["Schotter", "T2"])
    #expect(bench.kiosk.setLanguage("fr"))
    try bench.settle()
    #expect(card(bench)?.title == "Walks")
    #expect(card(bench)?.facts.map(\.label).sorted() == ["Cote", "Revêtement"])
    // Over the socket, properties have the names of the file.
    #expect(bench.kiosk.selectedLine?.facts.texts.map(\.key).sorted() == ["sac_scale", "surface"])
    bench.kiosk.clearSelection()
    #expect(bench.kiosk.press(.mapKey) == nil)
    func key() -> [String] {
      bench.kiosk.updatePanel()
      return bench.kiosk.shownKey.key?.items.map(\.text) ?? []
    }
    #expect(key() == ["Walks"])
    #expect(bench.kiosk.setLanguage("de"))
    try bench.settle()
    #expect(key() == ["Wanderwege"])
  }

  @Test func theLegendOfTheButtonsFollowsTheLanguage() throws {
    var overlay = Configuration.Overlay(
      name: "ways", content: .geoJSON(Self.way), level: .aboveRoads)
    (overlay.title, overlay.titles) = ("Walks", ["de": "Wanderwege"])
    var configuration = Configuration()
    configuration.overlays = [overlay]
    configuration.gpio.buttons = [
      .init(line: .offset(1), action: .overlayToggle("ways"), hold: .nothing)
    ]
    func face(_ language: String) -> String? {
      ButtonLegend(configuration, .init(language: language)).items.first?.text
    }
    #expect(face("en") == "Walks")
    #expect(face("de") == "Wanderwege")
  }

  @Test func theListGivesTheTitleThatPeopleRead() throws {
    let bench = try bench(["de", "en"])
    _ = try bench.kiosk.addOverlay(Self.table, trusted: true)
    let plain: JSON = ["name": "lake_path", "geojson": .string(Self.way)]
    _ = try bench.kiosk.addOverlay(plain, trusted: true)
    try bench.settle()
    func titles() -> [String?] { bench.kiosk.overlays.map { bench.kiosk.overlayTitle($0) } }
    #expect(titles() == ["Wanderwege", "Lake path"])
    #expect(bench.kiosk.setLanguage("en"))
    #expect(titles() == ["Walks", "Lake path"])
  }

  @Test func translationsOutlastARestart() throws {
    let folder = try TemporaryFolder()
    func open() throws -> Bench {
      try bench(["de"]) {
        $0.state.path = folder["state.json"]
        $0.state.keepAdded = true
      }
    }
    let first = try open()
    _ = try first.kiosk.addOverlay(Self.table, trusted: true)
    try first.settle()
    first.kiosk.saveState()
    let second = try open()
    second.kiosk.restoreState()
    try second.settle()
    let (old, new) = (first.kiosk.overlays.first?.spec, second.kiosk.overlays.first?.spec)
    #expect(new?.titles == ["de": "Wanderwege"])
    #expect(new?.card == old?.card && new?.card.last?.names.count == 2)
  }

  @Test func aMistakeInACardNamesTheParameterOfTheCall() throws {
    let bench = try bench([])
    let wrong: JSON = [
      "name": "a", "geojson": .string(Self.way), "card": [["property": "b", "names": "B"]],
      "title": "T", "travel": "none",
    ]
    #expect {
      _ = try bench.kiosk.addOverlay(wrong, trusted: true)
    } throws: {
      guard let error = $0 as? ControlError else { return false }
      return error.data?["parameter"] == "card" && error.message.contains("overlay.card.names")
    }
  }
}
