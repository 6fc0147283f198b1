import Glibc
import Platform

/// Converts a line to the outline of its stroke, with round joins and caps, to be filled non-zero.
///
/// The outline follows the line's left side to its end and returns along the other side. On the
/// outside of a turn an arc joins the two sides; on the inside they are joined through the turn's
/// point. All parts of the outline wind the same way, so nothing cancels out, however tight the
/// turns are.
struct PathStroker {
  /// The outline of the last path.
  private(set) var edges = Path()
  /// Whether points were left out because the system had no memory for them.
  private(set) var lacksMemory = false
  /// The current sub-path in pixels, without repeated points.
  private var line: [(x: Double, y: Double)] = []
  private var radius = 0.5
  /// The step of an arc, in radians, that stays within 1/20 pixel of the circle.
  private var arcStep = 1.0
  private var isFirst = true
  /// Points closer than this to the previous one are skipped, in pixels.
  private var tolerance = 1e-3

  /// A path with more points than this is drawn with less detail: among so many points, nothing
  /// below a quarter of the line's radius is visible.
  private static let crowd = 1 << 16
  /// Once the outline has more points than this, its arcs and discs have few steps.
  private static let fine = 1 << 17

  var bytes: Int { edges.points.capacity * 8 + edges.ends.capacity * 8 + line.capacity * 16 }

  /// Sets `edges` to the outline of `path`, without the parts outside a canvas of this size.
  mutating func outline(_ path: Path, radius: Double, width: Double, height: Double) {
    edges.removeAll()
    lacksMemory = false
    self.radius = radius
    arcStep = 2 * acos(max(0, 1 - 0.05 / radius))
    tolerance = path.points.count > Self.crowd ? max(0.5, min(radius / 4, 8)) : 1e-3
    let margin = radius + 2
    path.points.withUnsafeBufferPointer { points in
      var start = 0
      for index in 0...path.ends.count {
        // The last one is the unfinished sub-path.
        let end = index < path.ends.count ? path.ends[index] : points.count
        if start == end { continue }
        clean(points[start..<end])
        start = end
        outlineLine(
          sees: { a, b in
            !(max(a.x, b.x) < -margin || min(a.x, b.x) > width + margin
              || max(a.y, b.y) < -margin || min(a.y, b.y) > height + margin)
          })
      }
    }
  }

  private mutating func clean(_ points: Slice<UnsafeBufferPointer<Path.Point>>) {
    line.removeAll(keepingCapacity: true)
    for point in points where point.x.isFinite && point.y.isFinite {
      let next = (x: Double(point.x), y: Double(point.y))
      if let last = line.last, abs(last.x - next.x) + abs(last.y - next.y) < tolerance { continue }
      if line.count == line.capacity, !line.hasMemory() {
        lacksMemory = true
        return
      }
      line.append(next)
    }
  }

  private typealias Place = (x: Double, y: Double)

  private mutating func outlineLine(sees: (Place, Place) -> Bool) {
    guard let first = line.first, let last = line.last else { return }
    if line.count == 1 {
      if sees(first, first) { disc(first) }
      return
    }
    let isClosed = line.count > 3 && abs(first.x - last.x) + abs(first.y - last.y) < 1e-3
    if isClosed { line.removeLast() }
    let segments = isClosed ? line.count : line.count - 1
    func place(_ index: Int) -> Place { line[index < line.count ? index : index - line.count] }
    func isSeen(_ segment: Int) -> Bool { sees(place(segment), place(segment + 1)) }
    // A closed line that is partly out of view begins after its hidden part.
    var offset = 0
    if isClosed {
      while offset < segments, isSeen(offset) { offset += 1 }
      if offset == segments {
        ring(forwards: true)
        ring(forwards: false)
        return
      }
    }
    var index = 0
    while index < segments {
      let start = (offset + index) % segments
      index += 1
      guard isSeen(start) else { continue }
      var count = 1
      while index < segments, isSeen((offset + index) % segments) {
        count += 1
        index += 1
      }
      open(from: start, segments: count)
    }
  }

  // MARK: Outlines

  private mutating func put(_ x: Double, _ y: Double) {
    // Rounded to 1/256 pixel, the precision of edges, before a Float rounds it differently.
    let point = Path.Point(
      Float((x * 256 + 0.5).rounded(.down) / 256), Float((y * 256 + 0.5).rounded(.down) / 256))
    if isFirst { edges.move(to: point) } else { edges.line(to: point) }
    isFirst = false
  }

  private func at(_ index: Int) -> Place {
    let count = line.count
    return line[index < 0 ? index + count : index < count ? index : index - count]
  }

  /// The normal on the left of `a`–`b`, as long as the radius.
  private func normal(_ a: Place, _ b: Place) -> Place {
    let dx = b.x - a.x
    let dy = b.y - a.y
    let length = (dx * dx + dy * dy).squareRoot()
    return (dy / length * radius, -dx / length * radius)
  }

  private mutating func disc(_ center: Place) {
    isFirst = true
    var steps = max(8, Int((2 * Double.pi / arcStep).rounded(.up)))
    if edges.points.count > Self.fine { steps = 8 }
    for step in 0..<steps {
      let angle = 2 * Double.pi * Double(step) / Double(steps)
      put(center.x + radius * cos(angle), center.y + radius * sin(angle))
    }
    edges.finish()
  }

  private mutating func open(from start: Int, segments: Int) {
    isFirst = true
    side(from: start, count: segments, step: 1)
    cap(at: at(start + segments), normal(at(start + segments - 1), at(start + segments)))
    side(from: start + segments, count: segments, step: -1)
    cap(at: at(start), normal(at(start + 1), at(start)))
    edges.finish()
  }

  /// Adds the left side of `count` segments.
  private mutating func side(from start: Int, count: Int, step: Int) {
    var a = at(start)
    var b = at(start + step)
    var n = normal(a, b)
    put(a.x + n.x, a.y + n.y)
    for index in 1..<max(1, count) {
      let c = at(start + (index + 1) * step)
      let next = normal(b, c)
      join(a, b, c, n, next, isForwards: step > 0)
      (a, b, n) = (b, c, next)
    }
    put(b.x + n.x, b.y + n.y)
  }

  private mutating func ring(forwards: Bool) {
    isFirst = true
    let count = line.count
    var a = at(count - 1)
    var b = at(0)
    var index = 0
    if !forwards { swap(&a, &b) }
    var n = normal(a, b)
    while index < count {
      let c = forwards ? at(index + 1) : at(count - 2 - index)
      let next = normal(b, c)
      join(a, b, c, n, next, isForwards: forwards)
      (a, b, n) = (b, c, next)
      index += 1
    }
    edges.finish()
  }

  /// Joins the left side of a–b to that of b–c.
  private mutating func join(
    _ a: Place, _ b: Place, _ c: Place, _ n: Place, _ next: Place, isForwards: Bool
  ) {
    let cross = n.x * next.y - n.y * next.x
    let dot = n.x * next.x + n.y * next.y
    let square = radius * radius
    put(b.x + n.x, b.y + n.y)
    if cross > 0 || cross == 0 && dot < 0 && isForwards {
      if dot < 0.97 * square { arc(b, n, sweep: atan2(cross, dot)) }
    } else if dot < 0.97 * square || isShort(a, b) || isShort(b, c) {
      put(b.x, b.y)
    }
    put(b.x + next.x, b.y + next.y)
  }

  private func isShort(_ a: Place, _ b: Place) -> Bool {
    let dx = b.x - a.x
    let dy = b.y - a.y
    return dx * dx + dy * dy < radius * radius
  }

  private mutating func cap(at point: Place, _ n: Place) { arc(point, n, sweep: .pi) }

  /// Adds the inner points of an arc that begins at `center` + `n` and turns right by `sweep`
  /// radians.
  private mutating func arc(_ center: Place, _ n: Place, sweep: Double) {
    let sweep = abs(sweep)
    var steps = Int((sweep / arcStep).rounded(.up))
    if edges.points.count > Self.fine { steps = min(steps, 3) }
    guard steps > 1 else { return }
    let (c, s) = (cos(sweep / Double(steps)), sin(sweep / Double(steps)))
    var way = n
    for _ in 1..<steps {
      way = (way.x * c - way.y * s, way.x * s + way.y * c)
      put(center.x + way.x, center.y + way.y)
    }
  }
}
