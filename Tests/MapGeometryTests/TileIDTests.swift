import MapGeometry
import TestSupport
import Testing

@Suite struct TileIDTests {
  // Computed by the textbook formula in another language.
  @Test(arguments: [
    ("Zermatt", 46.0207, 7.7491, 13, 4272, 2913),
    ("Zermatt", 46.0207, 7.7491, 24, 8_749_742, 5_967_303),
    ("Berlin", 52.5163, 13.3777, 17, 70406, 42987),
    ("Cape Town", -33.92, 18.42, 10, 564, 614),
    ("Chicago", 41.85, -87.65, 3, 2, 2),
    ("Sydney", -33.8568, 151.2153, 16, 60295, 39325),
    ("Suva", -18.1416, 178.4419, 12, 4078, 2257),
    ("Apia", -13.8333, -171.7667, 12, 93, 2206),
    ("Longyearbyen", 78.2232, 15.6267, 14, 8903, 2268),
    ("Ushuaia", -54.8019, -68.303, 15, 10166, 22372),
    ("Greenwich", 51.4779, -0.0015, 18, 131070, 87204),
  ])
  func knownPlacesLieOnTheirTiles(
    name: String, lat: Double, lon: Double, z: Int, x: Int, y: Int
  ) throws {
    let tile = WebMercator.tile(at: GeoPoint(lat: lat, lon: lon), level: z)
    #expect(tile == TileID(z: z, x: x, y: y))
    // A turn around the world changes nothing, and the tile holds its place.
    #expect(WebMercator.tile(at: GeoPoint(lat: lat, lon: lon + 360), level: z) == tile)
    #expect(WebMercator.tile(at: GeoPoint(lat: lat, lon: lon - 360), level: z) == tile)
    #expect(GeoBounds(tile).contains(GeoPoint(lat: lat, lon: lon)))
  }

  @Test func everyLevelHoldsEveryPlaceAsTheTextbookSays() {
    var numbers = SeededNumbers(7)
    for level in 0...24 {
      let count = Double(1 << level)
      for _ in 0..<2000 {
        let (lat, lon) = (numbers.number(-85...85), numbers.number(-179.99...179.99))
        let other = textbook(lat: lat, lon: lon)
        let tile = WebMercator.tile(at: GeoPoint(lat: lat, lon: lon), level: level)
        #expect(tile == TileID(z: level, x: Int(other.x * count), y: Int(other.y * count)))
      }
    }
  }

  @Test(arguments: 0...24)
  func theWorldsCornersAndEdgesBelongToItsOuterTiles(level: Int) {
    let last = (1 << level) - 1
    func at(_ lat: Double, _ lon: Double) -> TileID {
      WebMercator.tile(at: GeoPoint(lat: lat, lon: lon), level: level)
    }
    #expect(at(90, -180) == TileID(z: level, x: 0, y: 0))
    #expect(at(85.0512, -180) == TileID(z: level, x: 0, y: 0))
    #expect(at(-90, -180) == TileID(z: level, x: 0, y: last))
    #expect(at(-85.0512, -540) == TileID(z: level, x: 0, y: last))
    // Longitude 180° is −180°.
    #expect(at(90, 180) == TileID(z: level, x: 0, y: 0))
    #expect(at(90, 540) == TileID(z: level, x: 0, y: 0))
    #expect(at(-90, 179.999_999_999) == TileID(z: level, x: last, y: last))
    #expect(at(0, 0) == TileID(z: level, x: (last + 1) / 2, y: (last + 1) / 2))
  }

  @Test func levelsBeyondTheAddressedOnesAreClamped() {
    let place = GeoPoint(lat: 46, lon: 7)
    #expect(WebMercator.tile(at: place, level: -1) == .world)
    #expect(WebMercator.tile(at: place, level: .min) == .world)
    #expect(WebMercator.tile(at: place, level: 25) == WebMercator.tile(at: place, level: 24))
    #expect(WebMercator.tile(at: place, level: .max) == WebMercator.tile(at: place, level: 24))
  }

  @Test(arguments: [
    (-1, 0, 0), (25, 0, 0), (0, 1, 0), (0, 0, 1), (0, -1, 0), (3, 8, 0), (3, 0, 8), (3, -1, 2),
    (24, 1 << 24, 0), (24, 0, 1 << 24), (64, 0, 0), (.max, .max, .max), (.min, .min, .min),
    (5, .max, 0), (5, 0, .min),
  ])
  func noTileIsMadeThatIsNotOnTheMap(z: Int, x: Int, y: Int) {
    #expect(TileID(z: z, x: x, y: y) == nil)
    #expect(TileID(z: z, x: x, tmsRow: y) == nil)
  }

  @Test func theWorldWrapsInColumnsAndNeverInRows() {
    for level in 0...24 {
      let count = 1 << level
      for column in [-1, 0, count - 1, count, -count, 3 * count + 1, -7 * count - 1] {
        let expected = ((column % count) + count) % count
        #expect(TileID(z: level, wrapping: column, row: 0)?.x == expected)
      }
      #expect(TileID(z: level, wrapping: 0, row: -1) == nil)
      #expect(TileID(z: level, wrapping: 0, row: count) == nil)
      #expect(TileID(z: level, wrapping: .max, row: 0)?.x == count - 1)
      #expect(TileID(z: level, wrapping: .min, row: 0)?.x == 0)
    }
    #expect(TileID(z: -1, wrapping: 0, row: 0) == nil)
    #expect(TileID(z: 25, wrapping: 0, row: 0) == nil)
    #expect(TileID(z: 70, wrapping: 0, row: 0) == nil)
  }

  @Test func tmsCountsRowsFromTheSouth() throws {
    let tile = try #require(TileID(z: 11, x: 327, y: 791))
    #expect(tile.tmsRow == 1256)
    #expect(TileID(z: 11, x: 327, tmsRow: 1256) == tile)
    for z in 0...24 {
      for y in [0, (1 << z) / 3, (1 << z) - 1] {
        let tile = try #require(TileID(z: z, x: 0, y: y))
        #expect(tile.tmsRow + y == (1 << z) - 1)
        #expect(TileID(z: z, x: 0, tmsRow: tile.tmsRow) == tile)
      }
    }
  }

  // "Bing Maps Tile System" (213), mercantile's documentation (0313102310).
  @Test(arguments: [
    (0, 0, 0, ""), (1, 0, 0, "0"), (1, 1, 0, "1"), (1, 0, 1, "2"), (1, 1, 1, "3"),
    (3, 3, 5, "213"), (10, 486, 332, "0313102310"),
    (24, (1 << 24) - 1, 0, String(repeating: "1", count: 24)),
  ])
  func quadkeysAreThoseOfTheTileSystem(z: Int, x: Int, y: Int, key: String) throws {
    #expect(try #require(TileID(z: z, x: x, y: y)).quadkey == key)
  }

  @Test func aChildsAncestorIsItsParentAllTheWayUp() throws {
    var numbers = SeededNumbers(5)
    for _ in 0..<200 {
      var path: [TileID] = [.world]
      var key = ""
      while let last = path.last, last.z < 24 {
        let (dx, dy) = (numbers.integer(0...1), numbers.integer(0...1))
        path.append(try #require(last.child(dx, dy)))
        key += String(dx + 2 * dy)
        // A child's quadkey is its parent's and one digit more.
        #expect(path.last?.quadkey == key)
      }
      let deepest = path[24]
      for level in 0...24 {
        #expect(deepest.ancestor(24 - level) == path[level])
        #expect(deepest.ancestor(atLevel: level) == path[level])
      }
      #expect(deepest.child(0, 0) == nil)
    }
  }

  @Test(arguments: [-1, 6, 64, Int.max, Int.min])
  func thereAreNoOtherAncestorsAndChildren(number: Int) throws {
    let tile = try #require(TileID(z: 5, x: 17, y: 9))
    #expect(tile.ancestor(number) == nil)
    #expect(tile.ancestor(atLevel: number) == nil)
    #expect(tile.child(number, 0) == nil)
    #expect(tile.child(0, number) == nil)
  }

  @Test func childrenTileTheirParent() throws {
    let tile = try #require(TileID(z: 6, x: 33, y: 21))
    let whole = GeoBounds(tile)
    let northWest = GeoBounds(try #require(tile.child(0, 0)))
    let southEast = GeoBounds(try #require(tile.child(1, 1)))
    #expect(northWest.north == whole.north && northWest.west == whole.west)
    #expect(southEast.south == whole.south && southEast.east == whole.east)
    #expect(northWest.south == southEast.north && northWest.east == southEast.west)
  }

  @Test func everyTilePacksIntoItsOwn53Bits() {
    var seen = Set<UInt64>()
    var tiles = 0
    for z in 0...7 {
      for x in 0..<1 << z {
        for y in 0..<1 << z {
          guard let tile = TileID(z: z, x: x, y: y) else { continue }
          seen.insert(tile.packed)
          tiles += 1
        }
      }
    }
    #expect(seen.count == tiles && tiles == 21845)
    for z in 0...24 {
      guard let tile = TileID(z: z, x: (1 << z) - 1, y: (1 << z) - 1) else { continue }
      #expect(tile.packed >> 53 == 0)
      #expect(
        tile.packed >> 48 == z && tile.packed >> 24 & 0xFF_FFFF == tile.y
          && tile.packed & 0xFF_FFFF == tile.x)
    }
  }

  @Test func aTileIsWrittenAsItsThreeNumbers() throws {
    #expect("\(try #require(TileID(z: 13, x: 4272, y: 2913)))" == "13/4272/2913")
  }
}
