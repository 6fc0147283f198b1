import Features
import Foundation
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Packs

/// Tiles of polygons and corridors, each compared with a look at every tile.
@Suite struct AreaTests {
  typealias Place = (x: Double, y: Double)

  /// A place on the unit square from degrees.
  private func world(_ lon: Double, _ lat: Double) -> Place {
    let point = WebMercator.project(GeoPoint(lat: lat, lon: lon))
    return (point.x, point.y)
  }

  /// The part of a ring within a tile (Sutherland and Hodgman), as an area on the unit square.
  private func area(of ring: [Place], in tile: TileID) -> Double {
    let side = 1 / Double(1 << tile.z)
    let (west, north) = (Double(tile.x) * side, Double(tile.y) * side)
    var points = ring
    let cuts: [(Bool, Double, Bool)] = [
      (true, west, true), (true, west + side, false), (false, north, true),
      (false, north + side, false),
    ]
    for (isColumn, edge, keepsAbove) in cuts {
      var next: [Place] = []
      for (index, point) in points.enumerated() {
        let before = points[(index + points.count - 1) % points.count]
        let (a, b) = isColumn ? (before.x, point.x) : (before.y, point.y)
        let (isIn, wasIn) = keepsAbove ? (b >= edge, a >= edge) : (b <= edge, a <= edge)
        if isIn != wasIn {
          let part = (edge - a) / (b - a)
          next.append(
            (before.x + (point.x - before.x) * part, before.y + (point.y - before.y) * part))
        }
        if isIn { next.append(point) }
      }
      points = next
    }
    var sum = 0.0
    for (index, point) in points.enumerated() {
      let before = points[(index + points.count - 1) % max(points.count, 1)]
      sum += before.x * point.y - point.x * before.y
    }
    return abs(sum / 2)
  }

  private func geoJSON(_ rings: [[(Double, Double)]]) -> String {
    let text = rings.map { ring in
      "[" + (ring + [ring[0]]).map { "[\($0.0),\($0.1)]" }.joined(separator: ",") + "]"
    }
    return "{\"type\":\"Polygon\",\"coordinates\":[\(text.joined(separator: ","))]}"
  }

  private func region(_ json: String) throws -> Region {
    let folder = try TemporaryFolder()
    let path = try folder.write(json, to: "area.geojson")
    var region = Region()
    _ = try region.addPolygons(file: path)
    return region
  }

  private func expect(
    _ region: Region, zooms: ClosedRange<Int>, sourceLocation: SourceLocation = #_sourceLocation,
    _ isIn: (TileID) -> Bool?
  ) throws {
    let set = try region.tiles(zooms: zooms)
    var counted: UInt64 = 0
    for zoom in zooms {
      for x in 0..<(1 << zoom) {
        for y in 0..<(1 << zoom) {
          let tile = try #require(TileID(z: zoom, x: x, y: y))
          let isThere = set.contains(tile)
          if isThere { counted += 1 }
          guard let wanted = isIn(tile), wanted != isThere else { continue }
          Issue.record("\(tile): \(isThere), not \(wanted)", sourceLocation: sourceLocation)
          return
        }
      }
    }
    #expect(set.count == counted, sourceLocation: sourceLocation)
    #expect(counted > 0, sourceLocation: sourceLocation)
  }

  @Test(arguments: 1...6) func polygonsWithHoles(_ seed: Int) throws {
    var random = SeededNumbers(UInt64(seed))
    let center = (random.number(-120...120), random.number(-50...50))
    func ring(_ low: Double, _ high: Double) -> [(Double, Double)] {
      (0..<24).map { step in
        let angle = Double(step) / 24 * 2 * .pi
        let radius = random.number(low...high)
        return (center.0 + cos(angle) * radius * 1.4, center.1 + sin(angle) * radius * 0.7)
      }
    }
    let rings = [ring(18, 36), ring(4, 15)]
    let flat = rings.map { $0.map { world($0.0, $0.1) } }
    try expect(region(geoJSON(rings)), zooms: 0...7) { tile in
      // What is left of the outer ring's part when the hole's is taken away.
      let rest = area(of: flat[0], in: tile) - area(of: flat[1], in: tile)
      let tileArea = 1 / Double(1 << (2 * tile.z))
      return rest < tileArea * 1e-9 ? false : rest > tileArea * 1e-5 ? true : nil
    }
  }

  @Test func edgesOverTheDatelineAreCutThere() throws {
    let ring: [(Double, Double)] = [(170, -30), (-160, -30), (-160, 10), (170, 10)]
    let corners: [[(Double, Double)]] = [
      [(170, -30), (180, -30), (180, 10), (170, 10)],
      [(-180, -30), (-160, -30), (-160, 10), (-180, 10)],
    ]
    let west = corners[0].map { world($0.0, $0.1) }
    let east = corners[1].map { world($0.0, $0.1) }
    let region = try region(geoJSON([ring]))
    try expect(region, zooms: 0...7) { tile in
      area(of: west, in: tile) + area(of: east, in: tile) > 1e-12
    }
    let bounds = try #require(region.bounds)
    #expect(abs(bounds.west - 170) < 1e-6 && abs(bounds.east + 160) < 1e-6)
  }

  @Test func aPolygonOfTheBordersOfATileIsThatTile() throws {
    let tile = try #require(TileID(z: 10, x: 533, y: 361))
    let box = GeoBounds(tile)
    let ring = [
      (box.west, box.south), (box.east, box.south), (box.east, box.north), (box.west, box.north),
    ]
    let set = try region(geoJSON([ring])).tiles(zooms: 0...12)
    #expect(set.count(zoom: 10) == 1 && set.contains(tile))
    #expect(set.count(zoom: 12) == 16)
  }

  @Test func aPolygonOfSomeCentimetresHasOneTile() throws {
    let ring = [(7.75, 46.02), (7.7500004, 46.02), (7.7500004, 46.0200003)]
    let set = try region(geoJSON([ring])).tiles(zooms: 0...24)
    for zoom in 0...20 { #expect(set.count(zoom: zoom) == 1) }
    // And on the corner of four.
    let corner: [(Double, Double)] = [(0, 0), (1e-7, 0), (1e-7, 1e-7), (0, 1e-7)]
    #expect(try region(geoJSON([corner])).tiles(zooms: 5...5).count >= 1)
  }

  @Test func manyPartsOfOneFileAreJoined() throws {
    let json = """
      {"type":"FeatureCollection","features":[
      {"type":"Feature","properties":{},"geometry":{"type":"MultiPolygon","coordinates":
      [[[[0,0],[20,0],[20,20],[0,20],[0,0]]],[[[40,0],[60,0],[60,20],[40,20],[40,0]]]]}},
      {"type":"Feature","properties":{},"geometry":{"type":"Polygon","coordinates":
      [[[10,10],[50,10],[50,30],[10,30],[10,10]]]}}]}
      """
    let corners: [(Double, Double, Double, Double)] = [
      (0, 0, 20, 20), (40, 0, 60, 20), (10, 10, 50, 30),
    ]
    let boxes = corners.map {
      [world($0.0, $0.1), world($0.2, $0.1), world($0.2, $0.3), world($0.0, $0.3)]
    }
    try expect(region(json), zooms: 0...7) { tile in
      boxes.contains { area(of: $0, in: tile) > 1e-12 }
    }
  }

  // MARK: Corridors

  /// Places along a line and around it on the ground: those within the distance.
  private func sampled(
    _ line: [Place], distance: Double, zoom: Int
  ) -> Set<TileID> {
    var inside: Set<TileID> = []
    let count = Double(1 << zoom)
    for (a, b) in zip(line, line.dropFirst()) {
      let steps = max(Int(hypot(b.x - a.x, b.y - a.y) * count * 24), 2)
      for step in 0...steps {
        let part = Double(step) / Double(steps)
        let (x, y) = (a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part)
        let place = WebMercator.unproject(WorldPoint(x: x, y: y))
        for scale in [0.0, 0.5, 0.999] {
          for direction in 0..<48 {
            let angle = distance * scale / 6_371_008.8
            let bearing = Double(direction) / 48 * 2 * .pi
            let lat = place.lat * .pi / 180
            let sine = sin(lat) * cos(angle) + cos(lat) * sin(angle) * cos(bearing)
            let lat2 = asin(min(max(sine, -1), 1))
            let lon2 =
              place.lon * .pi / 180
              + atan2(sin(bearing) * sin(angle) * cos(lat), cos(angle) - sin(lat) * sin(lat2))
            let point = GeoPoint(lat: lat2 * 180 / .pi, lon: lon2 * 180 / .pi)
            if abs(point.lat) > 85.05 { continue }
            inside.insert(WebMercator.tile(at: point, level: zoom))
          }
        }
      }
    }
    return inside
  }

  /// A line, the width in metres, a zoom.
  private static let corridors: [([(Double, Double)], Double, Int)] = [
    ([(7, 46), (7.4, 46.3), (8.1, 45.9)], 8_000, 10),
    ([(179.2, -16), (180.6, -17)], 20_000, 9),
    ([(20, 78), (24, 80), (30, 79)], 60_000, 8),
    ([(10, 10), (70, 40)], 400_000, 6),
  ]

  @Test(arguments: corridors)
  func corridorsHaveTheirWidthOnTheGround(
    _ route: [(Double, Double)], _ width: Double, _ zoom: Int
  ) throws {
    let line = route.map { world($0.0, $0.1) }
    var region = Region()
    region.add(line: line.map { WorldPoint(x: $0.x, y: $0.y) }, distance: width / 2)
    let set = try region.tiles(zooms: zoom...zoom)
    let inside = sampled(line, distance: width / 2, zoom: zoom)
    for tile in inside { #expect(set.contains(tile), "\(tile) is within the corridor") }
    // Samples miss a tile of which only a corner is within: looked at from its own edge.
    for range in set.ranges {
      for number in range {
        let tile = try #require(HilbertID.tile(number))
        if inside.contains(tile) { continue }
        #expect(leastDistance(tile, line) < width / 2 * 1.001 + 1, "\(tile)")
      }
    }
  }

  /// The least distance on the ground between places on a tile's edge and on a line.
  private func leastDistance(_ tile: TileID, _ line: [Place]) -> Double {
    let side = 1 / Double(1 << tile.z)
    func vector(_ x: Double, _ y: Double) -> [Double] {
      let place = WebMercator.unproject(WorldPoint(x: x, y: y))
      let (lat, lon) = (place.lat * .pi / 180, place.lon * .pi / 180)
      return [cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat)]
    }
    var edge: [[Double]] = []
    for step in 0...64 {
      let part = Double(step) / 64
      for (dx, dy) in [(part, 0), (part, 1), (0, part), (1, part)] {
        edge.append(vector((Double(tile.x) + dx) * side, (Double(tile.y) + dy) * side))
      }
    }
    var least = Double.infinity
    for (a, b) in zip(line, line.dropFirst()) {
      for step in 0...1500 {
        let part = Double(step) / 1500
        let place = vector(a.x + (b.x - a.x) * part, a.y + (b.y - a.y) * part)
        for other in edge {
          let (dx, dy, dz) = (place[0] - other[0], place[1] - other[1], place[2] - other[2])
          least = min(least, dx * dx + dy * dy + dz * dz)
        }
      }
    }
    return 2 * asin(min(least.squareRoot() / 2, 1)) * 6_371_008.8
  }

  @Test func aRouteAlongATileBorderHasBothSides() throws {
    let row = 365
    let lat = GeoBounds(try #require(TileID(z: 10, x: 530, y: row))).north
    let line = [(7.1, lat), (7.9, lat)].map { world($0.0, $0.1) }
    var region = Region()
    region.add(line: line.map { WorldPoint(x: $0.x, y: $0.y) }, distance: 50)
    let set = try region.tiles(zooms: 10...10)
    let columns = 532...534
    for x in columns {
      for y in [row - 1, row] {
        let tile = try #require(TileID(z: 10, x: x, y: y))
        #expect(set.contains(tile))
      }
    }
    #expect(set.count == UInt64(columns.count * 2))
  }

  @Test func aLongRouteBesideATileIsDecidedInTime() throws {
    // Its edge is 1 mm from the borders of tiles, for 5,000 km.
    var region = Region()
    let distance = 40_075_016.0 / 64
    region.add(
      line: [WorldPoint(x: 0.25, y: 0.5), WorldPoint(x: 0.5, y: 0.5)], distance: distance - 0.001)
    #expect(try region.tiles(zooms: 0...9).count > 0)
  }

  @Test func aCountryAtZoom16TakesFewRanges() throws {
    var random = SeededNumbers(7)
    let ring = (0..<2000).map { step -> (Double, Double) in
      let angle = Double(step) / 2000 * 2 * .pi
      let radius = 1 + random.number(-0.02...0.02)
      return (8 + cos(angle) * radius * 2.2, 46.8 + sin(angle) * radius)
    }
    let set = try region(geoJSON([ring])).tiles(zooms: 0...16)
    #expect(set.count(zoom: 16) > 300_000)
    #expect(set.ranges.count < 40_000)
  }
}
