import Drawing
import Features
import MapGeometry
import Pixels
import TestSupport
import Testing

@testable import MapOverlays
@testable import MapScene

/// Features cut into tiles: no seams, no rounding errors, nothing beyond the tile.
@Suite struct FeatureTileTests {
  private static let seams: [String] = [
    "geojson/natural-earth-four.geojson", "geojson/gdal/grenada.geojson",
    "geojson/antimeridian/input/overlap.json", "geojson/rewind/multipolygon.input.geojson",
    "gpx/north_core.gpx",
  ]

  @Test(arguments: seams)
  func tilesMeetWithoutASeam(_ name: String) throws {
    let set = try FeatureSet.fixture(name)
    // The same pixels: four tiles at one pixel a point, and the tile above at two.
    let small = OverlayStyle(stroke: 0x80FF_0000, strokeWidth: 6, fill: 0x8000_FF00)
    let large = OverlayStyle(stroke: 0x80FF_0000, strokeWidth: 3, fill: 0x8000_FF00)
    let level = 3
    let bounds = try #require(set.bounds)
    let place = WebMercator.project(bounds.center)
    // All of the world, and what is in the middle of it from near.
    for (level, first, count) in [
      (1, (0, 0), 2), (level, (0, 0), 8),
      (9, (Int(place.x * 512), Int(min(place.y, 0.99) * 512)), 1),
    ] {
      let (x, y) = (first.0..<first.0 + count, first.1..<first.1 + count)
      let split = try OverlayPicture.tiles(
        FeatureDrawing(set, style: small), level: level + 1, x: 2 * x.lowerBound..<2 * x.upperBound,
        y: 2 * y.lowerBound..<2 * y.upperBound)
      let whole = try OverlayPicture.tiles(
        FeatureDrawing(set, style: large), level: level, x: x, y: y, tileEdge: 512)
      #expect(split.differences(from: whole, tolerance: 0) == 0, "\(name), level \(level)")
    }
  }

  @Test func deepZoomsAreDrawnWithoutRoundingErrors() throws {
    // A border that runs through a place; at zoom 22 its ends are millions of pixels away.
    let text =
      "{\"type\": \"Polygon\", \"coordinates\": "
      + "[[[-100, -50], [8, -50], [8, 60], [-100, 60], [-100, -50]]]}"
    let drawing = FeatureDrawing(try .text(text), style: .filled)
    let place = WebMercator.project(GeoPoint(lat: 47, lon: 8))
    for level in [16, 20, 24] {
      let side = Double(1 << level)
      let (x, y) = (Int(place.x * side), Int(place.y * side))
      let picture = try OverlayPicture.tiles(drawing, level: level, x: x..<x + 1, y: y..<y + 1)
      let border = (place.x * side - Double(x)) * 256
      for row in [0, 128, 255] {
        // A step of a point is 2^-32 of the world, a pixel at level 24.
        let inside = (0..<256).reduce(0.0) { $0 + Double(picture[$1, row] >> 24) / 255 }
        #expect(abs(inside - border) < 1.1, "level \(level)")
      }
    }
  }

  @Test func aSlantedBorderGoesThroughItsPlaceAtDeepZooms() throws {
    // Half a tile lies below a line whose ends are hundreds of millions of pixels away.
    for (level, x, y) in [(20, 563_211, 367_001), (24, 9_011_377, 5_872_019)] {
      let side = Double(1 << level)
      let (middleX, middleY) = ((Double(x) + 0.5) / side, (Double(y) + 0.5) / side)
      let corners = [(-0.2261, -0.11305), (0.1743, 0.08715), (-0.2261, 0.08715)].map {
        dx, dy -> String in
        let place = WebMercator.unproject(WorldPoint(x: middleX + dx, y: middleY + dy))
        return "[\(place.lon),\(place.lat)]"
      }
      let ring = (corners + [corners[0]]).joined(separator: ",")
      let drawing = FeatureDrawing(
        try .text("{\"type\":\"Polygon\",\"coordinates\":[[\(ring)]]}"), style: .filled)
      let picture = try OverlayPicture.tiles(drawing, level: level, x: x..<x + 1, y: y..<y + 1)
      let area = picture.words.reduce(0.0) { $0 + Double($1 >> 24) / 255 }
      #expect(abs(area - 32_768) < 600, "level \(level): \(area)")
    }
  }

  @Test func anEmptyTileIsKnownBeforeItIsDrawn() throws {
    let drawing = FeatureDrawing(try .fixture("geojson/natural-earth-four.geojson"))
    let sea = try #require(TileID(z: 6, x: 2, y: 28))
    let africa = try #require(TileID(z: 6, x: 36, y: 37))
    #expect(!drawing.mayDraw(sea) && drawing.mayDraw(africa))
    let nothing = FeatureDrawing(try .text("{\"type\": \"FeatureCollection\", \"features\": []}"))
    #expect(!nothing.mayDraw(.world))
    #expect(try OverlayPicture.world(nothing, level: 0).words.allSatisfy { $0 == 0 })
  }

  @Test func geometryOfAnySortIsDrawnWithinItsTile() throws {
    let odd = [
      "-180", "180", "-179.99999999", "179.99999999", "0", "540", "-540", "1e6", "90", "89.9999",
      "-90", "1e-300", "45", "47.123456789",
    ]
    var state: UInt64 = 9
    func pick() -> String {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return odd[Int(state >> 33) % odd.count]
    }
    let latitudes = odd.filter { abs(Double($0) ?? 0) <= 90 }
    let edge = 64
    let memory = UnsafeMutablePointer<UInt32>.allocate(capacity: edge * edge + 16)
    defer { memory.deallocate() }
    let rasteriser = PathRasteriser()
    for round in 0..<Emulation.rounds(300) {
      let places = (0..<(3 + round % 9)).map { number -> String in
        let lat = latitudes[(number * 7 + round) % latitudes.count]
        return "[\(pick()),\(lat)]"
      }
      let list = places.joined(separator: ",")
      let text =
        "{\"type\":\"Feature\",\"properties\":{\"radius\":\(pick())},\"geometry\":{"
        + "\"type\":\"GeometryCollection\",\"geometries\":[{\"type\":\"Polygon\","
        + "\"coordinates\":[[\(list)]]},{\"type\":\"LineString\",\"coordinates\":[\(list)]},"
        + "{\"type\":\"MultiPoint\",\"coordinates\":[\(list)]}]}}"
      guard let set = try? FeatureSet.text(text) else { continue }
      let drawing = FeatureDrawing(set)
      for (z, x, y) in [(0, 0, 0), (3, 7, 7), (10, 0, 300), (24, 1 << 23, 1 << 23)] {
        let tile = try #require(TileID(z: z, x: x, y: y))
        memory.initialize(repeating: 0, count: edge * edge)
        (memory + edge * edge).initialize(repeating: 0xDEAD_BEEF, count: 16)
        let canvas = PixelCanvas(memory, stride: edge, width: edge, height: edge)
        _ = drawing.draw(tile, scale: 1, on: canvas, with: rasteriser)
        #expect((0..<16).allSatisfy { memory[edge * edge + $0] == 0xDEAD_BEEF })
        // Premultiplied: no channel is above its alpha.
        #expect(
          (0..<edge * edge).allSatisfy {
            let word = memory[$0]
            return max(word >> 16 & 255, word >> 8 & 255, word & 255) <= word >> 24
          })
      }
    }
  }
}
