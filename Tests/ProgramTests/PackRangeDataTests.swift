import Control
import Foundation
import MapGeometry
import TestSupport
import Testing

private let hasLibrary =
  (try? Program.built("waypost-fetch").run(["--version"]).text.contains("libcurl/")) == true

/// Extracts out of real archives on an http server have exactly the tiles that a look at every tile
/// of the archive selects, for nearly as few requests and bytes as possible.
@Suite(
  .enabled(if: hasLibrary, "skipped: libcurl is not installed"),
  .enabled(if: TestData.large != nil, "skipped: large data set not at hand"))
struct PackRangeDataTests {
  /// A kind of region: its options, and whether a tile belongs to it; nil: too close to say.
  struct Area: Sendable {
    var name: String
    var words: [String]
    var isIn: @Sendable (BruteForce.Tile) -> Bool?
  }

  private static let archives = [
    "vector/packs/perth-protomaps-v4-z0-15.pmtiles",
    "pmtiles/protomaps/usgs-mt-whitney-8-15-webp-512.pmtiles", "variants/osm-z3-4-jpeg.pmtiles",
    "variants/osm-z3-4-palette.pmtiles", "vector/packs/sf-downtown-shortbread.pmtiles",
  ]

  /// What a circle says of a tile: nil where it ends within 10 cm of the tile.
  private static func circle(
    _ lat: Double, _ lon: Double, _ radius: Double
  ) -> @Sendable (BruteForce.Tile) -> Bool? {
    { tile in
      let metres = BruteForce.metres(lat, lon, tile)
      return abs(metres - radius) < 0.1 ? nil : metres < radius
    }
  }

  private static func box(
    _ west: Double, _ south: Double, _ east: Double, _ north: Double
  ) -> @Sendable (BruteForce.Tile) -> Bool? {
    { tile in
      let edge = BruteForce.box(tile)
      return west < edge.2 && east > edge.0 && south < edge.3 && north > edge.1
    }
  }

  /// Any of several.
  private static func any(
    _ parts: [@Sendable (BruteForce.Tile) -> Bool?]
  ) -> @Sendable (BruteForce.Tile) -> Bool? {
    { tile in
      let said = parts.map { $0(tile) }
      return said.contains(true) ? true : said.contains { $0 == nil } ? nil : false
    }
  }

  /// Regions of every kind around a place at which the archive has many tiles.
  private static func areas(
    _ lat: Double, _ lon: Double, _ folder: TemporaryFolder
  ) throws -> [Area] {
    let (w, s, e, n) = (lon - 0.0131, lat - 0.0097, lon + 0.0113, lat + 0.0071)
    let rings: [[(Double, Double)]] = [
      [(w, s), (e, s - 0.003), (e + 0.004, n), (lon, n + 0.005), (w - 0.002, n)],
      [(lon - 0.004, lat - 0.003), (lon + 0.003, lat - 0.004), (lon + 0.001, lat + 0.003)],
    ]
    let flat = rings.map { ring in ring.map { BruteForce.flat($0.1, $0.0) } }
    let json = rings.map { ring in
      "[" + (ring + [ring[0]]).map { "[\($0.0),\($0.1)]" }.joined(separator: ",") + "]"
    }
    let polygon = try folder.write(
      "{\"type\":\"Polygon\",\"coordinates\":[\(json.joined(separator: ","))]}",
      to: "area.geojson")
    let places = try folder.write(
      "lat,lon\n\(lat),\(lon)\n\(lat + 0.02),\(lon - 0.03)\n", to: "places.csv")
    let ends = [(lat - 0.012, lon - 0.02), (lat + 0.004, lon + 0.006), (lat + 0.02, lon)]
    let track = ends.map { "[\($0.1),\($0.0)]" }.joined(separator: ",")
    let route = try folder.write(
      "{\"type\":\"LineString\",\"coordinates\":[\(track)]}", to: "tour.geojson")
    // A corridor is a circle around each place of the line, which is straight on the map; they lie
    // so close together that what is between two is less than a centimetre.
    var circles: [@Sendable (BruteForce.Tile) -> Bool?] = []
    for (a, b) in zip(ends, ends.dropFirst()) {
      let (from, to) = (BruteForce.flat(a.0, a.1), BruteForce.flat(b.0, b.1))
      for step in 0...1000 {
        let part = Double(step) / 1000
        let y = from.y + (to.y - from.y) * part
        let x = from.x + (to.x - from.x) * part
        circles.append(
          circle(atan(sinh(.pi * (1 - 2 * y))) * 180 / .pi, (x - 0.5) * 360, 250))
      }
    }
    return [
      Area(name: "box", words: ["--bbox=\(w),\(s),\(e),\(n)"], isIn: box(w, s, e, n)),
      Area(
        name: "dateline", words: ["--bbox=\(lon - 0.01),-60,\(lon - 20),60"],
        isIn: any([box(lon - 0.01, -60, 180, 60), box(-180, -60, lon - 20, 60)])),
      Area(
        name: "around", words: ["--around=\(lat),\(lon),1300"], isIn: circle(lat, lon, 1300)),
      Area(
        name: "poles", words: ["--around=88,30,2500km", "--around=-87,-100,1800km"],
        isIn: any([circle(88, 30, 2_500_000), circle(-87, -100, 1_800_000)])),
      Area(name: "polygon", words: ["--polygon", polygon]) { BruteForce.reach(flat, $0) },
      Area(
        name: "points", words: ["--points", "\(places),400m"],
        isIn: any([circle(lat, lon, 400), circle(lat + 0.02, lon - 0.03, 400)])),
      Area(name: "route", words: ["--route", "\(route),500m"], isIn: any(circles)),
    ]
  }

  /// What reading the wanted contents takes at least: bytes, and requests where only contents that
  /// touch are read together.
  private static func optimum(_ tiles: [BruteForce.Tile]) -> (bytes: Int, requests: Int) {
    var (bytes, requests, end) = (0, 0, -1)
    for range in tiles.map(\.bytes).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      if range.lowerBound > end { requests += 1 }
      bytes += max(0, range.upperBound - max(end, range.lowerBound))
      end = max(end, range.upperBound)
    }
    return (bytes, requests)
  }

  @Test(arguments: archives) func extractsHaveWhatALookAtEveryTileSelects(
    _ path: String
  ) throws {
    let folder = try TemporaryFolder()
    let file = try #require(TestData.large) + "/" + path
    let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: file)))
    let whole = try BruteForce.tiles(of: bytes)
    let deepest = try #require(whole.last)
    let (west, south, east, north) = BruteForce.box(deepest)
    let server = try RangeServer(bytes)
    var made = 0
    for area in try Self.areas((south + north) / 2, (west + east) / 2, folder) {
      let output = folder[area.name + ".pmtiles"]
      let before = server.requests.count
      let outcome = try Program.built("waypost").run(
        ["pack", "extract", server.address, output] + area.words,
        environment: ["no_proxy": "127.0.0.1"])
      let wanted = whole.filter { area.isIn($0) == true }
      let doubtful = whole.filter { area.isIn($0) == nil }
      guard outcome.status == 0 else {
        #expect(wanted.isEmpty && outcome.errors.contains("has no tile of this region"))
        #expect(outcome.status == 65, "\(area.name): \(outcome.errors)")
        continue
      }
      made += 1
      let copy = [UInt8](try Data(contentsOf: URL(fileURLWithPath: output)))
      var contents: [String: ArraySlice<UInt8>] = [:]
      for tile in try BruteForce.tiles(of: copy) {
        contents["\(tile.z)/\(tile.x)/\(tile.y)"] = copy[tile.bytes]
      }
      for tile in doubtful { contents["\(tile.z)/\(tile.x)/\(tile.y)"] = nil }
      #expect(contents.count == wanted.count, "\(area.name)")
      for tile in wanted {
        let name = "\(tile.z)/\(tile.x)/\(tile.y)"
        #expect(contents[name] == bytes[tile.bytes], "\(area.name) \(name)")
      }
      // The first request reads header and root; metadata and leaves may lie behind the tiles.
      let best = Self.optimum(wanted + doubtful)
      let section =
        (whole.map(\.bytes.lowerBound).min() ?? 0)..<(whole.map(\.bytes.upperBound).max() ?? 0)
      let asked = server.requests.dropFirst(before).compactMap(\.range)
      let ofTiles = asked.filter { section.contains($0.lowerBound) }
      let read = ofTiles.reduce(0) { $0 + $1.clamped(to: 0...(bytes.count - 1)).count }
      print(
        "\(path.split(separator: "/").last ?? "") \(area.name): \(wanted.count) of "
          + "\(whole.count) tiles, \(read) of \(best.bytes) bytes with \(ofTiles.count) requests of "
          + "\(best.requests), and \(asked.count - ofTiles.count) for the index")
      #expect(Double(read) <= Double(best.bytes) * 1.05 + 1, "\(area.name)")
      #expect(ofTiles.count <= best.requests, "\(area.name)")
    }
    #expect(made >= 4)
  }
}
