import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Packs

/// A region's tiles are exactly those that a look at every tile of the map finds, with a geometry
/// that has nothing in common with the one under test.
@Suite struct RegionTests {
  /// All tiles of `zooms` for which `isIn` says yes, and those for which it says nil may be either.
  private func expect(
    _ region: Region, zooms: ClosedRange<Int>, within box: TileID = .world,
    _ isIn: (TileID) -> Bool?, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let set = try region.tiles(zooms: zooms)
    var counted: UInt64 = 0
    var undecided = 0
    for zoom in zooms {
      var onLevel: UInt64 = 0
      for x in 0..<(1 << zoom) {
        for y in 0..<(1 << zoom) {
          let tile = try #require(TileID(z: zoom, x: x, y: y))
          let isThere = set.contains(tile)
          if isThere { onLevel += 1 }
          if let wanted = isIn(tile) {
            if isThere != wanted {
              Issue.record("\(tile): \(isThere), not \(wanted)", sourceLocation: sourceLocation)
              return
            }
          } else {
            undecided += 1
          }
        }
      }
      #expect(set.count(zoom: zoom) == onLevel, sourceLocation: sourceLocation)
      counted += onLevel
    }
    #expect(set.count == counted, sourceLocation: sourceLocation)
    #expect(counted > 0, sourceLocation: sourceLocation)
    #expect(undecided * 50 < Int(counted) + 50, sourceLocation: sourceLocation)
    // Sorted, apart, and each range on one level.
    for (range, next) in zip(set.ranges, set.ranges.dropFirst()) {
      #expect(range.upperBound <= next.lowerBound)
    }
  }

  /// Whether a box in degrees that does not cross the dateline reaches into a tile.
  private func reaches(_ west: Double, _ south: Double, _ east: Double, _ north: Double)
    -> (TileID) -> Bool?
  {
    { tile in
      let bounds = GeoBounds(tile)
      return west < bounds.east && east > bounds.west && south < bounds.north
        && north > bounds.south
    }
  }

  @Test func boxes() throws {
    for box in [
      GeoBounds(west: 5.9, south: 45.8, east: 10.5, north: 47.8),
      GeoBounds(west: -0.001, south: -0.001, east: 0.001, north: 0.001),
      GeoBounds(west: -180, south: -90, east: 180, north: 90),
      GeoBounds(west: 12.3, south: 84, east: 12.4, north: 90),
      GeoBounds(west: -60, south: -90, east: 100, north: -85),
    ] {
      var region = Region()
      region.add(box)
      try expect(region, zooms: 0...7, reaches(box.west, box.south, box.east, box.north))
    }
  }

  @Test func aBoxAcrossTheDatelineIsTwo() throws {
    var region = Region()
    region.add(GeoBounds(west: 176, south: -20, east: -177, north: -15))
    let (west, east) = (reaches(176, -20, 180, -15), reaches(-180, -20, -177, -15))
    try expect(region, zooms: 0...8) { west($0)! || east($0)! }
    let set = try region.tiles(zooms: 4...4)
    let apart = try #require(TileID(z: 4, x: 8, y: 8))
    #expect(!set.contains(apart))
  }

  @Test func aBoxThatIsATileTakesNoneAround() throws {
    let tile = try #require(TileID(z: 9, x: 266, y: 180))
    var region = Region()
    region.add(GeoBounds(tile))
    let set = try region.tiles(zooms: 0...11)
    for zoom in 0...9 { #expect(set.count(zoom: zoom) == 1) }
    #expect(set.count(zoom: 11) == 16)
    // As people print it.
    func rounded(_ value: Double) -> Double { (value * 1e7).rounded() / 1e7 }
    let bounds = GeoBounds(tile)
    region = Region()
    region.add(
      GeoBounds(
        west: rounded(bounds.west), south: rounded(bounds.south), east: rounded(bounds.east),
        north: rounded(bounds.north)))
    #expect(try region.tiles(zooms: 0...11) == set)
  }

  @Test func aBoxOfOnePlaceHasTheTileAroundIt() throws {
    var region = Region()
    region.add(GeoBounds(west: 7.75, south: 46.02, east: 7.75, north: 46.02))
    let set = try region.tiles(zooms: 0...24)
    for zoom in 0...24 {
      #expect(set.count(zoom: zoom) == 1)
      #expect(
        set.contains(WebMercator.tile(at: GeoPoint(lat: 46.02, lon: 7.75), level: zoom)))
    }
  }

  // MARK: Circles

  /// Distance on the sphere by vectors: unlike the haversine formula.
  private func distance(_ a: GeoPoint, _ b: GeoPoint) -> Double {
    func vector(_ point: GeoPoint) -> (Double, Double, Double) {
      let (lat, lon) = (point.lat * .pi / 180, point.lon * .pi / 180)
      return (cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat))
    }
    let (p, q) = (vector(a), vector(b))
    let cross = (
      p.1 * q.2 - p.2 * q.1, p.2 * q.0 - p.0 * q.2, p.0 * q.1 - p.1 * q.0
    )
    let sine = (cross.0 * cross.0 + cross.1 * cross.1 + cross.2 * cross.2).squareRoot()
    return 6_371_008.8 * atan2(sine, p.0 * q.0 + p.1 * q.1 + p.2 * q.2)
  }

  /// The least distance from `center` to places in a tile, on a grid that is refined around the
  /// nearest one.
  private func distance(_ center: GeoPoint, _ tile: TileID) -> Double {
    let bounds = GeoBounds(tile)
    var (west, east, south, north) = (bounds.west, bounds.east, bounds.south, bounds.north)
    var best = Double.infinity
    var nearest = GeoPoint(lat: south, lon: west)
    for _ in 0..<22 {
      let (width, height) = (east - west, north - south)
      for i in 0...4 {
        for j in 0...4 {
          let point = GeoPoint(
            lat: south + height * Double(i) / 4, lon: west + width * Double(j) / 4)
          let away = distance(center, point)
          if away < best { (best, nearest) = (away, point) }
        }
      }
      west = max(bounds.west, nearest.lon - width / 4)
      east = min(bounds.east, nearest.lon + width / 4)
      south = max(bounds.south, nearest.lat - height / 4)
      north = min(bounds.north, nearest.lat + height / 4)
    }
    return best
  }

  /// A centre and a radius in metres.
  private static let circles: [(Double, Double, Double)] = [
    (46.02, 7.75, 80_000), (84, 20, 900_000), (-89.5, 100, 1_000_000),
    (-17, 179.9, 300_000), (0, 0, 5_000_000), (70, -179, 2_500_000), (10, 10, 15_000_000),
  ]

  @Test(arguments: circles)
  func circlesAreRoundOnTheGround(_ lat: Double, _ lon: Double, _ radius: Double) throws {
    let center = GeoPoint(lat: lat, lon: lon)
    var region = Region()
    region.add(center: center, radius: radius)
    try expect(region, zooms: 0...(radius > 1_000_000 ? 4 : 5)) { tile in
      let away = distance(center, tile)
      // The grid finds the nearest place to within this much of the distance.
      return abs(away - radius) < 50 + radius * 1e-4 ? nil : away < radius
    }
  }

  @Test func aCircleWithinATileHasThatTile() throws {
    let tile = try #require(TileID(z: 16, x: 34177, y: 23249))
    var region = Region()
    region.add(center: GeoBounds(tile).center, radius: 30)
    let set = try region.tiles(zooms: 0...16)
    #expect(set.count == 17 && set.contains(tile))
    // One that reaches 4 m into the next.
    let east = GeoPoint(lat: GeoBounds(tile).center.lat, lon: GeoBounds(tile).east)
    region = Region()
    region.add(center: GeoPoint(lat: east.lat, lon: east.lon - 0.0001), radius: 12)
    #expect(try region.tiles(zooms: 16...16).count == 2)
  }

  @Test func aCircleAroundAPoleHasAllColumns() throws {
    var region = Region()
    region.add(center: GeoPoint(lat: 90, lon: 0), radius: 1_200_000)
    let set = try region.tiles(zooms: 6...6)
    for x in 0..<64 {
      let tile = try #require(TileID(z: 6, x: x, y: 0))
      #expect(set.contains(tile))
    }
    #expect(region.bounds?.longitudeSpan == 360)
  }

  @Test func aPlaceIsInOneTileOfEachLevel() throws {
    let places: [(Double, Double)] = [
      (0, 0), (46.02, 7.75), (-33.9, 18.4), (12, -180), (85.05, 179.99),
    ]
    for (lat, lon) in places {
      var region = Region()
      let place = GeoPoint(lat: lat, lon: lon)
      region.add(center: place, radius: 0)
      let set = try region.tiles(zooms: 0...24)
      for zoom in 0...24 {
        #expect(set.count(zoom: zoom) == 1)
        #expect(set.contains(WebMercator.tile(at: place, level: zoom)))
      }
    }
  }

  @Test func joinedPartsCountOnce() throws {
    var region = Region()
    let parts = [
      GeoBounds(west: 0, south: 0, east: 20, north: 20),
      GeoBounds(west: 10, south: 10, east: 30, north: 30),
    ]
    for part in parts { region.add(part) }
    region.add(center: GeoPoint(lat: 10, lon: 10), radius: 100_000)
    let tests = parts.map { reaches($0.west, $0.south, $0.east, $0.north) }
    try expect(region, zooms: 0...7) { tile in tests.contains { $0(tile) == true } }
    let bounds = try #require(region.bounds)
    let wanted: [Double] = [0, 0, 30, 30]
    for (edge, meant) in zip(bounds.array, wanted) { #expect(abs(edge - meant) < 1e-9) }
  }
}
