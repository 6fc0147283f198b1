/// The dashes of a line, in pixels along it.
///
/// Where a dash begins depends only on the line, not on the part of it that is on the canvas.
struct StrokeDashes {
  /// The ends of dashes and gaps in turn, from the beginning of the first dash.
  private let ends: [Double]
  private let period: Double
  private let phase: Double
  /// If the dashes are too small to be told apart, how opaque a line without them is instead.
  let solidOpacity: Double?

  /// More lengths than this are ignored.
  private static let most = 64
  /// Dashes that are repeated within less than this are drawn as a faint line, in pixels.
  private static let shortest = 1.0
  /// Lines are not dashed further than this from their beginning, in pixels.
  private static let longest = 1e9

  /// Returns nil if the style has no dashes.
  init?(_ style: StrokeStyle) {
    if style.dashes.isEmpty { return nil }
    var lengths = style.dashes.prefix(Self.most).map { $0 > 0 ? min($0, Self.longest) : 0 }
    var phase = style.dashPhase.isFinite ? style.dashPhase : 0
    if lengths.count % 2 == 1 {
      // The last dash and the first one are one.
      let last = lengths.removeLast()
      if lengths.isEmpty { return nil }
      lengths[0] += last
      phase += last
    }
    var ends: [Double] = []
    for length in lengths { ends.append((ends.last ?? 0) + length) }
    let period = ends.last ?? 0
    var drawn = 0.0
    for index in Swift.stride(from: 0, to: lengths.count, by: 2) { drawn += lengths[index] }
    guard period > 0, drawn < period else { return nil }
    self.ends = ends
    self.period = period
    let rest = phase.truncatingRemainder(dividingBy: period)
    self.phase = rest < 0 ? rest + period : rest
    let isFine = period < Self.shortest
    solidOpacity = isFine ? (style.cap == .round ? 1 : drawn / period) : nil
  }

  /// Draws a line's dashes.
  func draw(
    _ points: UnsafeBufferPointer<Path.Point>, _ end: StrokePen.End, with pen: inout StrokePen,
    into cells: inout CoverageCells, _ isCancelled: () -> Bool
  ) {
    guard let range = StrokeEnds(points) else { return }
    let first = StrokePen.Place(points[range.first])
    var walk = Walk(self, at: first, end: end)
    if walk.isDash { pen.begin(first, end) }
    for index in range.first + 1..<range.last + 1 {
      let point = points[index]
      // Each segment may have hundreds of dashes.
      if index & 63 == 63, isCancelled() { break }
      if point.x.isFinite, point.y.isFinite {
        walk.advance(to: StrokePen.Place(point), &pen, &cells)
      }
    }
    if walk.isDash { pen.end(end, &cells) }
  }

  /// Where on the line and in the dashes it is.
  struct Walk {
    private let dashes: StrokeDashes
    private let end: StrokePen.End
    private var place: StrokePen.Place
    /// Pixels since the beginning of the first round of dashes.
    private var distance: Double
    /// Which round it is, and which part of it.
    private var round = 0.0
    private var part = 0

    init(_ dashes: StrokeDashes, at place: StrokePen.Place, end: StrokePen.End) {
      self.dashes = dashes
      self.place = place
      // Square ends are not put on dashes.
      self.end = end == .round ? .round : .butt
      distance = dashes.phase
      seek(distance)
    }

    /// Whether it is in a dash.
    var isDash: Bool { part & 1 == 0 }

    /// The distance at which this part ends.
    private var boundary: Double { round * dashes.period + dashes.ends[part] }

    /// The distance at which this part begins.
    private var beginning: Double {
      round * dashes.period + (part > 0 ? dashes.ends[part - 1] : 0)
    }

    private mutating func next() {
      part += 1
      if part == dashes.ends.count {
        part = 0
        round += 1
      }
    }

    /// Finds the part at a distance.
    private mutating func seek(_ distance: Double) {
      round = (distance / dashes.period).rounded(.down)
      part = 0
      while part < dashes.ends.count - 1,
        boundary < distance || boundary == distance && beginning < boundary
      {
        part += 1
      }
    }

    /// Goes straight on to `to`, and draws the dashes in view.
    mutating func advance(
      to: StrokePen.Place, _ pen: inout StrokePen, _ cells: inout CoverageCells
    ) {
      let from = place
      let dx = to.x - from.x
      let dy = to.y - from.y
      let length = (dx * dx + dy * dy).squareRoot()
      if length == 0 { return }
      let start = distance
      let stop = start + length
      place = to
      distance = stop
      if stop > StrokeDashes.longest {
        // Neither dashes nor gaps can be told apart there.
        if isDash { pen.line(to: to, &cells) }
        return
      }
      func at(_ distance: Double) -> StrokePen.Place {
        let t = (distance - start) / length
        return StrokePen.Place(x: from.x + dx * t, y: from.y + dy * t)
      }
      // A dash is drawn from its beginning to its end even where it is out of view, so that it is
      // the same on all tiles. Only dashes entirely out of view are skipped.
      let seen = pen.seenPart(from, to)
      let seenStart = seen.map { start + $0.lowerBound * length } ?? stop
      let seenStop = seen.map { min(stop, start + $0.upperBound * length) } ?? stop
      // A dash that would begin at the very end is left to what follows.
      if seenStart > boundary {
        if isDash { pen.end(.hidden, &cells) }
        seek(seenStart)
        if isDash { pen.begin(at(beginning), end) }
      }
      while boundary < seenStop {
        let here = at(boundary)
        if isDash {
          pen.line(to: here, &cells)
          pen.end(end, &cells)
        }
        next()
        if isDash { pen.begin(here, end) }
      }
      if stop > boundary {
        if isDash {
          pen.line(to: at(boundary), &cells)
          pen.end(end, &cells)
        }
        seek(stop)
        if isDash { pen.begin(at(beginning), end) }
      }
      if isDash { pen.line(to: to, &cells) }
    }
  }
}
