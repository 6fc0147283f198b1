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
}
