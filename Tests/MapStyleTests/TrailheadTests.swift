// Copyright Waypost contributors. Licence: Apache-2.0.
import CBundled
import Testing

@testable import MapStyle

@Suite struct TrailheadTests {
  static let schemas = ["protomaps", "openmaptiles", "shortbread", "naturalearth"]

  private func style(_ schema: String, _ theme: String) throws -> MapStyle {
    var size = 0
    let bytes = waypost_trailhead("\(schema)-\(theme).json", &size)
    return try MapStyle(json: UnsafeRawBufferPointer(start: bytes, count: size))
  }

  @Test(arguments: Self.schemas, ["day", "night", "red"])
  func theBundledStyleIsDrawnAsItSays(schema: String, theme: String) throws {
    let style = try style(schema, theme)
    #expect(style.findings.isEmpty, "\(style.findings)")
    #expect(style.name == "Trailhead \(theme)")
    #expect(style.sprite == "bundled://trailhead/sprite-\(theme == "day" ? "day" : "night")")
  }

  /// All colours of the style of red nights are greys, of which only the red is shown.
  @Test(arguments: Self.schemas)
  func redNightsHaveGreysAndTheLayersOfTheNight(schema: String) throws {
    var size = 0
    let start = waypost_trailhead("\(schema)-red.json", &size)
    let bytes = Array(UnsafeBufferPointer(start: start, count: size))
    let mark = UInt8(ascii: "#")
    var count = 0
    for (at, byte) in bytes.enumerated() where byte == mark && at + 6 < bytes.count {
      let digits = bytes[(at + 1)...(at + 6)].map { $0 }
      #expect(digits[0...1] == digits[2...3] && digits[2...3] == digits[4...5])
      count += 1
    }
    #expect(count > 20)
    let (red, night) = (try style(schema, "red"), try style(schema, "night"))
    #expect(red.layers.map(\.id) == night.layers.map(\.id))
  }

  @Test(arguments: Self.schemas)
  func dayAndNightDifferInColoursOnly(schema: String) throws {
    let day = try style(schema, "day")
    let night = try style(schema, "night")
    #expect(day.layers.map(\.id) == night.layers.map(\.id))
    #expect(day.layers.map(\.sourceLayer) == night.layers.map(\.sourceLayer))
    #expect(Set(day.layers.map(\.id)).count == day.layers.count)
  }

  /// Bridges and tunnels have layers of their own nearer: each zoom draws every piece of a road.
  @Test(arguments: ["protomaps", "openmaptiles", "shortbread"])
  func roadsAreWholeAtEveryZoom(schema: String) throws {
    let layers = try style(schema, "day").layers
    for zoom in 0...22 {
      let ids = Set(layers.filter { $0.isDrawn(at: Double(zoom)) }.map(\.id))
      let isWhole = ids.contains("road-far")
      let hasParts = ids.isSuperset(of: ["road", "bridge", "tunnel"])
      #expect(isWhole != hasParts, "zoom \(zoom)")
    }
  }

  /// OpenMapTiles has the kind of information as subclass, or nothing if it is unknown.
  @Test(arguments: [
    ("openmaptiles", ["class": "information", "subclass": "office"], true),
    ("openmaptiles", ["class": "information", "subclass": "visitor_centre"], true),
    ("openmaptiles", ["class": "information"], true),
    ("openmaptiles", ["class": "information", "subclass": "board"], false),
    ("openmaptiles", ["class": "hospital", "subclass": "hospital"], true),
    ("shortbread", ["tourism": "information", "information": "office"], true),
    ("shortbread", ["tourism": "information"], true),
    ("shortbread", ["tourism": "information", "information": "guidepost"], false),
    ("protomaps", ["kind": "information"], true),
  ])
  func touristOfficesAreShownAndBoardsAreNot(
    schema: String, properties: [String: String], isShown: Bool
  ) throws {
    let layer = try #require(style(schema, "day").layers.first { $0.id == "poi-near" })
    let feature = StyleFeature(
      geometry: .point, properties: properties.mapValues { .string($0) })
    let filter = try #require(layer.filter)
    #expect(filter.matches(StyleContext(zoom: 16, feature: feature)) == isShown)
  }
}
