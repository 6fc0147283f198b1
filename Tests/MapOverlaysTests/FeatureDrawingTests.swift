import Drawing
import Features
import Foundation
import MapGeometry
import Pixels
import TestSupport
import Testing

@testable import MapOverlays
@testable import MapScene

@Suite struct FeatureDrawingTests {
  static let red = OverlayStyle(stroke: 0xFFFF_0000, strokeWidth: 2, fill: 0xFF00_FF00)
  static let filled = OverlayStyle(stroke: 0, strokeWidth: 0, fill: 0xFFFF_FFFF)

  // MARK: the world's edge

  static let antimeridian: [String] = {
    let folder = TestData.fixtures + "/overlays/geojson/antimeridian/expected-split"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted()
  }()

  @Test(arguments: antimeridian)
  func whatCrossesTheAntimeridianIsDrawnAsItsCut(_ name: String) throws {
    let input = try FeatureSet.fixture("geojson/antimeridian/input/" + name)
    let split = try FeatureSet.fixture("geojson/antimeridian/expected-split/" + name)
    for style in [Self.filled, Self.red] {
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
      try OverlayPicture.world(FeatureDrawing($0, style: Self.filled), level: 2)
    }
    #expect(pictures[0].differences(from: pictures[1], tolerance: 128) == 0)
  }

  @Test func antarcticaFillsTheSouthAndHasNoOutlineThere() throws {
    let set = try FeatureSet.fixture("geojson/natural-earth-four.geojson")
    let world = try OverlayPicture.world(FeatureDrawing(set, style: Self.red), level: 2)
    for lon in stride(from: -175.0, through: 175, by: 10) {
      #expect(world.at(lon: lon, lat: -84.9) == 0xFF00_FF00 || lon < -140, "\(lon)")
    }
    #expect(world.at(lon: 30, lat: -85.05) == 0xFF00_FF00)
    #expect(world[world.edge - 1, world.edge - 3] == 0xFF00_FF00)
    #expect(world.at(lon: 0, lat: 80) == 0)
  }

  @Test func fijiIsDrawnAtBothEdgesOfTheWorld() throws {
    let set = try FeatureSet.fixture("geojson/natural-earth-four.geojson")
    let drawing = FeatureDrawing(set, style: Self.red)
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

  // MARK: areas and lines

  @Test func lesothoIsAHoleInSouthAfrica() throws {
    let all = try FeatureSet.fixture("geojson/natural-earth-four.geojson", label: "name")
    let number = all.features.firstIndex { all.label(of: $0) == "South Africa" }
    var set = all
    set = try .text(Self.only(try #require(number)))
    let world = try OverlayPicture.world(FeatureDrawing(set, style: Self.filled), level: 3)
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
    let drawing = FeatureDrawing(try .text(text), style: Self.filled)
    #expect(drawing.features.parts[0].kind == .circle)
    let picture = try OverlayPicture.tiles(drawing, level: 7, x: 63..<65, y: 63..<65)
    let radius = 50_000 / 40_075_016.7 * 256 * 128
    let area = picture.words.reduce(0.0) { $0 + Double($1 >> 24) / 255 }
    #expect(abs(area - Double.pi * radius * radius) < area * 0.005)
  }

  @Test func aCircleAtTheDatelineIsSeenOnBothSides() throws {
    let text =
      "{\"type\": \"Feature\", \"properties\": {\"radius\": 50000}, \"geometry\": "
      + "{\"type\": \"Point\", \"coordinates\": [179.9, 0]}}"
    let drawing = FeatureDrawing(try .text(text), style: Self.filled)
    let west = try OverlayPicture.tiles(drawing, level: 7, x: 0..<1, y: 63..<64)
    let east = try OverlayPicture.tiles(drawing, level: 7, x: 127..<128, y: 63..<64)
    #expect(west[0, 255] == 0xFFFF_FFFF && east[255, 255] == 0xFFFF_FFFF)
    #expect(west[200, 255] == 0)
  }

  @Test func whatIsSmallerThanAPixelIsStillSeen() throws {
    let text =
      "{\"type\": \"Polygon\", \"coordinates\": "
      + "[[[8, 47], [8.0001, 47], [8.0001, 47.0001], [8, 47]]]}"
    let world = try OverlayPicture.world(FeatureDrawing(try .text(text)), level: 0)
    #expect(world.words.contains { $0 >> 24 > 100 })
  }

  // MARK: tiles

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
    let drawing = FeatureDrawing(try .text(text), style: Self.filled)
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
        try .text("{\"type\":\"Polygon\",\"coordinates\":[[\(ring)]]}"), style: Self.filled)
      let picture = try OverlayPicture.tiles(drawing, level: level, x: x..<x + 1, y: y..<y + 1)
      let area = picture.words.reduce(0.0) { $0 + Double($1 >> 24) / 255 }
      #expect(abs(area - 32_768) < 600, "level \(level): \(area)")
    }
  }

  @Test func manyFeaturesAreFoundAsBySearchingAll() throws {
    var features: [String] = []
    for number in 0..<2_000 {
      let (x, y) = (
        Double(number * 7919 % 3600) / 10 - 180, Double(number * 104_729 % 1600) / 10 - 80
      )
      features.append("{\"type\": \"Point\", \"coordinates\": [\(x), \(y)]}")
    }
    let list = features.map { "{\"type\": \"Feature\", \"properties\": null, \"geometry\": \($0)}" }
    let set = try FeatureSet.text(
      "{\"type\": \"FeatureCollection\", \"features\": [\(list.joined(separator: ","))]}")
    let index = FeatureIndex(set)
    for number in 0..<50 {
      let start = UInt32(number) * 80_000_000
      let box = FeatureBox(
        minX: start, minY: start / 2, maxX: start + 60_000_000, maxY: start / 2 + 900_000_000)
      var found: [Int32] = []
      index.visit(box, set.features) {
        found.append($0)
        return true
      }
      let truth = set.features.indices.filter { set.features[$0].box.overlaps(box) }
      #expect(found.sorted() == truth.map { Int32($0) })
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

  @Test func aSourceOfFeaturesSaysWhatItIs() throws {
    let source = FeatureSource(FeatureDrawing(try .fixture("gpx/style.gpx")))
    #expect(source.info.kind == "gpx")
    #expect(source.info.minZoom == 0 && source.info.maxZoom == 24)
    let bounds = try #require(source.info.bounds)
    #expect(abs(bounds.west + 106.468433) < 1e-5 && abs(bounds.north - 39.043153) < 1e-5)
    #expect(try source.tile(at: .world) == nil && source.contains(.world))
  }

  @Test func tenThousandPolygonsStayWithinEightMebibytes() throws {
    var features: [String] = []
    for number in 0..<10_000 {
      let (x, y) = (Double(number % 100) * 3 - 150, Double(number / 100) - 50)
      let ring = (0..<24).map { step -> String in
        let turn = Double(step)
        return "[\(x + 0.02 * turn), \(y + 0.03 * (turn < 12 ? turn : 24 - turn))]"
      }
      features.append(
        "{\"type\":\"Feature\",\"properties\":{\"name\":\"Parcel \(number)\"},\"geometry\":"
          + "{\"type\":\"Polygon\",\"coordinates\":[[\(ring.joined(separator: ","))]]}}")
    }
    let text =
      "{\"type\":\"FeatureCollection\",\"features\":[" + features.joined(separator: ",") + "]}"
    let drawing = FeatureDrawing(try .text(text, label: "name"))
    #expect(drawing.features.features.count == 10_000)
    #expect(drawing.bytes < 4 << 20, "\(drawing.bytes)")
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

  // MARK: labels

  @Test func labelsStandInsideAreasAndOnLines() throws {
    let set = try FeatureSet.fixture("geojson/natural-earth-four.geojson", label: "name")
    let drawing = FeatureDrawing(set, style: Self.filled)
    let world = try OverlayPicture.world(drawing, level: 3)
    let labels = drawing.labels(minX: 0, minY: 0, maxX: 1, maxY: 1, limit: 100)
    #expect(Set(labels.map(\.text)) == ["Antarctica", "Fiji", "Lesotho", "South Africa"])
    #expect(labels.first?.text == "Antarctica")
    for label in labels where label.text != "Fiji" {
      let edge = Double(world.edge)
      #expect(world[Int(label.place.x * edge), Int(label.place.y * edge)] != 0, "\(label.text)")
    }
    let line = FeatureDrawing(
      try .text(
        "{\"type\": \"Feature\", \"properties\": {\"name\": \"L\"}, \"geometry\": "
          + "{\"type\": \"LineString\", \"coordinates\": [[0, 0], [10, 0], [10, 10]]}}",
        label: "name"))
    let place = try #require(line.labels(minX: 0, minY: 0, maxX: 1, maxY: 1, limit: 1).first)
    let found = WebMercator.unproject(place.place)
    #expect(abs(found.lon - 10) < 0.1 && found.lat >= 0 && found.lat < 1)
  }

  /// A U whose right arm is the wider one: the label stands in its middle, not in the other arm,
  /// and not between them although that is wider still.
  @Test func anAreasLabelStandsInTheWidestStretchInside() throws {
    let text = """
      {"type":"Feature","properties":{"name":"U"},"geometry":{"type":"Polygon","coordinates":[[
      [0,0],[60,0],[60,50],[45,50],[45,1],[6,1],[6,50],[0,50],[0,0]]]}}
      """
    let drawing = FeatureDrawing(try .text(text, label: "name"))
    let label = try #require(
      drawing.labels(minX: 0, minY: 0, maxX: 1, maxY: 1, limit: 1).first)
    let at = WebMercator.unproject(label.place)
    #expect(abs(at.lon - 52.5) < 0.1)
    #expect((20.0...35).contains(at.lat))
  }

  @Test func labelsAreBoundedAndWrapAroundTheWorld() throws {
    let huts = (0..<40).map {
      "<wpt lat=\"\(40 + $0)\" lon=\"6.\($0)\"><name>Hut \($0)</name></wpt>"
    }
    let text = "<gpx>\(huts.joined())</gpx>"
    let drawing = FeatureDrawing(try .text(text, label: "name"))
    #expect(drawing.labels(minX: 0, minY: 0, maxX: 1, maxY: 1, limit: 7).count == 7)
    let here = drawing.labels(minX: 0.5, minY: 0, maxX: 0.6, maxY: 1, limit: 100)
    let there = drawing.labels(minX: -0.5, minY: 0, maxX: -0.4, maxY: 1, limit: 100)
    #expect(here.count == 40 && there.map(\.text) == here.map(\.text))
    #expect(zip(here, there).allSatisfy { abs($0.place.x - 1 - $1.place.x) < 1e-12 })
    #expect(drawing.labels(minX: 0, minY: 0, maxX: 0.1, maxY: 0.1, limit: 100).isEmpty)
    #expect(!FeatureDrawing(try .text(text)).hasLabels)
  }
}
