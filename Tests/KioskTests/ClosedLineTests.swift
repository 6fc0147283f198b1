import Control
import MapGeometry
import MapOverlays
import Testing

@testable import Configuration
@testable import Kiosk

/// A line that a notice closes, while it is selected.
@Suite struct ClosedLineTests: MarkerCase {
  private static let ways = """
    {"type":"FeatureCollection","features":[
    {"type":"Feature","properties":{"name":"Ridge","name:de":"Grat"},"geometry":{"type":"LineString",
    "coordinates":[[3.25,40.98],[19.25,40.98]]}},
    {"type":"Feature","properties":{"name":"Lake"},"geometry":{"type":"LineString",
    "coordinates":[[3.25,40],[19.25,40]]}}]}
    """

  private func bench() throws -> Bench {
    let bench = try bench(width: 800, height: 480) { $0.hud.languages = ["en", "de"] }
    _ = try bench.kiosk.addOverlay(
      ["name": "ways", "geojson": .string(Self.ways), "stroke": "#0000ff", "stroke_width": 4],
      trusted: true)
    try bench.settle()
    return bench
  }

  private func close(_ bench: Bench, _ id: String = "n", _ feature: String? = "Ridge") throws {
    var table: JSONObject = [
      "id": .string(id), "text": "Rockfall", "text.de": "Steinschlag", "closes": "ways",
    ]
    table["feature"] = feature.map { .string($0) }
    _ = try bench.kiosk.setNotice(.object(table))
    try bench.settle()
  }

  private func card(_ bench: Bench) throws -> TrailCard {
    try #require(bench.kiosk.selection.card(bench.kiosk.overMap.words, .metric))
  }

  /// How much of the selected line has a colour, 0 to 1, so many pixels beside its middle.
  private func share(_ color: UInt32, _ bench: Bench, beside: Int = 0) throws -> Double {
    try bench.settle()
    let picture = bench.panel()
    let ends = [5.0, 18].map { bench.kiosk.shownView.screen(GeoPoint(lat: 40.98, lon: $0)) }
    let columns = Int(ends[0].x)..<Int(ends[1].x)
    let row = Int(ends[0].y) + beside
    let found = columns.count { picture[$0, row] & 0xFF_FFFF == color & 0xFF_FFFF }
    return Double(found) / Double(columns.count)
  }

  @Test func aSelectedLineIsDrawnAsClosedWhileItIs() throws {
    let bench = try bench()
    #expect(bench.kiosk.selectLine(of: "ways", feature: 0) == nil)
    #expect(try share(0x0000FF, bench) == 1)
    for row in [-8, -7, 7, 8] {
      #expect(try share(PictureTheme.day.halo, bench, beside: row) == 0)
    }
    try close(bench)
    let dashes = try share(OverlayStyle.closed, bench)
    let gaps = try share(PictureTheme.day.halo, bench)
    // Dashes of 3 points with gaps of 5, and what is half covered at their ends.
    #expect((0.1...0.38).contains(dashes), "\(dashes)")
    #expect((0.3...0.65).contains(gaps), "\(gaps)")
    // The rims of signs for "no entry" reach beyond the ring.
    for rows in [[-8, -7], [7, 8]] {
      let rims = try rows.reduce(0) { try $0 + share(PictureTheme.day.halo, bench, beside: $1) }
      #expect((0.005...0.2).contains(rims), "\(rows): \(rims)")
    }
    #expect(bench.kiosk.selectedLine?.facts.isClosed == true)
    #expect(bench.kiosk.removeNotice("n"))
    #expect(try share(0x0000FF, bench) == 1)
    #expect(bench.kiosk.selectedLine?.facts.isClosed == false)
  }

  @Test func theCardSaysThatTheLineIsClosedAndWhy() throws {
    let bench = try bench()
    #expect(bench.kiosk.selectLine(of: "ways", feature: 0) == nil)
    #expect(try card(bench).closed == "" && card(bench).reasons == [])
    try close(bench)
    #expect(try card(bench).closed == "Closed")
    #expect(try card(bench).reasons == ["Rockfall"])
    #expect(bench.kiosk.setLanguage("de"))
    try bench.settle()
    #expect(try card(bench).title == "Grat")
    #expect(try card(bench).closed == "Gesperrt")
    #expect(try card(bench).reasons == ["Steinschlag"])
    // Another text of the same notice.
    _ = try bench.kiosk.setNotice([
      "id": "n", "text": "Snow", "closes": "ways", "feature": "Ridge",
    ])
    try bench.settle()
    #expect(try card(bench).reasons == ["Snow"])
    // A worse notice for the whole overlay comes first; one for another line is not of this one.
    _ = try bench.kiosk.setNotice([
      "id": "all", "text": "Fire", "closes": "ways", "severity": "danger",
    ])
    try close(bench, "lake", "Lake")
    #expect(try card(bench).reasons == ["Fire", "Snow"])
  }

  @Test func theMapKeySaysOnceWhatTheSignOfClosedLinesMeans() throws {
    let bench = try bench()
    _ = try bench.kiosk.addOverlay(
      [
        "name": "other", "geojson": .string(Self.ways), "title": "Other ways", "stroke_width": 4,
      ], trusted: true)
    try close(bench)
    _ = try bench.kiosk.setNotice(["id": "b", "text": "x", "closes": "other"])
    try bench.settle()
    #expect(bench.kiosk.press(.mapKey) == nil)
    bench.kiosk.updatePanel()
    let names = bench.kiosk.shownKey.key?.items.map(\.text) ?? []
    // Both overlays have lines of the same width, so their signs are alike.
    #expect(names.count { $0 == "Closed" } == 1, "\(names)")
    #expect(names.contains("Ways") && !names.contains("Other ways"), "\(names)")
  }

  @Test func aClosedLineBehindManyLooksIsInTheKey() throws {
    let bench = try bench()
    // Ten looks, and the last line is closed.
    let lines = (0..<10).map {
      #"{"type":"Feature","properties":{"name":"L\#($0)","stroke-width":\#($0 + 1)},"#
        + #""geometry":{"type":"LineString","coordinates":[[3.25,4\#($0 % 2)],[19.25,41]]}}"#
    }
    let all = #"{"type":"FeatureCollection","features":[\#(lines.joined(separator: ","))]}"#
    _ = try bench.kiosk.addOverlay(
      ["name": "many", "geojson": .string(all), "title": "Many", "label": "name"], trusted: true)
    _ = try bench.kiosk.setNotice([
      "id": "n", "text": "Rockfall", "closes": "many", "feature": "L9",
    ])
    try bench.settle()
    #expect(bench.kiosk.press(.mapKey) == nil)
    bench.kiosk.updatePanel()
    let names = bench.kiosk.shownKey.key?.items.map(\.text) ?? []
    #expect(names.count { $0 == "Closed" } == 1, "\(names)")
    #expect(names.count { $0.hasPrefix("L") } == 6, "\(names)")
  }

  @Test func aLineThatANoticeBringsIsCalledClosed() throws {
    let bench = try bench()
    let line = #"{"type":"LineString","coordinates":[[3.25,41.5],[19.25,41.5]]}"#
    _ = try bench.kiosk.setNotice([
      "id": "n", "text": "Rockfall", "geojson": try JSON.parse(line),
    ])
    try bench.settle()
    #expect(bench.kiosk.selectLine(of: "notice:n", feature: 0) == nil)
    #expect(try card(bench).title == "Closed")
    #expect(try card(bench).closed == "")
    #expect(try card(bench).reasons == ["Rockfall"])
    bench.kiosk.clearSelection()
    #expect(bench.kiosk.press(.mapKey) == nil)
    bench.kiosk.updatePanel()
    let names = bench.kiosk.shownKey.key?.items.map(\.text) ?? []
    #expect(names.contains("Closed"), "\(names)")
  }
  @Test func aNoticeOfAClosedLineAlsoSaysSoInAFewWordsOfTheLanguage() throws {
    let bench = try bench()
    func short() throws -> String? {
      try bench.settle()
      return bench.kiosk.overMap.notices.first?.short
    }
    try close(bench)
    #expect(try short() == "Closed: Ridge")
    #expect(bench.kiosk.setLanguage("de"))
    #expect(try short() == "Gesperrt: Grat")
    try close(bench, "n", nil)
    let entry = try #require(bench.kiosk.overlays.first { $0.name == "ways" })
    #expect(try short() == bench.kiosk.overlayTitle(entry).map { "Gesperrt: \($0)" } ?? "")
    // What it closes is not open, or it closes nothing.
    _ = try bench.kiosk.setNotice(["id": "n", "text": "Rockfall", "closes": "later"])
    #expect(try short() == "")
    _ = try bench.kiosk.setNotice(["id": "n", "text": "Rockfall"])
    #expect(try short() == "")
    // Its overlay comes after the notice.
    _ = try bench.kiosk.setNotice([
      "id": "n", "text": "Rockfall", "closes": "later", "feature": "Lake",
    ])
    #expect(try short() == "")
    _ = try bench.kiosk.addOverlay(
      ["name": "later", "geojson": .string(Self.ways)], trusted: true)
    #expect(try short() == "Gesperrt: Lake")
  }

  @Test func theNameOfAClosedLineIsLookedForOnceInADrawing() throws {
    let bench = try bench()
    try close(bench)
    let names = bench.kiosk.closedNames
    let searches = names.searches
    #expect(searches > 0)
    // As with each change of a layer.
    for _ in 0..<3 { bench.kiosk.showNotices() }
    #expect(names.searches == searches)
    #expect(bench.kiosk.overMap.notices.first?.short == "Closed: Ridge")
    // Another language has another drawing.
    #expect(bench.kiosk.setLanguage("de"))
    try bench.settle()
    #expect(names.searches > searches)
    #expect(bench.kiosk.overMap.notices.first?.short == "Gesperrt: Grat")
    // Only so many are remembered.
    let entry = try #require(bench.kiosk.overlays.first { $0.name == "ways" })
    let drawing = try #require(bench.kiosk.book.overlays.drawing(of: entry))
    for n in 0..<1000 { #expect(names.name(of: "\(n)", in: "ways", drawing) == nil) }
    #expect(names.count <= ClosedNames.capacity)
  }
}
