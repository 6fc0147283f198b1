import Features
import Foundation
import MapGeometry
import TestSupport
import Testing

@testable import MapOverlays
@testable import MapScene

/// Features at the world's edge: the antimeridian and the poles.
@Suite struct WorldEdgeTests {
  static let antimeridian: [String] = {
    let folder = TestData.fixtures + "/overlays/geojson/antimeridian/expected-split"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted()
  }()

  @Test(arguments: antimeridian)
  func whatCrossesTheAntimeridianIsDrawnAsItsCut(_ name: String) throws {
    let input = try FeatureSet.fixture("geojson/antimeridian/input/" + name)
    let split = try FeatureSet.fixture("geojson/antimeridian/expected-split/" + name)
    for style in [OverlayStyle.filled, OverlayStyle.red] {
      let one = try OverlayPicture.world(FeatureDrawing(input, style: style), level: 2)
      let other = try OverlayPicture.world(FeatureDrawing(split, style: style), level: 2)
      let isLine = input.parts.allSatisfy { $0.kind == .line }
      #expect(other.words.contains { $0 != 0 } || isLine && style.strokeWidth == 0)
      // A cut's latitude is rounded in the files: that moves an edge by less than half a pixel.
      let wrong = one.differences(from: other, tolerance: 128)
      #expect(wrong == 0, "\(name): \(wrong) pixels")
    }
  }

  @Test func aHolesDirectionIsNoMatterAcrossTheAntimeridian() throws {
    let folder = "geojson/antimeridian/"
    let one = try FeatureSet.fixture(folder + "input/one-ccw-hole.json")
    let other = try FeatureSet.fixture(folder + "expected-split/one-hole.json")
    let pictures = try [one, other].map {
      try OverlayPicture.world(FeatureDrawing($0, style: .filled), level: 2)
    }
    #expect(pictures[0].differences(from: pictures[1], tolerance: 128) == 0)
  }

  @Test func antarcticaFillsTheSouthAndHasNoOutlineThere() throws {
    let set = try FeatureSet.fixture("geojson/natural-earth-four.geojson")
    let world = try OverlayPicture.world(FeatureDrawing(set, style: .red), level: 2)
    for lon in stride(from: -175.0, through: 175, by: 10) {
      #expect(world.at(lon: lon, lat: -84.9) == 0xFF00_FF00 || lon < -140, "\(lon)")
    }
    #expect(world.at(lon: 30, lat: -85.05) == 0xFF00_FF00)
    #expect(world[world.edge - 1, world.edge - 3] == 0xFF00_FF00)
    #expect(world.at(lon: 0, lat: 80) == 0)
  }

  @Test func fijiIsDrawnAtBothEdgesOfTheWorld() throws {
    let set = try FeatureSet.fixture("geojson/natural-earth-four.geojson")
    let drawing = FeatureDrawing(set, style: .red)
    let east = try OverlayPicture.tiles(drawing, level: 5, x: 31..<32, y: 17..<18)
    let west = try OverlayPicture.tiles(drawing, level: 5, x: 0..<1, y: 17..<18)
    #expect(east.words.contains(0xFF00_FF00) && west.words.contains(0xFF00_FF00))
  }

  @Test func aLineAtTheWorldsEdgeIsAsWideOnBothSides() throws {
    let line = "{\"type\": \"LineString\", \"coordinates\": [[180, -40], [180, 40]]}"
    let drawing = FeatureDrawing(
      try .text(line), style: OverlayStyle(stroke: 0xFFFF_0000, strokeWidth: 10))
    let world = try OverlayPicture.world(drawing, level: 1)
    for x in 0..<5 {
      #expect(world[x, 256] == 0xFFFF_0000 && world[511 - x, 256] == 0xFFFF_0000, "\(x)")
    }
    #expect(world[5, 256] == 0 && world[506, 256] == 0)
    // A place's disc too.
    let place = FeatureDrawing(try .text("{\"type\": \"Point\", \"coordinates\": [-180, 0]}"))
    let dots = try OverlayPicture.world(place, level: 1)
    #expect(dots[0, 256] == 0xFFC0_392B && dots[511, 256] == 0xFFC0_392B)
  }

  @Test func aCircleAtTheDatelineIsSeenOnBothSides() throws {
    let text =
      "{\"type\": \"Feature\", \"properties\": {\"radius\": 50000}, \"geometry\": "
      + "{\"type\": \"Point\", \"coordinates\": [179.9, 0]}}"
    let drawing = FeatureDrawing(try .text(text), style: .filled)
    let west = try OverlayPicture.tiles(drawing, level: 7, x: 0..<1, y: 63..<64)
    let east = try OverlayPicture.tiles(drawing, level: 7, x: 127..<128, y: 63..<64)
    #expect(west[0, 255] == 0xFFFF_FFFF && east[255, 255] == 0xFFFF_FFFF)
    #expect(west[200, 255] == 0)
  }
}
