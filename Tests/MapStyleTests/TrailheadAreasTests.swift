import CBundled
import Testing

@testable import MapStyle

/// Areas and roads of the bundled style are told apart, on the map and in its key.
@Suite struct TrailheadAreasTests {
  /// The layers of areas that meet each other.
  private static let names: Set<String> = [
    "earth", "residential", "industrial", "urban", "farmland", "grass", "scrub", "wood", "wetland",
    "rock", "sand", "glacier", "park", "water", "pedestrian", "building",
  ]
  /// The least difference, and the lower ones of docs/trailhead.md.
  private static let least = 6.0
  private static let lower: [Set<String>: Double] = [
    ["grass", "scrub"]: 3, ["scrub", "wood"]: 3, ["residential", "urban"]: 3,
    ["urban", "building"]: 3, ["residential", "pedestrian"]: 2.5, ["pedestrian", "building"]: 2.5,
    ["urban", "pedestrian"]: 4, ["earth", "pedestrian"]: 5, ["industrial", "rock"]: 5.5,
  ]

  private struct Area {
    var name: String
    var red, green, blue: Double
    var lab: LabColor { LabColor(red: red, green: green, blue: blue) }
  }

  private static func least(_ a: String, _ b: String) -> Double {
    // The ground shows through a protected area, which has an edge.
    if a == "park" || b == "park" { return 5 }
    return lower[[a, b]] ?? least
  }

  /// The areas of a style with what is seen of them.
  private func areas(_ schema: String, _ theme: String) throws -> [Area] {
    var size = 0
    let bytes = waypost_trailhead("\(schema)-\(theme).json", &size)
    let json = try StyleJSON.parse(UnsafeRawBufferPointer(start: bytes, count: size))
    let layers = try #require(json.object?["layers"]?.array).compactMap(\.object)
    let hasLand = layers.contains { $0["id"]?.string == "land" }
    var areas: [Area] = []
    for layer in layers {
      guard let id = layer["id"]?.string, let paint = layer["paint"]?.object else { continue }
      let isGround = id == (hasLand ? "land" : "background")
      let name = isGround ? "earth" : id
      guard TrailheadAreasTests.names.contains(name), isGround || layer["type"]?.string == "fill",
        let text = (paint["fill-color"] ?? paint["background-color"])?.string,
        let color = UInt32(text.dropFirst(), radix: 16)
      else { continue }
      func channel(_ shift: UInt32) -> Double { Double(color >> shift & 0xFF) }
      areas.append(Area(name: name, red: channel(16), green: channel(8), blue: channel(0)))
    }
    let ground = try #require(areas.first { $0.name == "earth" })
    for n in areas.indices where areas[n].name == "park" {
      areas[n].red = (areas[n].red + ground.red) / 2
      areas[n].green = (areas[n].green + ground.green) / 2
      areas[n].blue = (areas[n].blue + ground.blue) / 2
    }
    return areas
  }

  @Test(arguments: TrailheadTests.schemas, ["day", "night"])
  func anyTwoAreasAreToldApart(schema: String, theme: String) throws {
    let areas = try areas(schema, theme)
    #expect(areas.count >= (schema == "naturalearth" ? 4 : 12))
    for (n, one) in areas.enumerated() {
      for other in areas[..<n] {
        let difference = one.lab.difference(from: other.lab)
        let least = TrailheadAreasTests.least(one.name, other.name)
        #expect(difference >= least, "\(one.name) and \(other.name): \(difference)")
      }
    }
  }

  /// Lines of overlays have a contrast of 3:1 to water.
  @Test(arguments: TrailheadTests.schemas)
  func noLargeGroundIsLighterThanWaterAtNight(schema: String) throws {
    let areas = try areas(schema, "night")
    let water = try #require(areas.first { $0.name == "water" }).lab.light
    for area in areas where !["glacier", "urban", "building"].contains(area.name) {
      #expect(area.lab.light <= water, "\(area.name)")
    }
  }

  /// The key has a word for each, and a main road is the trunk road or the primary road.
  @Test(arguments: ["shortbread", "openmaptiles", "protomaps"], ["day", "night"])
  func motorwaysAndMainRoadsAreToldApart(schema: String, theme: String) throws {
    let roads = try roads(schema, theme)
    let motorway = try #require(roads["motorway"])
    let secondary = try #require(roads["secondary"])
    for name in ["trunk", "primary"] {
      let main = try #require(roads[name])
      #expect(motorway.difference(from: main) >= 12, "\(name)")
      #expect(main.difference(from: secondary) >= 6, "\(name)")
    }
  }

  /// The colours of a style's roads by their classes.
  private func roads(_ schema: String, _ theme: String) throws -> [String: LabColor] {
    var size = 0
    let bytes = waypost_trailhead("\(schema)-\(theme).json", &size)
    let json = try StyleJSON.parse(UnsafeRawBufferPointer(start: bytes, count: size))
    let layers = try #require(json.object?["layers"]?.array).compactMap(\.object)
    let layer = try #require(layers.first { $0["id"]?.string == "road" })
    // ["match", what, classes, colour, classes, colour, ..., the colour of other roads]
    let match = try #require(layer["paint"]?.object?["line-color"]?.array)
    var roads: [String: LabColor] = [:]
    for n in stride(from: 2, to: match.count - 1, by: 2) {
      guard let text = match[n + 1].string, let color = UInt32(text.dropFirst(), radix: 16) else {
        continue
      }
      func channel(_ shift: UInt32) -> Double { Double(color >> shift & 0xFF) }
      for name in match[n].array?.compactMap(\.string) ?? [] {
        roads[name] = LabColor(red: channel(16), green: channel(8), blue: channel(0))
      }
    }
    return roads
  }

  /// Published values: Sharma, Wu and Dalal (2005), table 1.
  @Test(
    arguments: [
      (LabColor(50, 2.6772, -79.7751), LabColor(50, 0, -82.7485), 2.0425),
      (LabColor(50, 2.5, 0), LabColor(50, 0, -2.5), 4.3065),
      (LabColor(50, 2.5, 0), LabColor(73, 25, -18), 27.1492),
      (LabColor(60.2574, -34.0099, 36.2677), LabColor(60.4626, -34.1751, 39.4387), 1.2644),
      (LabColor(22.7233, 20.0904, -46.694), LabColor(23.0331, 14.973, -42.5619), 2.0373),
      (LabColor(2.0776, 0.0795, -1.135), LabColor(0.9033, -0.0636, -0.5514), 0.9082),
    ] as [(LabColor, LabColor, Double)])
  func differencesAreThoseOfThePublishedExamples(
    _ one: LabColor, _ other: LabColor, _ difference: Double
  ) {
    #expect(abs(one.difference(from: other) - difference) < 1e-4)
    #expect(abs(other.difference(from: one) - difference) < 1e-4)
  }
}
