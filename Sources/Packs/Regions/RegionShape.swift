import Glibc
import MapGeometry

/// How a shape lies to a square.
enum ShapeRelation {
  /// They have nothing in common, and neither has any smaller square within this one.
  case apart
  /// They have a place in common.
  case touching
  /// The shape covers the square. A shape may cover it and still only say `touching`.
  case covering
}

/// One simple shape of a region. Areas with corners are `AreaOutline`s.
enum RegionShape {
  case point(RegionPoint)
  case box(RegionBox)
  case disc(RegionDisc)
  case corridor(CorridorPiece)

  func relation(to square: MapSquare, level: Int, x: UInt64, y: UInt64) -> ShapeRelation {
    switch self {
    case .point(let point): point.isIn(level: level, x: x, y: y) ? .touching : .apart
    case .box(let box): box.relation(to: square)
    case .disc(let disc): disc.relation(to: square)
    case .corridor(let piece): piece.relation(to: square)
    }
  }
}

/// A place, which lies in one tile of each level.
struct RegionPoint {
  /// Column and row at level 24.
  private let column: UInt64
  private let row: UInt64

  /// A place of the unit square; x wraps.
  init(x: Double, y: Double) {
    let count = Double(1 << TileID.maxLevel)
    column = UInt64(min(max((x - x.rounded(.down)) * count, 0), count - 1))
    row = UInt64(min(max(y * count, 0), count - 1))
  }

  func isIn(level: Int, x: UInt64, y: UInt64) -> Bool {
    let shift = UInt64(TileID.maxLevel - level)
    return column >> shift == x && row >> shift == y
  }
}

/// A box on the unit square, edges included. What crosses the dateline is two of them.
struct RegionBox {
  let west: Double
  let north: Double
  let east: Double
  let south: Double

  /// A box; one thinner than the strip between two squares is widened beyond it.
  init(west: Double, north: Double, east: Double, south: Double) {
    let (columns, rows) = (RegionBox.widened(west, east), RegionBox.widened(north, south))
    (self.west, self.east) = columns
    (self.north, self.south) = rows
  }

  private static func widened(_ low: Double, _ high: Double) -> (Double, Double) {
    let least = 4 * MapSquare.inset
    if high - low >= least { return (low, high) }
    let middle = (low + high) / 2
    return (middle - least / 2, middle + least / 2)
  }

  func touches(_ square: MapSquare) -> Bool {
    west <= square.east && square.west <= east && north <= square.south && square.north <= south
  }

  func relation(to square: MapSquare) -> ShapeRelation {
    guard touches(square) else { return .apart }
    return west <= square.west && square.east <= east && north <= square.north
      && square.south <= south ? .covering : .touching
  }
}

/// Where on the map a shape can be at all: what lies outside needs no closer look.
struct ShapeFrame {
  private let west: Double
  private let width: Double
  private let north: Double
  private let south: Double

  /// The frame of all places within `angle` radians of a line from one place of the unit square to
  /// another that is straight there.
  init(from a: WorldPoint, to b: WorldPoint, angle: Double) {
    let lats = [GroundPoint.latitude(ofY: a.y), GroundPoint.latitude(ofY: b.y)]
    self.init(
      xs: (min(a.x, b.x), max(a.x, b.x)), south: min(lats[0], lats[1]),
      north: max(lats[0], lats[1]), angle: angle)
  }

  /// The frame of all places within `angle` of a box: columns of the unit square, and latitudes in
  /// radians.
  init(xs: (Double, Double), south low: Double, north high: Double, angle: Double) {
    // Rounding must not cost a tile.
    let angle = angle * (1 + 1e-9) + 1e-12
    let highest = max(abs(low), abs(high))
    north = ShapeFrame.row(high + angle) - 1e-12
    south = ShapeFrame.row(low - angle) + 1e-12
    // The meridian that touches a circle: sin(difference) = sin(angle)/cos(lat).
    let ratio = highest + angle < .pi / 2 ? sin(angle) / cos(highest) : 2
    let reach = ratio < 1 ? asin(ratio) / (2 * .pi) + 1e-12 : 1
    west = xs.0 - reach
    width = xs.1 - xs.0 + 2 * reach
  }

  private static func row(_ lat: Double) -> Double {
    WebMercator.project(GeoPoint(lat: min(max(lat, -.pi / 2), .pi / 2) * 180 / .pi, lon: 0)).y
  }

  func isNear(_ square: MapSquare) -> Bool {
    guard square.north <= south, square.south >= north else { return false }
    if width >= 1 { return true }
    var from = (square.west - west).truncatingRemainder(dividingBy: 1)
    if from < 0 { from += 1 }
    // The square begins within the frame, or reaches it from the west.
    return from <= width || from + (square.east - square.west) >= 1
  }

  /// The edges as a box in degrees; west > east across the dateline.
  var bounds: GeoBounds {
    let top = WebMercator.unproject(WorldPoint(x: 0, y: north)).lat
    let bottom = WebMercator.unproject(WorldPoint(x: 0, y: south)).lat
    if width >= 1 { return GeoBounds(west: -180, south: bottom, east: 180, north: top) }
    let left = WebMercator.wrapLongitude(west * 360 - 180)
    var right = WebMercator.wrapLongitude((west + width) * 360 - 180)
    if right == -180 { right = 180 }
    return GeoBounds(west: left, south: bottom, east: right, north: top)
  }
}

/// All places within a distance of one, measured on the ground: a circle there, and near a pole or
/// across the dateline anything but one on the map.
struct RegionDisc {
  private let center: GroundPoint
  private let angle: Double
  let frame: ShapeFrame

  /// - Parameters:
  ///   - center: degrees.
  ///   - radius: metres.
  init(center: GeoPoint, radius: Double) {
    self.center = GroundPoint(lat: center.lat * .pi / 180, lon: center.lon * .pi / 180)
    angle = min(radius / GroundPoint.earthRadius, .pi)
    let x = (center.lon + 180) / 360
    frame = ShapeFrame(xs: (x, x), south: self.center.lat, north: self.center.lat, angle: angle)
  }

  func relation(to square: MapSquare) -> ShapeRelation {
    guard frame.isNear(square), square.ground.angle(from: center) <= angle else { return .apart }
    return square.ground.farthestAngle(from: center) < angle - 1e-9 ? .covering : .touching
  }
}
