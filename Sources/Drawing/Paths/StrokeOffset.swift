/// Lines beside lines.
enum StrokeOffset {
  /// The corner's point is at most this multiple of the offset away, as MapLibre's are.
  private static let longestPoint = 2.0

  /// A path `offset` pixels to the right of `path`, or to its left if that is below 0.
  static func path(_ path: Path, by offset: Double) -> Path {
    var result = Path()
    path.points.withUnsafeBufferPointer { points in
      var start = 0
      for index in 0...path.ends.count {
        let end = index < path.ends.count ? path.ends[index] : points.count
        if start < end {
          line(UnsafeBufferPointer(rebasing: points[start..<end]), offset, into: &result)
        }
        start = end
      }
    }
    return result
  }

  /// A straight part of a line: where it begins, its direction as a normal to the right, as long as
  /// the offset, and its length.
  private struct Part {
    var x: Double
    var y: Double
    var normalX: Double
    var normalY: Double
    var length: Double
  }

  private static func line(
    _ points: UnsafeBufferPointer<Path.Point>, _ offset: Double, into path: inout Path
  ) {
    guard let ends = StrokeEnds(points) else { return }
    var isFirst = true
    func add(_ x: Double, _ y: Double) {
      // Rounded in double precision, so that moving the line by whole pixels changes nothing.
      let x = (x * 256).rounded(.toNearestOrEven) / 256
      let y = (y * 256).rounded(.toNearestOrEven) / 256
      let point = Path.Point(Float(x), Float(y))
      if isFirst { path.move(to: point) } else { path.line(to: point) }
      isFirst = false
    }
    var x = Double(points[ends.first].x)
    var y = Double(points[ends.first].y)
    var first: Part?
    var last: Part?
    for index in ends.first + 1..<ends.last + 1 {
      let point = points[index]
      guard point.x.isFinite, point.y.isFinite else { continue }
      let dx = Double(point.x) - x
      let dy = Double(point.y) - y
      let length = (dx * dx + dy * dy).squareRoot()
      if length < 1.0 / 64 { continue }
      let part = Part(
        x: x, y: y, normalX: -dy / length * offset, normalY: dx / length * offset, length: length)
      if let last {
        join(last, part, offset, add)
      } else {
        first = part
        if !ends.isClosed { add(x + part.normalX, y + part.normalY) }
      }
      last = part
      x = Double(point.x)
      y = Double(point.y)
    }
    guard let first, let last else { return path.finish() }
    if ends.isClosed {
      var corner = first
      (corner.x, corner.y) = (x, y)
      join(last, corner, offset, add)
      // It begins at the second corner, and comes back to it.
      let start = path.ends.last ?? 0
      if start < path.points.count { path.line(to: path.points[start]) }
    } else {
      add(x + last.normalX, y + last.normalY)
    }
    path.finish()
  }

  /// Adds the corner between two parts.
  private static func join(
    _ last: Part, _ next: Part, _ offset: Double, _ add: (Double, Double) -> Void
  ) {
    let square = offset * offset
    let open = 1 + (last.normalX * next.normalX + last.normalY * next.normalY) / square
    let cross = last.normalX * next.normalY - last.normalY * next.normalX
    // A turn to the right has the right side on its inside.
    let isInside = cross * offset > 0
    let shortest = min(last.length, next.length)
    let isPoint: Bool
    if isInside {
      // The sides intersect at offset · tan(turn / 2) before the corner.
      isPoint = square * (2 - open) <= open * shortest * shortest
    } else {
      isPoint = open >= 2 / (longestPoint * longestPoint)
    }
    if isPoint {
      add(
        next.x + (last.normalX + next.normalX) / open,
        next.y + (last.normalY + next.normalY) / open)
    } else {
      add(next.x + last.normalX, next.y + last.normalY)
      add(next.x + next.normalX, next.y + next.normalY)
    }
  }
}
