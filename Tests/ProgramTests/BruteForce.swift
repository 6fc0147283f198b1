import Foundation
import MapGeometry
import TileSources

/// Reads and selects tiles one by one, with code that has nothing in common with `Packs`.
enum BruteForce {
  /// A tile, and where its bytes lie in the archive.
  struct Tile: Equatable {
    var z, x, y: Int
    var bytes: Range<Int>
  }

  /// Every tile of a PMTiles archive, from the specification, sections 3 and 4.
  static func tiles(of file: [UInt8]) throws -> [Tile] {
    func word(_ at: Int) -> Int { (0..<8).reduce(0) { $0 | Int(file[at + $1]) << (8 * $1) } }
    let isPacked = file[97] == 2
    var found: [Tile] = []
    func walk(_ start: Int, _ count: Int) throws {
      let stored = Array(file[start..<(start + count)])
      let bytes = isPacked ? try Unpacking.unpack(stored, .gzip, limit: 1 << 24) : stored
      var place = 0
      func number() -> Int {
        var (value, shift) = (0, 0)
        while true {
          defer { place += 1 }
          value |= Int(bytes[place] & 127) << shift
          if bytes[place] < 128 { return value }
          shift += 7
        }
      }
      let entries = number()
      var id = 0
      let ids = (0..<entries).map { _ in
        id += number()
        return id
      }
      let runs = (0..<entries).map { _ in number() }
      let lengths = (0..<entries).map { _ in number() }
      var next = 0
      for index in 0..<entries {
        let stated = number()
        let offset = stated == 0 ? next : stated - 1
        next = offset + lengths[index]
        if runs[index] == 0 {
          try walk(word(40) + offset, lengths[index])
        }
        for tile in ids[index]..<(ids[index] + runs[index]) {
          let (z, x, y) = address(tile)
          let start = word(56) + offset
          found.append(Tile(z: z, x: x, y: y, bytes: start..<(start + lengths[index])))
        }
      }
    }
    try walk(word(8), word(16))
    return found
  }

  /// Zoom, column and row of a number (Wikipedia, "Hilbert curve": d2xy).
  private static func address(_ number: Int) -> (Int, Int, Int) {
    var (z, rest) = (0, number)
    while rest >= 1 << (2 * z) {
      rest -= 1 << (2 * z)
      z += 1
    }
    var (x, y, side) = (0, 0, 1)
    while side < 1 << z {
      let rx = rest / 2 & 1
      let ry = (rest ^ rx) & 1
      if ry == 0 {
        if rx == 1 { (x, y) = (side - 1 - x, side - 1 - y) }
        (x, y) = (y, x)
      }
      x += side * rx
      y += side * ry
      rest /= 4
      side *= 2
    }
    return (z, x, y)
  }

  // MARK: Geometry

  /// West, south, east and north of a tile in degrees.
  static func box(_ tile: Tile) -> (Double, Double, Double, Double) {
    let count = Double(1 << tile.z)
    func lat(_ row: Int) -> Double { atan(sinh(.pi * (1 - 2 * Double(row) / count))) * 180 / .pi }
    func lon(_ column: Int) -> Double { Double(column) / count * 360 - 180 }
    return (lon(tile.x), lat(tile.y + 1), lon(tile.x + 1), lat(tile.y))
  }

  /// Metres from a place to the nearest one of a tile, on a sphere: the nearest of a meridian is
  /// where the great circle at a right angle to it ends, or one of its ends.
  static func metres(_ lat: Double, _ lon: Double, _ tile: Tile) -> Double {
    let (west, south, east, north) = box(tile)
    let radians = Double.pi / 180
    func distance(_ toLat: Double, _ turn: Double) -> Double {
      let (a, b) = (lat * radians, toLat * radians)
      let h = pow(sin((b - a) / 2), 2) + cos(a) * cos(b) * pow(sin(turn / 2), 2)
      return 2 * 6_371_008.8 * asin(min(1, h.squareRoot()))
    }
    if lon >= west, lon <= east { return distance(min(max(lat, south), north), 0) }
    var best = Double.infinity
    for edge in [west, east] {
      let turn = (edge - lon) * radians
      for at in [south, north] { best = min(best, distance(at, turn)) }
      let foot = atan2(sin(lat * radians), cos(lat * radians) * cos(turn)) / radians
      if foot > south, foot < north { best = min(best, distance(foot, turn)) }
    }
    return best
  }

  /// A place on the square map, 0 to 1 from the west and the north.
  static func flat(_ lat: Double, _ lon: Double) -> (x: Double, y: Double) {
    (lon / 360 + 0.5, 0.5 - asinh(tan(lat * .pi / 180)) / (2 * .pi))
  }

  /// Whether rings, of which an odd number around a place makes it inside, reach into a tile.
  static func reach(_ rings: [[(x: Double, y: Double)]], _ tile: Tile) -> Bool {
    let side = 1 / Double(1 << tile.z)
    let (west, north) = (Double(tile.x) * side, Double(tile.y) * side)
    var isInside = false
    for ring in rings {
      for (index, b) in ring.enumerated() {
        let a = ring[(index + ring.count - 1) % ring.count]
        // An edge within the tile, cut by Liang and Barsky.
        var (low, high) = (0.0, 1.0)
        for (step, room) in [
          (a.x - b.x, a.x - west), (b.x - a.x, west + side - a.x), (a.y - b.y, a.y - north),
          (b.y - a.y, north + side - a.y),
        ] {
          if step == 0 {
            if room < 0 { high = -1 }
          } else if step < 0 {
            low = max(low, room / step)
          } else {
            high = min(high, room / step)
          }
        }
        if low < high { return true }
        let (x, y) = (west + side / 2, north + side / 2)
        if (a.y > y) != (b.y > y), x < a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y) {
          isInside.toggle()
        }
      }
    }
    return isInside
  }
}
