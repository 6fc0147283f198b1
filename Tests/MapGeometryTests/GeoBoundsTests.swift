import MapGeometry
import TestSupport
import Testing

@Suite struct GeoBoundsTests {
  @Test func aTilesBoundsAreThePublishedOnes() throws {
    // mercantile's documentation: bounds(486, 332, 10).
    let bounds = GeoBounds(try #require(TileID(z: 10, x: 486, y: 332)))
    #expect(bounds.west == -9.140625 && bounds.east == -8.7890625)
    #expect(abs(bounds.south - 53.120_405_283_106_57) < 1e-12)
    #expect(abs(bounds.north - 53.330_872_983_017_05) < 1e-12)
    #expect(GeoBounds(.world) == .world)
  }

  @Test func tilesOfALevelMeetWithoutGapOrOverlap() throws {
    for z in 0...24 {
      let count = 1 << z
      for n in Set([0, count / 3, count - 2, count - 1]).sorted() where n >= 0 {
        let tile = try #require(TileID(z: z, x: n, y: n))
        let bounds = GeoBounds(tile)
        if n + 1 < count {
          let next = GeoBounds(try #require(TileID(z: z, x: n + 1, y: n + 1)))
          #expect(next.west == bounds.east && next.north == bounds.south)
        } else {
          #expect(bounds.east == 180 && bounds.south == -WebMercator.maxLatitude)
        }
        #expect(bounds.west < bounds.east && bounds.south < bounds.north)
        #expect(WebMercator.tile(at: bounds.center, level: z) == tile)
      }
    }
  }

  @Test func theMiddleIsTheMiddleOfTheMap() {
    let world = GeoBounds.world.center
    #expect(abs(world.lat) < 1e-12 && abs(world.lon) < 1e-12)
    let box = GeoBounds(west: 0, south: 0, east: 10, north: 80)
    let middle = WebMercator.project(box.center).y
    let (top, bottom) = (textbook(lat: 80, lon: 0).y, textbook(lat: 0, lon: 0).y)
    #expect(abs(middle - (top + bottom) / 2) < 1e-15)
    // Far north of the mean latitude.
    #expect(box.center.lat > 50)
  }

  @Test(arguments: [
    (170.0, -170.0, 20.0, -180.0), (160, -170, 30, 175), (170, -160, 30, -175),
    (-10, 10, 20, 0), (-180, 180, 360, 0), (0, 0, 0, 0), (179, -179, 2, -180),
    (190, 200, 10, -165), (-200, -190, 10, 165),
  ])
  func theMiddleAndWidthHoldAcrossTheDateline(
    west: Double, east: Double, span: Double, middle: Double
  ) {
    let box = GeoBounds(west: west, south: -10, east: east, north: 10)
    #expect(abs(box.longitudeSpan - span) < 1e-12)
    #expect(abs(box.center.lon - middle) < 1e-10)
  }

  @Test(arguments: [
    (170.0, -170.0, 180.0, true), (170, -170, -180, true), (170, -170, 175, true),
    (170, -170, -175, true), (170, -170, 185, true), (170, -170, 170, true),
    (170, -170, -170, true), (170, -170, 169.99, false), (170, -170, -169.99, false),
    (170, -170, 0, false), (170, -170, 530, true), (-10, 10, 0, true), (-10, 10, 10, true),
    (-10, 10, -10, true), (-10, 10, 350, true), (-10, 10, 11, false), (-10, 10, 180, false),
    (-180, 180, 180, true), (-180, 180, 77, true), (-180, 180, 540, true),
    (190, 200, -165, true), (190, 200, 195, true), (190, 200, 0, false),
    // An edge beyond 180 is wrapped: what lies just west of it is not inside, nor what lies a turn
    // away.
    (190, 200, -175, false), (190, 200, -170, true), (190, 200, -159.99, false),
    (-200, -190, 165, true), (-200, -190, 155, false), (-200, -190, 175, false),
    (-200, -190, -165, false), (550, 560, -165, true), (550, 560, -175, false),
    (160, 180, 180, true), (160, 180, -180, true), (-180, -160, 180, true),
  ])
  func containsKnowsTheDateline(west: Double, east: Double, lon: Double, inside: Bool) {
    let box = GeoBounds(west: west, south: -10, east: east, north: 10)
    #expect(box.contains(GeoPoint(lat: 0, lon: lon)) == inside)
    #expect(!box.contains(GeoPoint(lat: 10.01, lon: lon)))
    #expect(!box.contains(GeoPoint(lat: -10.01, lon: lon)))
    #expect(box.contains(GeoPoint(lat: 10, lon: lon)) == inside)
    #expect(box.contains(GeoPoint(lat: -10, lon: lon)) == inside)
  }

  @Test func aBoxHoldsItsOwnMiddleAndCorners() {
    var numbers = SeededNumbers(11)
    for _ in 0..<20_000 {
      let box = GeoBounds(
        west: numbers.number(-180...180), south: numbers.number(-85...0),
        east: numbers.number(-180...180), north: numbers.number(0...85))
      #expect(box.contains(box.center))
      #expect(box.contains(GeoPoint(lat: box.north, lon: box.west)))
      #expect(box.contains(GeoPoint(lat: box.south, lon: box.east)))
      #expect(box.longitudeSpan >= 0 && box.longitudeSpan <= 360)
    }
  }

  @Test func absurdBoxesAreNeverWiderThanTheWorld() {
    for west in absurdNumbers where west.isFinite {
      for east in absurdNumbers where east.isFinite {
        let span = GeoBounds(west: west, south: 10, east: east, north: -10).longitudeSpan
        #expect(span >= 0 && span <= 360)
      }
    }
    // Upside down there is nothing inside.
    let inverted = GeoBounds(west: 0, south: 10, east: 20, north: -10)
    #expect(!inverted.contains(inverted.center))
  }

  @Test func theArrayIsWestSouthEastNorth() {
    #expect(GeoBounds(west: 1, south: 2, east: 3, north: 4).array == [1, 2, 3, 4])
  }
}
