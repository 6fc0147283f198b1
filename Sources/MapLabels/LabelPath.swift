import Platform

#if canImport(Glibc)
  import Glibc
#endif

/// A line on the screen, in pixels, with the distances along it.
struct LabelPath {
  struct Point: Equatable {
    var x: Float
    var y: Float
  }

  private(set) var points: [Point] = []
  /// The distance of each point from the start.
  private(set) var distances: [Float] = []

  /// Bytes that a point takes.
  static let pointBytes = MemoryLayout<Point>.stride + MemoryLayout<Float>.stride

  var length: Float { distances.last ?? 0 }

  init(_ points: [Point] = []) {
    self.points.reserveCapacity(points.count)
    distances.reserveCapacity(points.count)
    for point in points { append(point) }
  }

  /// Adds a point; one at the same place as the last is left out.
  mutating func append(_ point: Point) {
    guard let last = points.last else {
      points.append(point)
      distances.append(0)
      return
    }
    let step = ((point.x - last.x) * (point.x - last.x) + (point.y - last.y) * (point.y - last.y))
      .squareRoot()
    guard step > 0 else { return }
    points.append(point)
    distances.append(length + step)
  }

  /// The smallest upright rectangle around a line.
  struct Bounds {
    var low: Point
    var high: Point

    /// Whether a point lies in it, or so near to it.
    func contains(_ point: Point, within reach: Float) -> Bool {
      point.x >= low.x - reach && point.x <= high.x + reach && point.y >= low.y - reach
        && point.y <= high.y + reach
    }
  }

  /// The rectangle around the line; nil without points.
  var bounds: Bounds? {
    guard let first = points.first else { return nil }
    var bounds = Bounds(low: first, high: first)
    for point in points {
      bounds.low = Point(x: min(bounds.low.x, point.x), y: min(bounds.low.y, point.y))
      bounds.high = Point(x: max(bounds.high.x, point.x), y: max(bounds.high.y, point.y))
    }
    return bounds
  }

  /// The segment that holds a distance, 0 ..< points.count - 1.
  private func segment(_ distance: Float) -> Int {
    var (low, high) = (0, points.count - 2)
    while low < high {
      let middle = (low + high + 1) / 2
      if distances[middle] <= distance { low = middle } else { high = middle - 1 }
    }
    return max(low, 0)
  }

  /// The point at a distance from the start. Beyond the ends the first and last segments go on.
  func point(at distance: Float) -> Point {
    guard points.count > 1 else { return points.first ?? Point(x: 0, y: 0) }
    let number = segment(distance)
    let (a, b) = (points[number], points[number + 1])
    let t = (distance - distances[number]) / (distances[number + 1] - distances[number])
    return Point(x: a.x + t * (b.x - a.x), y: a.y + t * (b.y - a.y))
  }

  /// The direction at a distance, clockwise in radians from the right.
  func angle(at distance: Float) -> Float {
    guard points.count > 1 else { return 0 }
    let number = segment(distance)
    let (a, b) = (points[number], points[number + 1])
    return atan2f(b.y - a.y, b.x - a.x)
  }

  /// The distance along the line nearest to a point, and how far away that is.
  func nearest(_ place: Point) -> (along: Float, away: Float) {
    var best: (along: Float, away: Float) = (0, .infinity)
    guard points.count > 1 else { return best }
    for number in 0..<points.count - 1 {
      let (a, b) = (points[number], points[number + 1])
      let (dx, dy) = (b.x - a.x, b.y - a.y)
      let dot = (place.x - a.x) * dx + (place.y - a.y) * dy
      let t = min(max(dot / (dx * dx + dy * dy), 0), 1)
      let (x, y) = (a.x + t * dx - place.x, a.y + t * dy - place.y)
      let away = x * x + y * y
      if away < best.away {
        best = (distances[number] + t * (distances[number + 1] - distances[number]), away)
      }
    }
    best.away = best.away.squareRoot()
    return best
  }

  /// Whether a text between two distances bends by at most `limit` radians within any `window`
  /// pixels (`text-max-angle`).
  func isStraight(from start: Float, to end: Float, limit: Float, window: Float) -> Bool {
    guard points.count > 2 else { return true }
    var sum: Float = 0
    var first = segment(start) + 1
    var index = first
    while index < points.count - 1, distances[index] < end {
      sum += turn(index)
      while first < index, distances[index] - distances[first] > window {
        sum -= turn(first)
        first += 1
      }
      if sum > limit { return false }
      index += 1
    }
    return true
  }

  /// The share of a stretch, 0 ... 1, that runs to the left and is more than 10 degrees off the
  /// vertical; to the right, if `flipped`.
  func backward(from start: Float, to end: Float, flipped: Bool) -> Float {
    guard points.count > 2, end > start else { return 0 }
    var sum: Float = 0
    var index = segment(start)
    while index < points.count - 1, distances[index] < end {
      let length = distances[index + 1] - distances[index]
      let across = (points[index + 1].x - points[index].x) * (flipped ? -1 : 1)
      if across < -0.17 * length {
        sum += max(0, min(distances[index + 1], end) - max(distances[index], start))
      }
      index += 1
    }
    return sum / (end - start)
  }

  /// How far the line turns at a point, 0 ... π.
  private func turn(_ index: Int) -> Float {
    let (a, b, c) = (points[index - 1], points[index], points[index + 1])
    let (ux, uy, vx, vy) = (b.x - a.x, b.y - a.y, c.x - b.x, c.y - b.y)
    return abs(atan2f(ux * vy - uy * vx, ux * vx + uy * vy))
  }

  /// Where labels of a length stand along the line, as in MapLibre: at even distances from near the
  /// start, and where none of these fits, from the middle on.
  ///
  /// - Parameters:
  ///   - label: The label's length in pixels.
  ///   - spacing: `symbol-spacing` in pixels.
  ///   - margin: Added before the first one, in pixels.
  ///   - overscale: How many times farther the first one stands from the start.
  ///   - continues: Whether the line goes on before its start, in the next tile.
  ///   - isFit: Whether the line is straight enough at a distance.
  /// - Returns: The distances of the labels' middles from the line's start, in pixels.
  func anchors(
    label: Float, spacing: Float, margin: Float, overscale: Float = 1, continues: Bool = false,
    isFit: (Float) -> Bool = { _ in true }
  ) -> [Float] {
    guard points.count > 1, length >= label else { return [] }
    var spacing = max(spacing, 1)
    if spacing - label < spacing / 4 { spacing = label + spacing / 4 }
    func anchors(from start: Float) -> [Float] {
      var anchors: [Float] = []
      var at = start
      var tries = 0
      while at + label / 2 <= length, tries < 256 {
        if at >= label / 2, isFit(at) { anchors.append(at) }
        at += spacing
        tries += 1
      }
      return anchors
    }
    let start =
      continues
      ? (spacing / 2 * overscale).truncatingRemainder(dividingBy: spacing)
      : ((label / 2 + margin) * overscale).truncatingRemainder(dividingBy: spacing)
    let found = anchors(from: start)
    return found.isEmpty && !continues ? anchors(from: length / 2) : found
  }
}

/// Joins the parts of a line that tiles cut.
enum LabelPathJoiner {
  /// The most parts that are joined; with more, each stays for itself.
  static let maxParts = 512

  /// Joins lines whose ends lie near each other. Each keeps the candidate of its first part.
  ///
  /// - Parameters:
  ///   - parts: The lines.
  ///   - turning: Whether lines are turned around to join them. MapLibre does not.
  ///   - reach: How far apart the ends may be, in pixels.
  ///   - run: Counts comparisons; when they are used up, lines stay as they are.
  static func join(
    _ parts: inout [LineGroup.Part], turning: Bool, within reach: Float = 0.5,
    _ run: inout LabelRun
  ) {
    guard parts.count > 1, parts.count <= maxParts else { return }
    // The first comes last, where it is taken without moving others.
    var rest = Array(parts.reversed())
    parts.removeAll(keepingCapacity: true)
    while var part = rest.popLast() {
      var grew = true
      while grew, run.mayCompare(rest.count) {
        grew = false
        for index in rest.indices.reversed() {
          let other = rest[index].points
          guard let first = other.first, let last = other.last, let start = part.points.first,
            let end = part.points.last,
            SpareMemory.has(2 * (part.points.count + other.count), of: LabelPath.pointBytes)
          else { continue }
          if meet(end, first, within: reach) {
            part.points += other.dropFirst()
          } else if meet(start, last, within: reach) {
            part.points = other + part.points.dropFirst()
          } else if turning, meet(end, last, within: reach) {
            part.points += other.reversed().dropFirst()
          } else if turning, meet(start, first, within: reach) {
            part.points = other.reversed() + part.points.dropFirst()
          } else {
            continue
          }
          rest.remove(at: index)
          grew = true
        }
      }
      parts.append(part)
    }
  }

  static func meet(
    _ a: LabelPath.Point, _ b: LabelPath.Point, within reach: Float = 0.5
  ) -> Bool {
    abs(a.x - b.x) < reach && abs(a.y - b.y) < reach
  }
}
