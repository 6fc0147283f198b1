import MapGeometry
import Platform
import TestSupport
import Testing

@testable import Features

@Suite struct GeoJSONTests {
  @Test func emptyRingsTakeNoRoom() throws {
    var coordinates = Coordinates()
    for _ in 0..<1000 { coordinates.close(2) }
    #expect(coordinates.cost < 16)
    let empty = String(repeating: "[],", count: 1000)
    let text = "{\"type\":\"Polygon\",\"coordinates\":[[[0,0],[9,0],[9,9],[0,0]],\(empty)[]]}"
    let set = try FeatureSet.text(text)
    #expect(set.kinds == [.ring: 1])
  }

  @Test func pointsOfAllFeaturesAreCountedTogether() throws {
    let places = String(repeating: "[1,2],[3,4],", count: FeatureLimits.points / 4)
    let line = "{\"type\":\"LineString\",\"coordinates\":[\(places)[5,6]]}"
    let text = "{\"type\":\"GeometryCollection\",\"geometries\":[\(line),\(line)]}"
    let error = try #require(refusal(text))
    #expect(error.reason == FeatureBuilder.fullReason)
  }

  @Test func aLineAcrossTheAntimeridianTooOftenIsRefused() throws {
    let places = String(repeating: "[179,1],[-179,2],", count: FeatureLimits.pieces)
    let error = try #require(
      refusal("{\"type\":\"LineString\",\"coordinates\":[\(places)[179,1]]}"))
    #expect(error.reason.contains("antimeridian too often"))
  }

  @Test func membersMayComeInAnyOrder() throws {
    let set = try FeatureSet.text(
      """
      {"features": [{"properties": {"name": "A"}, "geometry": {"coordinates": [8, 47],
      "type": "Point"}, "type": "Feature"}], "type": "FeatureCollection"}
      """, label: "name")
    #expect(set.kind == .geojson)
    #expect(set.features.count == 1 && set.kinds == [.point: 1])
    #expect(set.label(of: set.features[0]) == "A")
  }

  @Test func placesAreWhereWebMercatorHasThem() throws {
    let set = try FeatureSet.text("{\"type\": \"Point\", \"coordinates\": [8.5417, 47.3769, 408]}")
    let world = WebMercator.project(GeoPoint(lat: 47.3769, lon: 8.5417))
    #expect(abs(set.points[0].unitX - world.x) < 1e-9)
    #expect(abs(set.points[0].unitY - world.y) < 1e-9)
  }

  @Test func allTypesAndNestedCollectionsAreOneFeature() throws {
    let set = try FeatureSet.text(
      """
      {"type": "Feature", "properties": null, "geometry": {"type": "GeometryCollection",
      "geometries": [
        {"type": "Point", "coordinates": [1, 1]},
        {"type": "MultiPoint", "coordinates": [[2, 2], [3, 3]]},
        {"type": "LineString", "coordinates": [[0, 0], [1, 1]]},
        {"type": "GeometryCollection", "geometries": [
          {"type": "MultiLineString", "coordinates": [[[0, 0], [1, 1]], [[5, 5], [6, 6]]]},
          {"type": "Polygon", "coordinates": [[[0,0],[4,0],[4,4],[0,4],[0,0]],
            [[1,1],[1,2],[2,2],[1,1]]]}]},
        {"type": "MultiPolygon", "coordinates": [[[[10,0],[14,0],[14,4],[10,0]]],
          [[[20,0],[24,0],[24,4],[20,0]]]]}]}}
      """)
    #expect(set.features.count == 1)
    #expect(set.kinds == [.point: 3, .line: 3, .ring: 4])
    #expect(set.warningCount == 0)
  }

  @Test func aWrongFeatureIsLeftOutWithItsLineAndTheRestIsDrawn() throws {
    let set = try FeatureSet.text(
      """
      {"type": "FeatureCollection", "features": [
      {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [1, 2]}},
      {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": ["1", 2]}},
      {"type": "Feature", "properties": {}, "geometry": null},
      {"type": "Feature", "properties": {},
       "geometry": {"type": "Polygon", "coordinates": [[[0, 0], [1, 1], [0, 0]]]}},
      {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [1, 91]}},
      17,
      {"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [3, 4]}}
      ]}
      """)
    #expect(set.features.count == 2)
    #expect(set.warningCount == 4)
    #expect(set.warnings.map(\.line) == [3, 5, 7, 8])
    #expect(set.warnings[2].reason.contains("latitude of 91"))
    #expect(set.points.count == 2)
  }

  private static let broken: [(String, Int)] = [
    ("", 1), ("   \n ", 1), ("{", 1), ("{\n\"type\"", 2), ("{\n\"type\": \n}", 3),
    ("{\"type\": \"Point\",\n\"coordinates\": [1, 2]\n", 3),
    ("{\"type\": \"Point\", \"coordinates\": [1, 2]}\n\nx", 3),
    ("{\"type\": \"Point\", \"coordinates\": [01, 2]}", 1),
    ("{\"type\": \"Point\", \"coordinates\": [1., 2]}", 1),
    ("{\"type\": \"Point\", \"coordinates\": [1,\n 2,]}", 2),
    ("{\"type\": \"Po\nint\"}", 1), ("{\"type\": \"\\q\"}", 1), ("{\"type\": \"\\u12\"}", 1),
    ("[1, 2]", 1), ("17", 1), ("\"text\"", 1), ("{\"type\": \"Topology\"}", 1),
    ("{\"a\": NaN}", 1), ("nothing of the kind", 1), ("{}", 1),
    ("{\"type\": \"FeatureCollection\"}", 1), ("PK\u{3}\u{4}", 1),
  ]

  @Test(arguments: broken)
  func whatIsNoGeoJSONIsRefusedWithItsLine(_ text: String, _ line: Int) throws {
    let error = try #require(refusal(text))
    #expect(error.file == "inline" && error.line == line, "\(error)")
  }

  @Test func whatIsZippedIsToBeUnzipped() throws {
    #expect(try #require(refusal("PK\u{3}\u{4}rest")).reason.contains("unzip"))
  }

  @Test func endlessNestingIsRefused() throws {
    for open in ["[", "{\"a\":", "{\"geometry\":", "{\"features\":[", "{\"geometries\":["] {
      let text = "{\"type\":\"Point\",\"coordinates\":"
      let error = refusal(text + String(repeating: open, count: 100_000))
      #expect(error != nil)
      #expect(refusal(String(repeating: open, count: 100_000)) != nil)
    }
  }

  @Test func numbersAreReadAsTheyAreWritten() throws {
    let numbers: [(String, Double)] = [
      ("0", 0), ("-0.5", -0.5), ("12.345678901234567", 12.345678901234567),
      ("0.000000000000000000000012", 1.2e-23), ("1.2e1", 12), ("12E-1", 1.2), ("1e-400", 0),
      ("89.99999999999999999999999", 90), ("17.000000000000000000000000001", 17),
    ]
    for (text, value) in numbers {
      var scanner = JSONScanner(
        FileBytes(Array((text + " ").utf8)), from: 0, file: "inline")
      let number = try scanner.number()
      #expect(number == value, "\(text)")
    }
  }

  @Test func escapesAndLinesInTextsAreReadAndFlattened() throws {
    let set = try FeatureSet.text(
      """
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]},
      "properties": {"name": " Z\\u00fcrich\\n\\tHB \\ud83d\\ude82 \\ud83d!"}}
      """, label: "name")
    #expect(set.label(of: set.features[0]) == "Zürich HB 🚂 \u{fffd}!")
  }

  @Test func longLabelsAreCut() throws {
    let name = String(repeating: "ü", count: 1000)
    let set = try FeatureSet.text(
      "{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[1,2]},"
        + "\"properties\":{\"name\":\"\(name)\"}}", label: "name")
    #expect(set.label(of: set.features[0])?.utf8.count == FeatureLimits.text)
  }

  @Test func stylesAreThoseOfSimplestyle() throws {
    let set = try FeatureSet.text(
      """
      {"type": "FeatureCollection", "features": [
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties":
        {"stroke": "#f00", "stroke-width": "3.5", "stroke-opacity": 0.25, "fill": "00ff0080",
         "marker-color": "#123456", "marker-size": "large"}},
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]}, "properties":
        {"stroke": "red", "stroke-width": -1, "fill-opacity": 7, "marker-size": 3,
         "fill": null, "nested": {"stroke": "#fff"}}}]}
      """)
    let style = set.style(0)
    #expect(style.stroke == 0xFF0000 && style.strokeWidth == 3.5 && style.strokeOpacity == 0.25)
    #expect(style.fill == 0x00FF00 && style.markerColor == 0x123456 && style.markerScale == 1.4)
    #expect(abs((style.fillOpacity ?? 0) - 128.0 / 255) < 1e-6)
    let odd = set.style(1)
    #expect(odd.stroke == nil && odd.strokeWidth == 0 && odd.fillOpacity == 1)
    #expect(odd.fill == nil && odd.markerScale == nil)
  }

  @Test func sameStylesAreKeptOnce() throws {
    let feature = """
      {"type": "Feature", "geometry": {"type": "Point", "coordinates": [1, 2]},
      "properties": {"stroke": "#ff0000"}}
      """
    let list = Array(repeating: feature, count: 100).joined(separator: ",")
    let set = try FeatureSet.text("{\"type\": \"FeatureCollection\", \"features\": [\(list)]}")
    #expect(set.features.count == 100 && set.styles.count == 1)
  }

  @Test func aPointWithARadiusIsACircle() throws {
    let set = try FeatureSet.text(
      """
      {"type": "Feature", "properties": {"radius": 1000},
      "geometry": {"type": "Point", "coordinates": [8, 60]}}
      """)
    #expect(set.kinds == [.circle: 1])
    // 1,000 m at latitude 60 are twice as wide on the map as at the equator.
    let unit = Double(set.circleRadius(0)) / FeaturePoint.steps
    #expect(abs(unit * 40_075_016.7 - 2000) < 1)
    // A large one is no circle on the map, and one round a pole goes round the world.
    let large = try FeatureSet.text(
      """
      {"type": "Feature", "properties": {"radius": 2000000},
      "geometry": {"type": "Point", "coordinates": [8, 80]}}
      """)
    #expect(large.kinds == [.ring: 1])
    #expect(large.features[0].box.minX == 0 && large.features[0].box.maxX == .max)
    #expect(large.features[0].box.minY == 0)
  }

  @Test(arguments: [(46.0, 10.0, 20_000_000.0), (0, 0, 12_000_000), (-30, 170, 15_000_000)])
  func aCircleAroundBothPolesIsTheWorldWithoutTheRest(
    _ lat: Double, _ lon: Double, _ radius: Double
  ) throws {
    let set = try FeatureSet.text(
      """
      {"type": "Feature", "properties": {"radius": \(radius)},
      "geometry": {"type": "Point", "coordinates": [\(lon), \(lat)]}}
      """)
    // The map's own ring, and the outline round what is outside, perhaps cut at the antimeridian.
    #expect(set.parts.count >= 2 && set.kinds == [.ring: set.parts.count])
    let bounds = try #require(set.bounds)
    #expect(abs(bounds.west + 180) < 1e-6 && abs(bounds.east - 180) < 1e-6)
    #expect(bounds.north > 85 && bounds.south < -85)
  }

  @Test func boundsBeginBelow180Degrees() throws {
    func bounds(_ places: String) throws -> [Double] {
      let set = try FeatureSet.text("{\"type\": \"MultiPoint\", \"coordinates\": [\(places)]}")
      return try #require(set.bounds).array.map { ($0 * 1e6).rounded() / 1e6 }
    }
    #expect(try bounds("[180, 5]") == [-180, 5, -180, 5])
    #expect(try bounds("[180, 5], [-170, 6]") == [-180, 5, -170, 6])
    #expect(try bounds("[170, 5], [180, 6]") == [170, 5, 180, 6])
  }

  @Test func boundsGoAcrossTheDatelineWhereThatIsSmaller() throws {
    let set = try FeatureSet.text(
      "{\"type\": \"MultiPoint\", \"coordinates\": [[170, -10], [-175, -20], [178, -15]]}")
    let bounds = try #require(set.bounds)
    #expect(abs(bounds.west - 170) < 1e-6 && abs(bounds.east + 175) < 1e-6)
    #expect(abs(bounds.south + 20) < 1e-6 && abs(bounds.north + 10) < 1e-6)
    #expect(
      try FeatureSet.text("{\"type\": \"FeatureCollection\", \"features\": []}").bounds == nil)
  }

  @Test func longitudesBeyondTheWorldAreWrapped() throws {
    let set = try FeatureSet.text("{\"type\": \"Point\", \"coordinates\": [190, 0]}")
    #expect(abs(set.points[0].unitX * 360 - 180 + 170) < 1e-6)
    let far = refusal("{\"type\": \"Point\", \"coordinates\": [1e300, 0]}")
    #expect(far != nil)
  }

  @Test func whatGoesRoundTheWorldForEverIsRefused() throws {
    let places = (0..<100).map { (number: Int) -> String in
      let way = number * 170
      let turns = (way + 180) / 360
      return "[\(way - turns * 360), 0]"
    }
    let error = refusal(
      "{\"type\": \"LineString\", \"coordinates\": [\(places.joined(separator: ","))]}")
    #expect(error?.reason.contains("round the world") == true)
  }

  @Test func tenThousandPolygonsTakeLittleMemory() throws {
    var features: [String] = []
    for number in 0..<10_000 {
      let (x, y) = (Double(number % 100) * 3 - 150, Double(number / 100) - 50)
      let ring = (0...24).map { step -> String in
        let turn = Double(step % 24)
        let up = turn < 12 ? turn : 24 - turn
        return "[\(x + 0.02 * turn), \(y + 0.03 * up)]"
      }
      features.append(
        "{\"type\":\"Feature\",\"properties\":{\"name\":\"Parcel \(number)\"},\"geometry\":"
          + "{\"type\":\"Polygon\",\"coordinates\":[[\(ring.joined(separator: ","))]]}}")
    }
    let text =
      "{\"type\":\"FeatureCollection\",\"features\":[" + features.joined(separator: ",") + "]}"
    let set = try FeatureSet.text(text, label: "name")
    #expect(set.features.count == 10_000)
    #expect(set.bytes < 3 << 20, "\(set.bytes)")
  }
}
