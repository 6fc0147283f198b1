import Features
import Foundation
import MapGeometry
import TestSupport
import Testing

@testable import MapOverlays
@testable import MapScene

/// Areas, lines and circles, and their styles.
@Suite struct FeatureDrawingTests {
  @Test func lesothoIsAHoleInSouthAfrica() throws {
    let all = try FeatureSet.fixture("geojson/natural-earth-four.geojson", label: "name")
    let number = all.features.firstIndex { all.label(of: $0) == "South Africa" }
    var set = all
    set = try .text(Self.only(try #require(number)))
    let world = try OverlayPicture.world(FeatureDrawing(set, style: .filled), level: 3)
    #expect(world.at(lon: 28.25, lat: -29.6) == 0)
    #expect(world.at(lon: 24, lat: -31) == 0xFFFF_FFFF)
  }

  /// One feature of the fixture, by its place.
  private static func only(_ number: Int) throws -> String {
    let path = TestData.fixtures + "/overlays/geojson/natural-earth-four.geojson"
    let data = try Data(contentsOf: URL(fileURLWithPath: path))
    let json = try JSONSerialization.jsonObject(with: data) as? [String: Any]
    let features = json?["features"] as? [Any]
    let feature = try JSONSerialization.data(withJSONObject: features?[number] ?? [:])
    return String(decoding: feature, as: UTF8.self)
  }

  @Test func featuresPaintOverEachOtherAndNeverCancel() throws {
    func box(_ west: Int, _ east: Int, _ fill: String) -> String {
      "{\"type\": \"Feature\", \"properties\": {\"fill\": \"\(fill)\", \"fill-opacity\": 1, "
        + "\"stroke-width\": 0}, \"geometry\": {\"type\": \"Polygon\", \"coordinates\": "
        + "[[[\(west), -40], [\(east), -40], [\(east), 40], [\(west), 40], [\(west), -40]]]}}"
    }
    let set = try FeatureSet.text(
      "{\"type\": \"FeatureCollection\", \"features\": "
        + "[\(box(-60, 20, "#ff0000")), \(box(-20, 60, "#0000ff"))]}")
    let world = try OverlayPicture.world(FeatureDrawing(set), level: 1)
    #expect(world.at(lon: -40, lat: 0) == 0xFFFF_0000)
    #expect(world.at(lon: 0, lat: 0) == 0xFF00_00FF)
    #expect(world.at(lon: 40, lat: 0) == 0xFF00_00FF)
    #expect(world.at(lon: 80, lat: 0) == 0)
  }

  @Test func anOwnStyleGoesBeforeTheOverlaysAndThatBeforeTheDefault() throws {
    var own = FeatureStyle()
    own.stroke = 0x112233
    own.fillOpacity = 0.5
    let overlay = OverlayStyle(stroke: 0xFF44_5566, strokeWidth: 7, fill: 0xFF77_8899)
    let drawn = DrawnStyle(own, overlay)
    #expect(drawn.stroke == 0xFF11_2233 && drawn.strokeWidth == 7 && drawn.fill == 0x8077_8899)
    let plain = DrawnStyle(FeatureStyle(), OverlayStyle())
    #expect(plain.stroke == OverlayStyle.defaultStroke)
    #expect(plain.fill == 0x33C0_392B && plain.strokeWidth == 2)
    own.fill = 0xABCDEF
    own.fillOpacity = nil
    #expect(DrawnStyle(own, overlay).fill == 0x99AB_CDEF)
    // Every colour goes through the theme.
    let dark = DrawnStyle(own, OverlayStyle(transform: { $0 & 0xFF0F_0F0F }))
    #expect(dark.stroke == 0xFF01_0203 && dark.fill == 0x990B_0D0F)
    #expect(dark.marker == 0xFF01_0203 && dark.markerRim == 0xFF0F_0F0F)
  }

  @Test func aCircleIsRoundAndHasItsRadius() throws {
    // 50 km on the equator.
    let text =
      "{\"type\": \"Feature\", \"properties\": {\"radius\": 50000}, \"geometry\": "
      + "{\"type\": \"Point\", \"coordinates\": [0, 0]}}"
    let drawing = FeatureDrawing(try .text(text), style: .filled)
    #expect(drawing.features.parts[0].kind == .circle)
    let picture = try OverlayPicture.tiles(drawing, level: 7, x: 63..<65, y: 63..<65)
    let radius = 50_000 / 40_075_016.7 * 256 * 128
    let area = picture.words.reduce(0.0) { $0 + Double($1 >> 24) / 255 }
    #expect(abs(area - Double.pi * radius * radius) < area * 0.005)
  }

  @Test func whatIsSmallerThanAPixelIsStillSeen() throws {
    let text =
      "{\"type\": \"Polygon\", \"coordinates\": "
      + "[[[8, 47], [8.0001, 47], [8.0001, 47.0001], [8, 47]]]}"
    let world = try OverlayPicture.world(FeatureDrawing(try .text(text)), level: 0)
    #expect(world.words.contains { $0 >> 24 > 100 })
  }

  @Test func aSourceOfFeaturesSaysWhatItIs() throws {
    let source = FeatureSource(FeatureDrawing(try .fixture("gpx/style.gpx")))
    #expect(source.info.kind == "gpx")
    #expect(source.info.minZoom == 0 && source.info.maxZoom == 24)
    let bounds = try #require(source.info.bounds)
    #expect(abs(bounds.west + 106.468433) < 1e-5 && abs(bounds.north - 39.043153) < 1e-5)
    #expect(try source.tile(at: .world) == nil && source.contains(.world))
  }
}
