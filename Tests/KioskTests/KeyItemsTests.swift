import Drawing
import Features
import Glibc
import MapGeometry
import MapOverlays
import Testing
import Words

@testable import Kiosk

/// Which signs of overlays have an entry in the map key, and what it says.
@Suite struct KeyItemsTests {
  private func signs(_ set: FeatureSet, closed: Bool = false) -> [FeatureDrawing.FoundSign] {
    var style = OverlayStyle()
    style.isClosed = closed
    let bounds = GeoBounds(west: 0, south: 30, east: 30, north: 60)
    return FeatureDrawing(set, style: style).signs(in: bounds, most: 1000)
  }

  /// A track up a mountain and two places, coloured by elevation.
  private func track() throws -> FeatureSet {
    let points = (0..<40).map { step in
      "<trkpt lat=\"\(47 + Double(step) / 100)\" lon=\"8\"><ele>\(400 + step * 10)</ele></trkpt>"
    }
    let text =
      "<gpx><wpt lat=\"47.1\" lon=\"8.1\"><name>Spring</name></wpt>"
      + "<trk><name>Walk</name><trkseg>\(points.joined())</trkseg></trk></gpx>"
    return try FeatureSet(
      bytes: Array(text.utf8), name: "inline",
      options: FeatureOptions(labelKey: "name", colorBy: .elevation))
  }

  @Test func aLineOfWhichOnlyTheBoxIsSeenHasNoSign() throws {
    // North along the west of its box, then east along its north.
    let text = """
      {"type": "Feature", "properties": {}, "geometry":
      {"type": "LineString", "coordinates": [[0, 40], [0, 50], [10, 50]]}}
      """
    let set = try FeatureSet(bytes: Array(text.utf8), name: "inline", options: FeatureOptions())
    let drawing = FeatureDrawing(set, style: OverlayStyle())
    func count(_ lat: Double, _ lon: Double, turned: Double = 0, world: Double = 0) -> Int {
      var patch = MapPatch(
        middle: WebMercator.project(GeoPoint(lat: lat, lon: lon)),
        along: (cos(turned), sin(turned)), halfWidth: 4.0 / 360, halfHeight: 1.0 / 360)
      patch.middle.x += world
      let bounds = GeoBounds(west: -20, south: 30, east: 30, north: 60)
      return drawing.signs(in: bounds, seen: [patch], most: 100).count
    }
    #expect(count(43, 5) == 0)
    #expect(count(43, 3) == 1)
    #expect(count(43, 3, turned: .pi / 2) == 0)
    #expect(count(50, 9) == 1 && count(50, 15) == 0)
    // Another copy of the world is the same part of the map.
    #expect(count(43, 3, world: 1) == 1 && count(43, 3, world: -2) == 1)
  }

  @Test func aLineUnderThePanelAloneHasNoSign() throws {
    let text = """
      {"type": "Feature", "properties": {}, "geometry":
      {"type": "LineString", "coordinates": [[4.5, 45], [5.5, 45]]}}
      """
    let set = try FeatureSet(bytes: Array(text.utf8), name: "inline", options: FeatureOptions())
    let drawing = FeatureDrawing(set, style: OverlayStyle())
    func patch(_ lon: Double, _ half: Double) -> MapPatch {
      MapPatch(
        middle: WebMercator.project(GeoPoint(lat: 45, lon: lon)), along: (1, 0),
        halfWidth: half / 360, halfHeight: 1.0 / 360)
    }
    func count(_ seen: [MapPatch]?) -> Int {
      let bounds = GeoBounds(west: 0, south: 40, east: 10, north: 50)
      return drawing.signs(in: bounds, seen: seen, most: 100).count
    }
    #expect(count(nil) == 1 && count([patch(5, 3)]) == 1)
    // Beside a panel that reaches one degree to both sides, and beside one that leaves its end.
    #expect(count([patch(3, 1), patch(7, 1)]) == 0)
    #expect(count([patch(3, 1), patch(6.3, 1)]) == 1)
    #expect(count([]) == 0)
  }

  private let ramp = MapKey.Item(.ramp([0xFF00_00FF], least: "400 m", most: "790 m"), "Height")

  @Test func theDiscsOfATrackAreItsStartAndItsFinish() throws {
    let found = signs(try track())
    var items = KeyItems(.day, Words(language: "de"))
    items.add(found, title: "Tour", ramp: ramp)
    #expect(items.all.map(\.text) == ["Height", "Spring", "Start", "Ziel"])
    // Those of another track are the same.
    items.add(found, title: "Tour", ramp: ramp)
    #expect(items.all.count { $0.text == "Start" } == 1)
    #expect(items.all.count { $0.text == "Ziel" } == 1)
    // In red nights nobody can tell them from each other.
    var red = KeyItems(.red, Words(language: "de"))
    red.add(found, title: "Tour", ramp: ramp)
    #expect(red.all.map(\.text) == ["Height", "Spring", "Start / Ziel"])
  }

  /// A line and an area with the same name, a line with another one, and an area without a name.
  private func walks() throws -> FeatureSet {
    func feature(_ name: String?, _ geometry: String) -> String {
      let own = name.map { "{\"name\":\"\($0)\"}" } ?? "{\"stroke\":\"#00ff00\"}"
      return "{\"type\":\"Feature\",\"properties\":\(own),\"geometry\":\(geometry)}"
    }
    let line = #"{"type":"LineString","coordinates":[[8,47],[9,47]]}"#
    let area = #"{"type":"Polygon","coordinates":[[[8,46],[9,46],[9,45],[8,46]]]}"#
    let all = [feature("Park", line), feature("Wood", line), feature(nil, area)]
    let text = "{\"type\":\"FeatureCollection\",\"features\":[\(all.joined(separator: ","))]}"
    return try FeatureSet(
      bytes: Array(text.utf8), name: "inline", options: FeatureOptions(labelKey: "name"))
  }

  @Test func linesAndAreasOfAnOverlayWithTheSameNameShareAnEntry() throws {
    let found = signs(try walks())
    var items = KeyItems(.day, .english)
    items.add(found, title: "City walks", ramp: nil)
    #expect(items.all.map(\.text) == ["City walks"])
    #expect(items.all[0].signs.map(\.isLine) == [true, false])
    // The same words of another overlay are another entry.
    items.add(found, title: "City walks", ramp: nil)
    #expect(items.all.count == 2)
  }

  @Test func whatIsClosedHasOneEntryForLinesAndAreasOfAllOverlays() throws {
    let found = signs(try walks(), closed: true)
    var items = KeyItems(.night, .english)
    for _ in 0..<2 { items.add(found, title: "City walks", ramp: nil) }
    #expect(items.all.map(\.text) == ["Closed"])
    #expect(items.all[0].signs.map(\.isLine) == [true, false])
  }

  @Test func anEntryHasNoMoreSignsThanAreSeen() throws {
    func line(_ number: Int) -> String {
      "{\"type\":\"Feature\",\"properties\":{\"stroke\":\"#00ff0\(number)\"},\"geometry\":"
        + "{\"type\":\"LineString\",\"coordinates\":[[8,4\(number)],[9,47]]}}"
    }
    let all = (0..<6).map(line).joined(separator: ",")
    let text = "{\"type\":\"FeatureCollection\",\"features\":[\(all)]}"
    var items = KeyItems(.day, .english)
    items.add(signs(try FeatureSet(bytes: Array(text.utf8), name: "inline")), title: "W", ramp: nil)
    #expect(items.all.map(\.signs.count) == [4, 2])
  }

  private func look(
    _ icon: MarkerIcon, _ color: UInt32, count: Int = 1, _ label: String = ""
  ) -> MarkerLayer.ShownLook {
    MarkerLayer.ShownLook(icon: icon, color: color, isHere: false, count: count, label: label)
  }

  @Test func markersWithTheSameWordsShareAnEntryInAllTheirColours() {
    var items = KeyItems(.day, .english)
    let pins = [look(.pin, 1, count: 3), look(.pin, 2, count: 2), look(.dot, 3)]
    items.add(pins + [look(.hut, 4, "Cosy hut"), look(.pin, 5, count: 2)]) { _ in nil }
    #expect(items.all.map(\.text) == ["Place", "Cosy hut", "Place"])
    #expect(
      items.all[0].signs
        == pins.map { MapKey.Sign.icon($0.icon, $0.color, isHere: false) })
    #expect(items.all[2].signs == [.icon(.pin, 5, isHere: false)])
  }

  @Test func aNameOfTheConfigurationComesBeforeLabelsAndWords() {
    var items = KeyItems(.day, .english)
    let looks = [look(.info, 1, count: 2), look(.info, 2, "Info 7"), look(.bus, 3, count: 2)]
    items.add(looks) { $0 == .info ? "Bus stop" : nil }
    // The bus stops of Waypost's own word are the same to readers.
    #expect(items.all.map(\.text) == ["Bus stop"])
    #expect(items.all.first?.signs.count == 3)
  }
}
