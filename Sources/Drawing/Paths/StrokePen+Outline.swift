/// The ends, sides and corners of an outline.
extension StrokePen {
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
  mutating func open(
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
  mutating func resume(
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
  mutating func closeHidden(_ cells: inout CoverageCells) {
    isOpen = false
    cells.add(left, right)
  }

  /// Joins a closed line's last segment to its first one.
  mutating func closeRing(_ cells: inout CoverageCells) {
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
  mutating func close(_ end: End, _ cells: inout CoverageCells) {
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

  mutating func disc(_ cells: inout CoverageCells) {
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
  mutating func join(
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
