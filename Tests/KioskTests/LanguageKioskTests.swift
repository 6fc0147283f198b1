import Control
import Foundation
import MapGeometry
import MapOverlays
import TestSupport
import Testing

@testable import Configuration
@testable import Kiosk

/// The languages of a running kiosk.
@Suite struct LanguageKioskTests: MarkerCase {
  private func bench(
    _ languages: [String], _ set: (inout Configuration) -> Void = { _ in }
  ) throws -> Bench {
    try bench {
      $0.hud.languages = languages
      $0.hud.toasts = true
      set(&$0)
    }
  }

  @Test func theNextLanguageIsSaidAndAfterTheLastComesTheFirst() throws {
    let bench = try bench(["de", "fr"])
    try bench.settle()
    #expect(bench.kiosk.language == "de")
    #expect(bench.kiosk.press(.languageNext) == nil)
    #expect(bench.kiosk.language == "fr")
    #expect(bench.kiosk.overMap.toast == "Français")
    #expect(bench.kiosk.press(.languageNext) == nil)
    #expect(bench.kiosk.overMap.words(.back) == "Zurück")
  }

  @Test func withOneLanguageThereIsNoNext() throws {
    let bench = try bench([])
    #expect(bench.kiosk.press(.languageNext)?.contains("hud.languages") == true)
    #expect(bench.kiosk.language == "en")
    #expect(!bench.kiosk.setLanguage("de"))
  }

  @Test func markersAndNoticesSpeakThePresentLanguage() throws {
    var hut = marker("hut", 40.98, 11.25, "Hut", "Open")
    hut.labels = ["fr": "Cabane"]
    hut.texts = ["fr": "Ouvert"]
    let bench = try bench(["en", "fr"]) { $0.markers = [hut] }
    _ = try bench.kiosk.setMarker([
      "id": "own", "lat": 41, "lon": 11, "label": "Spring", "label.fr": "Source",
    ])
    _ = try bench.kiosk.setNotice(["id": "n", "text": "Closed", "text.fr": "Fermé"])
    try bench.settle()
    #expect(bench.kiosk.markers["hut"]?.label == "Hut")
    #expect(bench.kiosk.setLanguage("fr"))
    try bench.settle()
    #expect(bench.kiosk.markers["hut"]?.label == "Cabane")
    #expect(bench.kiosk.markers["hut"]?.text == "Ouvert")
    #expect(bench.kiosk.markers["own"]?.label == "Source")
    #expect(bench.kiosk.overMap.notices.map(\.text) == ["Fermé"])
    #expect(bench.kiosk.setLanguage("en"))
    try bench.settle()
    #expect(bench.kiosk.markers["own"]?.label == "Spring")
    #expect(bench.kiosk.overMap.notices.map(\.text) == ["Closed"])
  }

  @Test func aLanguageWhoseLettersNoFontHasIsShownInEnglish() throws {
    let folder = try TemporaryFolder()
    let font = try folder.write("this is no font", to: "a.ttf")
    var hut = marker("hut", 40.98, 11.25, "Hut", "Open")
    hut.labels = ["ko": "오두막"]
    // A font that is named takes the place of the system's.
    let bench = try bench(["de", "ko"]) {
      $0.hud.fonts = [font]
      $0.hud.scaleBar = true
      $0.markers = [hut]
    }
    try bench.settle()
    func problem() -> String? {
      bench.kiosk.health.entries.first { $0.what == "hud.languages" }?.detail
    }
    #expect(bench.run { problem() != nil })
    #expect(problem()?.contains("\"ko\"") == true && problem()?.contains("\"de\"") == false)
    #expect(problem()?.contains("fonts-nanum") == true)
    #expect(bench.kiosk.overMap.words(.back) == "Zurück")
    #expect(bench.kiosk.setLanguage("ko"))
    try bench.settle()
    #expect(bench.kiosk.language == "ko")
    #expect(bench.kiosk.overMap.words(.back) == "Back")
    #expect(bench.kiosk.overMap.languages.ofNames == "en")
    #expect(bench.kiosk.markers["hut"]?.label == "Hut")
    // Without the language there is no problem.
    var configuration = bench.kiosk.configuration
    configuration.hud.languages = ["de"]
    bench.kiosk.apply(configuration)
    try bench.settle()
    #expect(problem() == nil)
  }

  @Test func translationsOfMarkersAreBounded() throws {
    let bench = try bench(["en"])
    let long = String(repeating: "x", count: 8000)
    var refused = 0
    for n in 0..<1100 {
      var table: JSONObject = ["id": .string("m\(n)"), "lat": 1, "lon": 1]
      table["text.de"] = .string(long)
      do { _ = try bench.kiosk.setMarker(.object(table)) } catch { refused += 1 }
    }
    #expect(refused > 0 && refused < 200)
  }

  @Test func aMarkerThatIsRefusedLeavesNoTranslations() throws {
    let bench = try bench(["en"])
    let long = String(repeating: "x", count: 8000)
    var table: JSONObject = ["lat": 1, "lon": 1, "text": .string(long)]
    // Fill the markers' own texts, without translations.
    for n in 0..<1100 {
      table["id"] = .string("m\(n)")
      _ = try? bench.kiosk.setMarker(.object(table))
    }
    table["text.de"] = .string(long)
    var refused = 0
    for n in 2000..<2100 {
      table["id"] = .string("m\(n)")
      do { _ = try bench.kiosk.setMarker(.object(table)) } catch { refused += 1 }
    }
    #expect(refused == 100)
    #expect(bench.kiosk.overMap.table.translated.isEmpty)
  }

  @Test func theReturnHomeBringsTheFirstLanguageBack() throws {
    let bench = try bench(["de", "fr"])
    _ = bench.kiosk.press(.languageNext)
    bench.kiosk.outbox.add(.homeDue)
    try bench.settle()
    #expect(bench.kiosk.language == "de")
  }

  @Test func aReloadKeepsTheLanguageWhereItIsStillThere() throws {
    let bench = try bench(["de", "fr"])
    _ = bench.kiosk.press(.languageNext)
    var new = bench.kiosk.configuration
    new.hud.languages = ["it", "fr"]
    bench.kiosk.apply(new)
    #expect(bench.kiosk.language == "fr")
    new.hud.languages = ["it"]
    bench.kiosk.apply(new)
    #expect(bench.kiosk.language == "it")
    new.hud.languages = []
    bench.kiosk.apply(new)
    #expect(bench.kiosk.language == "en")
    #expect(bench.kiosk.overMap.words(.back) == "Back")
  }

  @Test func filesCorrectWordsAndTheirMistakesAreAMatterOfHealth() throws {
    let folder = try TemporaryFolder()
    try Data("back = Retour\nbakc = x\n".utf8).write(to: URL(fileURLWithPath: folder["de.txt"]))
    let bench = try bench(["de"]) { $0.hud.words = folder.path }
    let end = Date().addingTimeInterval(60)
    while bench.kiosk.overMap.words(.back) != "Retour", Date() < end {
      bench.loop.runOnce(timeout: 50_000_000)
    }
    #expect(bench.kiosk.overMap.words(.back) == "Retour")
    #expect(bench.kiosk.overMap.words(.home) == "Start")
    let detail = bench.kiosk.health.entries.first { $0.what == "hud.words" }?.detail
    #expect(detail?.contains("de.txt:2: there is no word \"bakc\"") == true)
  }

  @Test func mistakesInWordsAreLoggedOnceHoweverOftenTheyAreRead() throws {
    let folder = try TemporaryFolder()
    func write(_ number: Int) throws {
      let mistakes = (0..<5).map { "wrong\($0) = x\n" }.joined()
      try Data("back = Retour \(number)\n\(mistakes)".utf8)
        .write(to: URL(fileURLWithPath: folder["de.txt"]))
    }
    try write(0)
    let bench = try bench(["de"]) { $0.hud.words = folder.path }
    var lines: [String] = []
    bench.kiosk.onLog = { if $1.hasPrefix("hud.words: ") { lines.append($1) } }
    for number in 0..<3 {
      if number > 0 {
        try write(number)
        bench.kiosk.apply(bench.kiosk.configuration)
      }
      #expect(bench.run { bench.kiosk.overMap.words(.back) == "Retour \(number)" })
    }
    // The health has the first three.
    #expect(lines.count == 2, "\(lines)")
  }

  @Test func cardsOfLinesAreInThePresentLanguage() throws {
    let json = """
      {"type":"Feature","geometry":{"type":"LineString","coordinates":[[10,40.98],[12,40.98]]},
      "properties":{"name":"Weg","trail_surface":"Kies","name:pt":"Caminho","name:fr":"Chemin",
      "trail_surface:fr":"gravier"}}
      """
    let bench = try bench(["de", "fr", "pt-BR"])
    _ = try bench.kiosk.addOverlay(
      ["name": "o", "geojson": .string(json), "card": ["trail_surface"]], trusted: true)
    try bench.settle()
    func card(_ language: String) throws -> TrailCard {
      _ = bench.kiosk.setLanguage(language)
      try bench.settle()
      _ = bench.kiosk.selection.clear()
      _ = bench.kiosk.selectFocused()
      return try #require(bench.kiosk.selection.card(bench.kiosk.overMap.words, .metric))
    }
    let german = try card("de")
    #expect(german.title == "Weg")
    #expect(german.facts == [TrailCard.Fact(label: "Trail surface", value: "Kies")])
    let french = try card("fr")
    #expect(french.title == "Chemin")
    #expect(french.facts.map(\.value) == ["gravier"])
    // A card that is open follows the language.
    _ = bench.kiosk.setLanguage("de")
    try bench.settle()
    #expect(bench.kiosk.selection.facts?.name == "Weg")
    let portuguese = try card("pt-BR")
    #expect(portuguese.title == "Caminho")
    #expect(portuguese.facts.map(\.value) == ["Kies"])
  }

  @Test func labelsOfOverlaysAreInThePresentLanguage() throws {
    let json = """
      {"type":"Feature","geometry":{"type":"Point","coordinates":[11.25,40.98]},
      "properties":{"name:fr":"Lac","name":"See","name:pt":"Lago"}}
      """
    let bench = try bench(["de", "fr", "pt-BR"])
    _ = try bench.kiosk.addOverlay(
      ["name": "o", "geojson": .string(json), "label": "name"], trusted: true)
    try bench.settle()
    func label() -> String? {
      guard let entry = bench.kiosk.overlays.first,
        let drawing = bench.kiosk.book.overlays.drawing(of: entry)
      else { return nil }
      return drawing.labels(minX: 0, minY: 0, maxX: 1, maxY: 1, limit: 9).first?.text
    }
    #expect(label() == "See")
    #expect(bench.kiosk.setLanguage("fr"))
    try bench.settle()
    #expect(label() == "Lac")
    #expect(bench.kiosk.setLanguage("pt-BR"))
    try bench.settle()
    #expect(label() == "Lago")
  }
}
