import Glibc

/// The square of one tile as regions see it: without a strip of 2 cm along its edges.
///
/// A region belongs to a tile where it reaches into this square. So a box whose edges are those of
/// a tile, rounded to seven decimals of a degree or not, does not take the tiles around it as well.
struct MapSquare {
  /// The strip's width in widths of the world: 1.9 cm on the equator, 0.8 % of a tile of level 24.
  static let inset = 0x1p-31

  /// West edge on the unit square of Web Mercator.
  let west: Double
  /// North edge on the unit square.
  let north: Double
  /// East edge on the unit square.
  let east: Double
  /// South edge on the unit square.
  let south: Double
  /// The same on the ground.
  let ground: GroundBox

  /// The square of tile `x`, `y` of `level`.
  init(level: Int, x: UInt64, y: UInt64) {
    let side = 1 / Double(UInt64(1) << UInt64(level))
    west = Double(x) * side + MapSquare.inset
    north = Double(y) * side + MapSquare.inset
    east = Double(x + 1) * side - MapSquare.inset
    south = Double(y + 1) * side - MapSquare.inset
    ground = GroundBox(
      west: (west - 0.5) * 2 * .pi, south: GroundPoint.latitude(ofY: south),
      east: (east - 0.5) * 2 * .pi, north: GroundPoint.latitude(ofY: north))
  }
}

/// A place on the sphere, in radians.
struct GroundPoint {
  /// IUGG's mean radius of the Earth in metres. Distances are within 0.6 % of those on WGS 84.
  static let earthRadius = 6_371_008.8

  var lat: Double
  var lon: Double

  init(lat: Double, lon: Double) {
    self.lat = lat
    self.lon = lon
  }

  /// The place at `x`, `y` of the unit square of Web Mercator.
  init(x: Double, y: Double) {
    lat = GroundPoint.latitude(ofY: y)
    lon = (x - 0.5) * 2 * .pi
  }

  /// The latitude in radians of the row `y` of the unit square.
  static func latitude(ofY y: Double) -> Double { atan(sinh(.pi * (1 - 2 * y))) }

  /// The place on the other side of the Earth.
  var antipode: GroundPoint { GroundPoint(lat: -lat, lon: lon + .pi) }

  /// The angle to `other` in radians (the haversine formula).
  func angle(to other: GroundPoint) -> Double {
    let north = sin((other.lat - lat) / 2)
    let east = sin((other.lon - lon) / 2)
    let square = north * north + cos(lat) * cos(other.lat) * east * east
    return 2 * asin(min(square.squareRoot(), 1))
  }
}

/// A box between two parallels and two meridians, in radians. `east` is not less than `west`.
struct GroundBox {
  var west: Double
  var south: Double
  var east: Double
  var north: Double

  /// The angle in radians from `point` to the nearest place of the box; 0 within it.
  func angle(from point: GroundPoint) -> Double {
    var fromWest = (point.lon - west).truncatingRemainder(dividingBy: 2 * .pi)
    if fromWest < 0 { fromWest += 2 * .pi }
    let width = east - west
    if fromWest <= width {
      // Along its meridian: no way is shorter than the difference of latitudes.
      return max(0, south - point.lat, point.lat - north)
    }
    // Along a parallel the distance grows with the difference of longitudes, up to 180 degrees: the
    // nearest place is on one of the box's meridians.
    return min(
      angle(from: point, toMeridian: fromWest - width),
      angle(from: point, toMeridian: 2 * .pi - fromWest))
  }

  /// The angle from `point` to the piece of a meridian, `difference` of longitude away, between the
  /// box's parallels.
  private func angle(from point: GroundPoint, toMeridian difference: Double) -> Double {
    // cos(angle) = sin(lat) sin(x) + cos(lat) cos(difference) cos(x), greatest at this x.
    let foot = atan2(sin(point.lat), cos(point.lat) * cos(difference))
    func angle(at lat: Double) -> Double {
      point.angle(to: GroundPoint(lat: lat, lon: point.lon + difference))
    }
    if foot > south, foot < north { return angle(at: foot) }
    return min(angle(at: south), angle(at: north))
  }

  /// The angle in radians from `point` to the farthest place of the box.
  func farthestAngle(from point: GroundPoint) -> Double { .pi - angle(from: point.antipode) }
}
