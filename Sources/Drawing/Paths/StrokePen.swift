#if canImport(Glibc)
  import Glibc
#endif

/// Draws the outline of a stroke into cells, one segment at a time, without keeping it.
///
/// Left and right sides advance together. On the outside of a corner they follow the join; on the
/// inside they meet where the sides intersect, or through the corner's point if the segments are
/// too short for that. All parts wind the same way, so a non-zero fill has no holes. Segments that
/// the view does not show are skipped: the outline ends straight at one and begins anew after it.
struct StrokePen {
  /// A position in pixels.
  struct Place {
    var x: Double
    var y: Double
  }

  /// How a line begins or ends.
  enum End {
    case butt, square, round
    /// Out of view, or continued elsewhere.
    case hidden
    /// At the line's other end.
    case closed
  }

  /// Lines beyond this are cut, in pixels. With the widest stroke, 1/256 pixels fit 32 bits.
  private static let far = 1_048_576.0
  /// The longest point of a corner, as a multiple of the radius.
  private static let longestPoint = 32.0
  /// What `line-join: bevel` still draws as a point: MapLibre's limit.
  private static let bevelLimit = 1.05

  private let radius: Double
  private let inverseSquare: Double
  /// How far square ends go.
  private let capReach: Double
  /// Whether ends are round.
  private let isRound: Bool
  /// Whether corners are.
  private let hasArcs: Bool
  /// A corner is a point if 1 + the cosine of its turn is at least this.
  private let leastPointed: Double
  /// Arcs have steps of this turn, of which there are `capSteps` in a half circle.
  private var capSteps = 0
  private var stepCosine = 1.0
  private var stepSine = 0.0
  /// Points nearer to the last one than this are skipped; its square.
  private let nearSquare: Double
  /// How far from its line the stroke may draw.
  let margin: Double

  private var minX = 0.0
  private var maxX = 0.0
  private var minY = 0.0
  private var maxY = 0.0

  private var last = Place(x: 0, y: 0)
  /// Where the last segment began, if it was not seen; else `normal` and `length` are known.
  private var before: Place?
  private var normal = Place(x: 0, y: 0)
  private var length = 0.0
  private var left = CoverageCells.Point(x: 0, y: 0)
  private var right = CoverageCells.Point(x: 0, y: 0)
  /// Whether an outline is unfinished.
  private var isOpen = false
  private var start = End.hidden
  private var hasSegment = false
  /// The first segment of a closed line, whether it is seen, and the outline's beginning there.
  private var first = (from: Place(x: 0, y: 0), to: Place(x: 0, y: 0))
  private var isFirstSeen = false
  private var firstLeft = CoverageCells.Point(x: 0, y: 0)
  private var firstRight = CoverageCells.Point(x: 0, y: 0)

  /// Creates a pen of a radius above 0 and at most 32,768 pixels.
  ///
  /// - Parameters:
  ///   - capReach: How far square ends go beyond the line's end.
  ///   - near: Points nearer to the last one than this are skipped, in pixels.
  init(_ style: StrokeStyle, radius: Double, capReach: Double, near: Double) {
    self.radius = radius
    self.capReach = capReach
    inverseSquare = 1 / (radius * radius)
    nearSquare = near * near
    let limit: Double
    switch style.join {
    case .miter: limit = style.miterLimit
    case .bevel: limit = Self.bevelLimit
    case .round: limit = style.roundLimit
    }
    let point = limit > 1 ? min(limit, Self.longestPoint) : 1
    leastPointed = 2 / (point * point)
    isRound = style.cap == .round
    hasArcs = style.join == .round
    margin = max(radius * point, (radius * radius + capReach * capReach).squareRoot()) + 2
    if hasArcs || isRound {
      // Chords stay within 1/20 pixel of the arc.
      let step = 2 * acos(max(0.5, 1 - 1 / (20 * radius)))
      capSteps = max(3, Int((Double.pi / step).rounded(.up)))
      stepCosine = cos(Double.pi / Double(capSteps))
      stepSine = sin(Double.pi / Double(capSteps))
    }
  }

  /// Says which columns and rows are to be drawn.
  mutating func look(width: Int, rows: Range<Int>) {
    minX = -margin
    maxX = Double(width) + margin
    minY = Double(rows.lowerBound) - margin
    maxY = Double(rows.upperBound) + margin
  }

  /// Whether a segment may be drawn in the view.
  @inline(__always)
  func isSeen(_ a: Place, _ b: Place) -> Bool {
    !(a.y < minY && b.y < minY || a.y > maxY && b.y > maxY || a.x < minX && b.x < minX
      || a.x > maxX && b.x > maxX)
  }

  /// The part of a–b in the view, from 0 at `a` to 1 at `b`; nil if there is none.
  func seenPart(_ a: Place, _ b: Place) -> ClosedRange<Double>? {
    part(a, b, x: minX...maxX, y: minY...maxY)
  }

  // MARK: Lines

  /// Begins a line at `place`.
  mutating func begin(_ place: Place, _ end: End) {
    last = place
    start = end
    hasSegment = false
    isOpen = false
    isFirstSeen = false
    before = nil
  }

  /// Continues the line to `place`.
  mutating func line(to place: Place, _ cells: inout CoverageCells) {
    let far = Self.far
    if abs(place.x) > far || abs(place.y) > far || abs(last.x) > far || abs(last.y) > far {
      farLine(to: place, &cells)
    } else {
      segment(to: place, &cells)
    }
  }

  /// Ends the line at its last point.
  mutating func end(_ end: End, _ cells: inout CoverageCells) {
    if !hasSegment {
      if isRound, end != .hidden, isSeen(last, last) { disc(&cells) }
      return
    }
    if start == .closed {
      closeRing(&cells)
    } else if isOpen {
      close(end, &cells)
    }
  }

  private mutating func segment(to place: Place, _ cells: inout CoverageCells) {
    let dx = place.x - last.x
    let dy = place.y - last.y
    let square = dx * dx + dy * dy
    if square < nearSquare { return }
    let isFirst = !hasSegment
    hasSegment = true
    if isFirst, start == .closed { first = (last, place) }
    if !isSeen(last, place) {
      if isOpen {
        let (next, nextLength) = side(last, place)
        join(next, nextLength, &cells)
        closeHidden(&cells)
      }
      before = last
      last = place
      return
    }
    let nextLength = square.squareRoot()
    let scale = radius / nextLength
    let next = Place(x: dy * scale, y: -dx * scale)
    if isOpen {
      join(next, nextLength, &cells)
    } else if isFirst {
      open(start, next, nextLength, &cells)
    } else {
      resume(next, nextLength, &cells)
    }
    before = nil
    last = place
    normal = next
    length = nextLength
  }

  /// The normal on the left of a–b, as long as the radius, and the length of a–b.
  private func side(_ a: Place, _ b: Place) -> (Place, Double) {
    let dx = b.x - a.x
    let dy = b.y - a.y
    let length = (dx * dx + dy * dy).squareRoot()
    let scale = radius / length
    return (Place(x: dy * scale, y: -dx * scale), length)
  }

  /// Draws the near part of a segment that begins or ends far away.
  private mutating func farLine(to place: Place, _ cells: inout CoverageCells) {
    let a = last
    let range = -Self.far...Self.far
    guard let part = part(a, place, x: range, y: range), part.lowerBound < part.upperBound else {
      hasSegment = true
      if isOpen { close(.hidden, &cells) }
      (last, before) = (place, nil)
      return
    }
    func at(_ t: Double) -> Place {
      let x = a.x + (place.x - a.x) * t
      let y = a.y + (place.y - a.y) * t
      return Place(x: min(max(x, -Self.far), Self.far), y: min(max(y, -Self.far), Self.far))
    }
    if part.lowerBound > 0 {
      hasSegment = true
      if isOpen { close(.hidden, &cells) }
      (last, before) = (at(part.lowerBound), nil)
    }
    segment(to: part.upperBound < 1 ? at(part.upperBound) : place, &cells)
    if part.upperBound < 1 {
      if isOpen { close(.hidden, &cells) }
      (last, before) = (place, nil)
    }
  }

  /// Cuts a–b at a rectangle (Liang and Barsky's method).
  private func part(
    _ a: Place, _ b: Place, x: ClosedRange<Double>, y: ClosedRange<Double>
  ) -> ClosedRange<Double>? {
    var from = 0.0
    var to = 1.0
    for (start, way, range) in [(a.x, b.x - a.x, x), (a.y, b.y - a.y, y)] {
      if way == 0 {
        if !range.contains(start) { return nil }
        continue
      }
      let one = (range.lowerBound - start) / way
      let two = (range.upperBound - start) / way
      from = max(from, min(one, two))
      to = min(to, max(one, two))
    }
    return from <= to ? from...to : nil
  }

  // MARK: Outlines

  @inline(__always)
  private func point(_ x: Double, _ y: Double) -> CoverageCells.Point {
    CoverageCells.Point(rounding: x, y)
  }

  @inline(__always)
  private mutating func advanceLeft(_ to: CoverageCells.Point, _ cells: inout CoverageCells) {
    cells.add(left, to)
    left = to
  }

  @inline(__always)
  private mutating func advanceRight(_ to: CoverageCells.Point, _ cells: inout CoverageCells) {
    cells.add(to, right)
    right = to
  }

  /// Begins an outline at the last point, which is the line's first one.
  private mutating func open(
    _ end: End, _ next: Place, _ nextLength: Double, _ cells: inout CoverageCells
  ) {
    isOpen = true
    var at = last
    if end == .square {
      at.x += next.y * inverseRadius * capReach
      at.y -= next.x * inverseRadius * capReach
    }
    left = point(at.x + next.x, at.y + next.y)
    right = point(at.x - next.x, at.y - next.y)
    switch end {
    case .closed:
      isFirstSeen = true
      (firstLeft, firstRight) = (left, right)
    case .round:
      var edge = right
      var way = Place(x: -next.x, y: -next.y)
      for _ in 1..<capSteps {
        way = turned(way, stepSine)
        let to = point(at.x + way.x, at.y + way.y)
        cells.add(edge, to)
        edge = to
      }
      cells.add(edge, left)
    case .butt, .square, .hidden: cells.add(right, left)
    }
  }

  /// Begins an outline at the corner after a segment that was not seen.
  private mutating func resume(
    _ next: Place, _ nextLength: Double, _ cells: inout CoverageCells
  ) {
    guard let before else { return open(.hidden, next, nextLength, &cells) }
    isOpen = true
    (normal, length) = side(before, last)
    left = point(last.x, last.y)
    right = left
    join(next, nextLength, &cells)
  }

  /// Ends an outline after a corner.
  private mutating func closeHidden(_ cells: inout CoverageCells) {
    isOpen = false
    cells.add(left, right)
  }

  /// Joins a closed line's last segment to its first one.
  private mutating func closeRing(_ cells: inout CoverageCells) {
    let (next, nextLength) = side(first.from, first.to)
    if isOpen {
      join(next, nextLength, &cells)
      if !isFirstSeen { return closeHidden(&cells) }
    } else if isFirstSeen {
      resume(next, nextLength, &cells)
    } else {
      return
    }
    advanceLeft(firstLeft, &cells)
    advanceRight(firstRight, &cells)
    isOpen = false
  }

  private var inverseRadius: Double { inverseSquare * radius }

  /// Ends an outline at the last point.
  private mutating func close(_ end: End, _ cells: inout CoverageCells) {
    isOpen = false
    var at = last
    if end == .square {
      at.x -= normal.y * inverseRadius * capReach
      at.y += normal.x * inverseRadius * capReach
    }
    advanceLeft(point(at.x + normal.x, at.y + normal.y), &cells)
    if end == .round {
      var way = normal
      for _ in 1..<capSteps {
        way = turned(way, stepSine)
        advanceLeft(point(at.x + way.x, at.y + way.y), &cells)
      }
    }
    advanceRight(point(at.x - normal.x, at.y - normal.y), &cells)
    cells.add(left, right)
  }

  private mutating func disc(_ cells: inout CoverageCells) {
    var way = Place(x: radius, y: 0)
    let first = point(last.x + way.x, last.y + way.y)
    left = first
    for _ in 1..<2 * capSteps {
      way = turned(way, stepSine)
      advanceLeft(point(last.x + way.x, last.y + way.y), &cells)
    }
    cells.add(left, first)
  }

  /// `way` turned right by a step of an arc, or left with a negative sine.
  @inline(__always)
  private func turned(_ way: Place, _ sine: Double) -> Place {
    Place(x: way.x * stepCosine - way.y * sine, y: way.x * sine + way.y * stepCosine)
  }

  /// Continues both sides around the corner at the last point.
  @inline(__always)
  private mutating func join(
    _ next: Place, _ nextLength: Double, _ cells: inout CoverageCells
  ) {
    // 1 + the cosine of the turn.
    let open = 1 + (normal.x * next.x + normal.y * next.y) * inverseSquare
    let shortest = min(length, nextLength)
    // Whether the inner sides intersect within half of both segments, at radius · tan(turn / 2).
    let isRoomy = 4 * (2 - open) <= open * inverseSquare * shortest * shortest
    if isRoomy, open >= leastPointed {
      let scale = open > 1.998 ? 0.5 : 1 / open
      let (x, y) = ((normal.x + next.x) * scale, (normal.y + next.y) * scale)
      advanceLeft(point(last.x + x, last.y + y), &cells)
      advanceRight(point(last.x - x, last.y - y), &cells)
    } else {
      corner(next, open, isRoomy, &cells)
    }
  }

  private mutating func corner(
    _ next: Place, _ open: Double, _ isRoomy: Bool, _ cells: inout CoverageCells
  ) {
    let isRight = normal.x * next.y - normal.y * next.x >= 0
    let miter = Place(x: (normal.x + next.x) / open, y: (normal.y + next.y) / open)
    // The outside is on the left of a turn to the right.
    let side = isRight ? 1.0 : -1.0
    if open >= leastPointed {
      advance(isRight, side, miter, &cells)
    } else {
      advance(isRight, side, normal, &cells)
      if hasArcs {
        let sine = isRight ? stepSine : -stepSine
        var way = normal
        for _ in 1..<capSteps {
          way = turned(way, sine)
          // Whether the arc has come to its end.
          if (way.x * next.y - way.y * next.x) * side <= 0 { break }
          advance(isRight, side, way, &cells)
        }
      }
      advance(isRight, side, next, &cells)
    }
    if isRoomy {
      advance(!isRight, -side, miter, &cells)
    } else {
      advance(!isRight, -side, normal, &cells)
      advance(!isRight, 0, normal, &cells)
      advance(!isRight, -side, next, &cells)
    }
  }

  /// Continues a side to the last point plus `way` times `scale`.
  @inline(__always)
  private mutating func advance(
    _ isLeft: Bool, _ scale: Double, _ way: Place, _ cells: inout CoverageCells
  ) {
    let to = point(last.x + way.x * scale, last.y + way.y * scale)
    if isLeft { advanceLeft(to, &cells) } else { advanceRight(to, &cells) }
  }
}
