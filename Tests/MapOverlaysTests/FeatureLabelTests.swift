import Features
import MapGeometry
import Testing

@testable import MapOverlays

/// Where an area's label stands.
@Suite struct FeatureLabelTests {
  typealias Ring = [(lon: Double, lat: Double)]

  private static func box(_ west: Double, _ south: Double, _ east: Double, _ north: Double) -> Ring
  {
    [(west, south), (east, south), (east, north), (west, north), (west, south)]
  }

  /// The place of the label of some polygons, each with its holes, that are one feature.
  private func label(_ polygons: [[Ring]]) throws -> (place: GeoPoint, extent: Double) {
    let coordinates = polygons.map { rings in
      let rings = rings.map { ring in
        "[" + ring.map { "[\($0.lon), \($0.lat)]" }.joined(separator: ", ") + "]"
      }
      return "[" + rings.joined(separator: ", ") + "]"
    }
    let text =
      "{\"type\": \"Feature\", \"properties\": {\"name\": \"A\"}, \"geometry\": "
      + "{\"type\": \"MultiPolygon\", \"coordinates\": [\(coordinates.joined(separator: ", "))]}}"
    let drawing = FeatureDrawing(try .text(text, label: "name"))
    let label = try #require(drawing.labels(minX: 0, minY: 0, maxX: 1, maxY: 1, limit: 1).first)
    return (WebMercator.unproject(label.place), label.extent)
  }

  @Test func aBoxIsLabelledInItsMiddle() throws {
    let found = try label([[Self.box(10, -20, 50, 20)]])
    #expect(abs(found.place.lon - 30) < 1e-6 && abs(found.place.lat) < 1e-6)
    #expect(abs(found.extent - 40.0 / 360) < 1e-6)
  }

  @Test func aLabelStandsInTheWidestStretchInsideAndNotBetweenTwo() throws {
    // Two towers on a thin foot, 10 and 15 degrees wide, with 35 between them.
    let towers: Ring = [
      (0, -30), (60, -30), (60, 30), (45, 30), (45, -29), (10, -29), (10, 30), (0, 30), (0, -30),
    ]
    #expect(abs(try label([[towers]]).place.lon - 52.5) < 1e-6)
    // The wider one to the west.
    let mirrored = towers.map { (lon: 60 - $0.lon, lat: $0.lat) }
    #expect(abs(try label([[mirrored]]).place.lon - 7.5) < 1e-6)
  }

  @Test func aLabelStandsBesideAHole() throws {
    let found = try label([[Self.box(0, -30, 60, 30), Self.box(5, -29.9, 40, 29.9)]])
    #expect(abs(found.place.lon - 50) < 1e-6)
  }

  @Test func theLargestPartOfACountryHasItsName() throws {
    let found = try label([
      [Self.box(-60, 40, -50, 50)], [Self.box(0, -20, 30, 20)], [Self.box(80, -40, 90, -30)],
    ])
    #expect(abs(found.place.lon - 15) < 1e-6 && abs(found.place.lat) < 1e-6)
    #expect(abs(found.extent - 30.0 / 360) < 1e-6)
  }

  @Test func aRowNearTheMiddleIsPreferredToAWiderOneAtTheEdge() throws {
    // A trapezium whose lower rows are a little wider.
    let found = try label([[[(1, 30), (29, 30), (30, -30), (0, -30), (1, 30)]]])
    #expect(abs(found.place.lat) < 1e-6)
  }

  @Test func labelsStandInsideAreasAndOnLines() throws {
    let set = try FeatureSet.fixture("geojson/natural-earth-four.geojson", label: "name")
    let drawing = FeatureDrawing(set, style: .filled)
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
