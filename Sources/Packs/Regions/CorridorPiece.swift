import Glibc
import MapGeometry

/// All places within a distance of a line, measured on the ground. The line is straight on the map.
struct CorridorPiece {
  private let start: WorldPoint
  private let end: WorldPoint
  private let angle: Double
  /// An upper bound for the line's length on the ground, in radians per width of the world.
  private let longestUnit: Double
  /// Upper and lower bounds of the same within the whole corridor, for distances to a square.
  private let mostReach: Double
  private let leastReach: Double
  let frame: ShapeFrame

  /// - Parameters:
  ///   - start: one end on the unit square.
  ///   - end: the other; x may lie beyond 0...1.
  ///   - distance: metres to each side.
  init(from start: WorldPoint, to end: WorldPoint, distance: Double) {
    self.start = start
    self.end = end
    let angle = distance / GroundPoint.earthRadius
    self.angle = angle
    frame = ShapeFrame(from: start, to: end, angle: angle)
    let lats = (GroundPoint.latitude(ofY: start.y), GroundPoint.latitude(ofY: end.y))
    let nearest = lats.0 * lats.1 < 0 ? 0 : min(abs(lats.0), abs(lats.1))
    let farthest = max(abs(lats.0), abs(lats.1))
    // Web Mercator stretches by 1/cos(lat).
    longestUnit = 2 * .pi * cos(nearest)
    mostReach = 2 * .pi * cos(max(nearest - angle, 0))
    leastReach = 2 * .pi * max(cos(min(farthest + angle, .pi / 2)), 0)
  }

  func relation(to square: MapSquare) -> ShapeRelation {
    guard frame.isNear(square) else { return .apart }
    var looks = CorridorPiece.looks
    guard touches(square, from: 0, to: 1, &looks) else { return .apart }
    return covers(square) ? .covering : .touching
  }

  /// The most points of the line to examine. A line that runs for long at exactly this distance
  /// from a square needs more; it then counts as touching.
  private static let looks = 20_000
  /// Pieces of the line shorter than this part of the distance are one place.
  private static let tolerance = 1e-4

  /// Whether the line between `from` and `to` (parts of its length) comes within the distance.
  private func touches(
    _ square: MapSquare, from: Double, to: Double, _ looks: inout Int
  ) -> Bool {
    looks -= 1
    if looks < 0 { return true }
    let (a, b) = (point(from), point(to))
    // Any path on the ground that reaches the square within the distance stays at latitudes where
    // the map's scale lies between these bounds.
    let apart = CorridorPiece.distance(a, b, square)
    if apart * leastReach > angle { return false }
    if apart * mostReach <= angle { return true }
    let middle = (from + to) / 2
    let place = point(middle)
    let distance = square.ground.angle(from: GroundPoint(x: place.x, y: place.y))
    if distance <= angle { return true }
    let half = hypot(b.x - a.x, b.y - a.y) / 2 * longestUnit
    if distance - half > angle || half < angle * CorridorPiece.tolerance { return false }
    return touches(square, from: from, to: middle, &looks)
      || touches(square, from: middle, to: to, &looks)
  }

  private func point(_ part: Double) -> WorldPoint {
    WorldPoint(x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)
  }

  /// Whether all of the square is within the distance of one place of the line.
  private func covers(_ square: MapSquare) -> Bool {
    let middle = WorldPoint(
      x: (square.west + square.east) / 2, y: (square.north + square.south) / 2)
    let dx = end.x - start.x
    let dy = end.y - start.y
    let length = dx * dx + dy * dy
    let part =
      length > 0 ? ((middle.x - start.x) * dx + (middle.y - start.y) * dy) / length : 0
    let nearest = point(min(max(part, 0), 1))
    return square.ground.farthestAngle(from: GroundPoint(x: nearest.x, y: nearest.y))
      < angle - 1e-9
  }

  /// The distance on the unit square between a line and `square`, whichever way round the world.
  private static func distance(_ a: WorldPoint, _ b: WorldPoint, _ square: MapSquare) -> Double {
    var least = Double.infinity
    for turn in [0.0, -1, 1] {
      let west = square.west + turn
      let east = square.east + turn
      // No nearer than the boxes are.
      let gap = max(west - max(a.x, b.x), min(a.x, b.x) - east, 0)
      if gap >= least { continue }
      if SegmentBox.touches(
        a.x, a.y, b.x, b.y, west: west, north: square.north, east: east, south: square.south)
      {
        return 0
      }
      for end in [a, b] {
        let dx = max(west - end.x, end.x - east, 0)
        let dy = max(square.north - end.y, end.y - square.south, 0)
        least = min(least, hypot(dx, dy))
      }
      for x in [west, east] {
        for y in [square.north, square.south] { least = min(least, distance(a, b, x, y)) }
      }
    }
    return least
  }

  private static func distance(_ a: WorldPoint, _ b: WorldPoint, _ x: Double, _ y: Double)
    -> Double
  {
    let dx = b.x - a.x
    let dy = b.y - a.y
    let length = dx * dx + dy * dy
    let part = length > 0 ? min(max(((x - a.x) * dx + (y - a.y) * dy) / length, 0), 1) : 0
    return hypot(a.x + dx * part - x, a.y + dy * part - y)
  }
}

/// Whether a line from one place to another and a box have a place in common.
enum SegmentBox {
  static func touches(
    _ ax: Double, _ ay: Double, _ bx: Double, _ by: Double, west: Double, north: Double,
    east: Double, south: Double
  ) -> Bool {
    guard max(ax, bx) >= west, min(ax, bx) <= east, max(ay, by) >= north, min(ay, by) <= south
    else { return false }
    // The line separates them where all corners lie on one side of it.
    let dx = bx - ax
    let dy = by - ay
    let sides = (
      dx * (north - ay) - dy * (west - ax), dx * (north - ay) - dy * (east - ax),
      dx * (south - ay) - dy * (west - ax), dx * (south - ay) - dy * (east - ax)
    )
    let low = min(min(sides.0, sides.1), min(sides.2, sides.3))
    let high = max(max(sides.0, sides.1), max(sides.2, sides.3))
    return low <= 0 && high >= 0
  }
}
