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
  /// A path with more points than this is drawn with less detail: among so many points, nothing
  /// below a quarter of the line's radius is visible.
  private static let crowd = 1 << 16
  /// What `line-join: bevel` still draws as a point: MapLibre's limit.
  private static let bevelLimit = 1.05

  let radius: Double
  let inverseSquare: Double
  /// How far square ends go.
  let capReach: Double
  /// Whether ends are round.
  private let isRound: Bool
  /// Whether corners are.
  let hasArcs: Bool
  /// A corner is a point if 1 + the cosine of its turn is at least this.
  let leastPointed: Double
  /// Arcs have steps of this turn, of which there are `capSteps` in a half circle.
  var capSteps = 0
  var stepCosine = 1.0
  var stepSine = 0.0
  /// The square of the distance below which a point is skipped as too close to the last one.
  private var nearSquare = 0.0
  /// How far from its line the stroke may draw.
  let margin: Double

  private var minX = 0.0
  private var maxX = 0.0
  private var minY = 0.0
  private var maxY = 0.0

  var last = Place(x: 0, y: 0)
  /// Where the last segment began, if it was out of view; nil: `normal` and `length` are set.
  var before: Place?
  var normal = Place(x: 0, y: 0)
  var length = 0.0
  var left = CoverageCells.Point(x: 0, y: 0)
  var right = CoverageCells.Point(x: 0, y: 0)
  /// Whether an outline is unfinished.
  var isOpen = false
  var start = End.hidden
  private var hasSegment = false
  /// The first segment of a closed line, whether it is in view, and where the outline begins there.
  var first = (from: Place(x: 0, y: 0), to: Place(x: 0, y: 0))
  var isFirstSeen = false
  var firstLeft = CoverageCells.Point(x: 0, y: 0)
  var firstRight = CoverageCells.Point(x: 0, y: 0)

  /// Creates a pen of a radius above 0 and at most 32,768 pixels. Square ends go `capReach` pixels
  /// beyond the line's end.
  init(_ style: StrokeStyle, radius: Double, capReach: Double) {
    self.radius = radius
    self.capReach = capReach
    inverseSquare = 1 / (radius * radius)
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

  /// Says which columns and rows are to be drawn, of a path of so many points.
  mutating func look(width: Int, rows: Range<Int>, points: Int) {
    let near = points > Self.crowd ? max(0.5, min(radius / 4, 8)) : 1.0 / 64
    nearSquare = near * near
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
  func side(_ a: Place, _ b: Place) -> (Place, Double) {
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
}
