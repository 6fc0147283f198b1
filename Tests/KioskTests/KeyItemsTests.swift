import Features
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
}
