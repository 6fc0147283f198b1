import Configuration
import Control
import MapGeometry
import MapLabels
import MapOverlays
import Testing
import TileSources

@testable import Kiosk

/// Names along the lines of overlays.
@Suite struct OverlayNamesTests: OverlayCase {
  private static func line(
    _ name: String, _ positions: [(Double, Double)], color: String = "#c62828"
  ) -> String {
    let list = positions.map { "[\($0.0),\($0.1)]" }.joined(separator: ",")
    return "{\"type\":\"Feature\",\"properties\":{\"name\":\"\(name)\",\"stroke\":\"\(color)\"},"
      + "\"geometry\":{\"type\":\"LineString\",\"coordinates\":[\(list)]}}"
  }

  private func add(
    _ bench: Bench, _ features: String, level: String = "above-roads", minZoom: Double = 0
  ) throws {
    _ = try bench.kiosk.addOverlay(
      [
        "name": "trails", "label": "name", "level": .string(level),
        "min_zoom": .double(minZoom), "geojson": try JSON.parse(features),
      ], trusted: false)
  }

  /// The names that are placed, and whether they turn with the map.
  private func names(_ bench: Bench) -> [String: Bool] {
    let labels = bench.kiosk.baseLabels.placement?.labels ?? []
    return Dictionary(labels.map { ($0.shape.text, $0.turnsWithMap) }) { $0 || $1 }
  }

  private let straight = OverlayNamesTests.line("Ridge trail", [(-30, -3), (30, 3)])

  @Test func aTrailsNameStandsAlongItOnAMapOfPictures() throws {
    let bench = try bench()
    try add(bench, straight)
    try bench.show(GeoPoint(lat: 0, lon: 0), 4)
    #expect(names(bench) == ["Ridge trail": true])
    #expect(!bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
    #expect(bench.kiosk.overMap.sprites(on: .labels).isEmpty, "and not upright, too")
    #expect(!bench.kiosk.baseLabels.isPending)
  }

  @Test func itIsBesideTheLineSoThatBothAreSeen() throws {
    let bench = try bench()
    try add(bench, Self.line("Ridge trail", [(-30, 0), (30, 0)], color: "#0000ff"))
    try bench.show(GeoPoint(lat: 0, lon: 0), 4)
    let panel = bench.panel()
    // The line is whole: its middle row has its colour everywhere.
    let row = (0..<400).map { panel[$0, 150] }
    #expect(row.allSatisfy { $0 == row[0] })
    #expect(row[0] & 0xFF > 0xF0 && row[0] >> 16 & 0xFF < 0x10)
    for sprite in bench.kiosk.overMap.sprites(on: .mapLabels) {
      #expect(sprite.rect.y + sprite.rect.height / 2 < 150)
    }
  }

  @Test func aWindingTrailIsNamedUprightBesideIt() throws {
    let bench = try bench()
    let zigzag = (0...40).map { (Double($0) - 20, $0 % 2 == 0 ? -1.5 : 1.5) }
    try add(bench, Self.line("Hairpins", zigzag))
    try bench.show(GeoPoint(lat: 0, lon: 0), 4)
    #expect(names(bench) == ["Hairpins": false])
  }

  @Test func aNameMuchLongerThanItsTrailIsLeftOut() throws {
    let bench = try bench()
    try add(bench, Self.line("A very long name for a path", [(0, 0), (1, 0)]))
    try bench.show(GeoPoint(lat: 0, lon: 0), 4)
    #expect(names(bench).isEmpty)
    try bench.show(GeoPoint(lat: 0, lon: 0.5), 9)
    #expect(names(bench) == ["A very long name for a path": true])
  }

  @Test func whereverALongTrailIsLookedAtItsNameIsThere() throws {
    let bench = try bench()
    try add(bench, Self.line("Coast path", [(-60, 0), (60, 0)]))
    for lon in [-50.0, -7, 20, 43] {
      try bench.show(GeoPoint(lat: 0, lon: lon), 7.5)
      #expect(names(bench) == ["Coast path": true], "at \(lon)")
      #expect(!bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
    }
  }

  @Test func whereAMarkerCoversTheBestPlaceAnotherIsTaken() throws {
    let bench = try bench()
    try add(bench, straight)
    let center = GeoPoint(lat: 0, lon: 0)
    try bench.show(center, 4)
    for n in 0..<3 {
      // On the name's place, wherever it goes.
      let label = try #require(
        bench.kiosk.baseLabels.placement?.labels.first { !$0.isLeaving }, "after \(n) markers")
      let place = WebMercator.unproject(label.anchor)
      _ = try bench.kiosk.setMarker([
        "id": .string("m\(n)"), "lat": .double(place.lat), "lon": .double(place.lon),
      ])
      try bench.show(center, 4)
    }
    #expect(names(bench) == ["Ridge trail": true])
    var obstacles: [PixelRect] = []
    bench.kiosk.overMap.addObstacles(to: &obstacles)
    let sprite = try #require(bench.kiosk.overMap.sprites(on: .mapLabels).first)
    #expect(!obstacles.contains { $0.intersects(sprite.rect) })
  }

  @Test func equalNamesKeepTheirDistance() throws {
    let bench = try bench()
    try add(bench, Self.line("Coast path", [(-60, 0), (60, 0)]))
    try bench.show(GeoPoint(lat: 0, lon: 0), 6)
    let columns = (bench.kiosk.baseLabels.placement?.labels ?? []).map(\.x).sorted()
    #expect(columns.count > 1)
    #expect(zip(columns, columns.dropFirst()).allSatisfy { $0.1 - $0.0 >= 179 })
  }

  @Test func anOverlayThatIsNotShownHasNoNames() throws {
    let bench = try bench()
    try add(bench, straight, minZoom: 4.5)
    try bench.show(GeoPoint(lat: 0, lon: 0), 4)
    #expect(bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
    try bench.show(GeoPoint(lat: 0, lon: 0), 5)
    #expect(!bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
    _ = bench.kiosk.showOverlay("trails", false)
    try bench.settle()
    #expect(bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
    _ = bench.kiosk.showOverlay("trails", true)
    try bench.settle()
    #expect(!bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
    bench.kiosk.removeOverlay("trails")
    try bench.settle()
    #expect(bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
    #expect(bench.kiosk.baseLabels.bytes == 0)
  }

  @Test func linesAboveTheMapsLabelsAreNamedUpright() throws {
    let bench = try bench()
    try add(bench, straight, level: "above-labels")
    try bench.show(GeoPoint(lat: 0, lon: 0), 4)
    #expect(bench.kiosk.overMap.sprites(on: .mapLabels).isEmpty)
    #expect(!bench.kiosk.overMap.sprites(on: .labels).isEmpty)
  }

  /// A painted map whose tiles are named by their columns.
  private static func numbers() -> PlainSource {
    var settings = LabelSettings()
    settings.textSize = 12
    return PlainSource(settings) { "\($0.x)" }
  }

  @Test func theNamesOfAVectorMapStayBesideThem() throws {
    let bench = try Bench([], width: 640, height: 480) {
      $0.view.zoom = 4.3
      $0.view.center = GeoPoint(lat: 0, lon: 0)
    }
    #expect(bench.kiosk.addSource("names") { .success(Self.numbers()) })
    try bench.settle()
    let before = names(bench)
    #expect(before.count > 2)
    try add(bench, Self.line("Ridge trail", [(-30, 0.5), (30, 0.5)]))
    try bench.settle()
    var after = names(bench)
    #expect(after.removeValue(forKey: "Ridge trail") == true)
    // One or another gives way.
    #expect(after.count > before.count / 2)
    let rects = bench.kiosk.overMap.sprites(on: .mapLabels).map(\.rect)
    #expect(rects.count > 2)
    bench.kiosk.removeOverlay("trails")
    try bench.settle()
    #expect(names(bench) == before)
  }
}
