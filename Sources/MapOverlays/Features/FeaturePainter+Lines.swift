import Drawing
import Features
import Pixels

/// Casings and dashes.
extension FeaturePainter {
  /// A feature with the copies of the world that show it; bit 0 is the western copy.
  typealias Seen = (feature: Int32, worlds: UInt8)

  /// Casings are drawn together up to this many points.
  private static let mostPoints = 1 << 16

  /// Whether a feature has lines and points only.
  func isLine(_ number: Int) -> Bool {
    set.features[number].partRange.allSatisfy {
      set.parts[$0].kind == .line || set.parts[$0].kind == .point
    }
  }

  /// Paints the casings of features. Those that look alike are one line: where they cross or
  /// overlap, none is lighter.
  mutating func paintCasings(_ features: ArraySlice<Seen>, with rasteriser: PathRasteriser) {
    path.removeAll()
    var (width, color) = (0.0, UInt32(0))
    func flush(_ path: inout Path) {
      if !path.isEmpty { rasteriser.stroke(path, width: width, color: color, on: canvas) }
      path.removeAll()
    }
    for item in features {
      let feature = set.features[Int(item.feature)]
      let style = styles[Int(feature.style)]
      guard style.hasCasing(ofAreas: !isLine(Int(item.feature))), !isTiny(feature) else { continue }
      let ownWidth = (style.strokeWidth + OverlayStyle.casingWidth) * look.unit
      let ownColor = look.color(style.casing)
      if ownWidth != width || ownColor != color || path.points.count > Self.mostPoints {
        flush(&path)
        (width, color) = (ownWidth, ownColor)
      }
      addLines(feature.partRange, item.worlds)
    }
    flush(&path)
  }

  /// Strokes the dashes of a feature, at least as wide as `width` points.
  mutating func strokeDashes(
    of number: Int, _ worlds: UInt8, width: Double, with rasteriser: PathRasteriser
  ) {
    let feature = set.features[number]
    var style = styles[Int(feature.style)]
    style.strokeWidth = max(style.strokeWidth, width)
    strokeDashes(feature.partRange, worlds, style, rasteriser)
  }

  /// The sign for "no entry" on closed lines, in points: the radius of its disc and of that with
  /// its rim, half of its bar, how far the signs are from each other, and the shortest line with
  /// one.
  static let noEntry = (
    disc: 7.0, rim: 8.5, bar: (width: 4.5, height: 1.5), spacing: 120.0, least: 24.0
  )

  /// Paints signs for "no entry" along a closed feature's lines: discs in its colour with a bar,
  /// which is level on a map whose top is north, and a rim, both in the colour `rim`, 0xAARRGGBB.
  mutating func paintNoEntry(
    on number: Int, _ worlds: UInt8, rim: UInt32, with rasteriser: PathRasteriser
  ) {
    let (sign, unit) = (FeaturePainter.noEntry, look.unit)
    let feature = set.features[number]
    var places: [FeatureCut.Place] = []
    for world in -1...1 where worlds & (1 << UInt8(world + 1)) != 0 {
      for part in feature.partRange where set.parts[part].kind == .line {
        forEachMark(on: part, world, spacing: sign.spacing * unit, least: sign.least * unit) {
          places.append($0)
        }
      }
    }
    func fill(_ color: UInt32, _ add: (inout Path, FeatureCut.Place) -> Void) {
      var path = Path()
      for place in places { add(&path, place) }
      if !path.isEmpty { rasteriser.fill(path, rule: .nonZero, color: color, on: canvas) }
    }
    fill(rim) { $0.addCircle($1.x, $1.y, sign.rim * unit) }
    fill(look.stroke(styles[Int(feature.style)]) | 0xFF00_0000) {
      $0.addCircle($1.x, $1.y, sign.disc * unit)
    }
    fill(rim) {
      let (width, height) = (sign.bar.width * unit, sign.bar.height * unit)
      $0.addRect($1.x - width, $1.y - height, 2 * width, 2 * height)
    }
  }

  /// Calls `body` with the visible ones of places along a line that are about `spacing` apart, the
  /// first and the last half as far from its ends; with none if it is shorter than `least`. All
  /// lengths are pixels.
  private mutating func forEachMark(
    on part: Int, _ world: Int, spacing: Double, least: Double, _ body: (FeatureCut.Place) -> Void
  ) {
    let length = length(of: part, world)
    guard length >= least else { return }
    let step = length / max((length / spacing).rounded(), 1)
    let seen = -margin...Double(canvas.width) + margin
    var (next, sum, last) = (step / 2, 0.0, FeatureCut.Place?.none)
    forEachPlace(of: part, world) { place in
      defer { last = place }
      guard let from = last else { return }
      let piece = VisiblePieces.length(from, place)
      defer { sum += piece }
      if next > sum + piece { return }
      let isVisible =
        max(from.x, place.x) > seen.lowerBound && min(from.x, place.x) < seen.upperBound
        && max(from.y, place.y) > seen.lowerBound && min(from.y, place.y) < seen.upperBound
      if !isVisible {
        next += ((sum + piece - next) / step).rounded(.down) * step + step
        return
      }
      while next <= sum + piece {
        let share = (next - sum) / piece
        let mark = (x: from.x + (place.x - from.x) * share, y: from.y + (place.y - from.y) * share)
        if seen.contains(mark.x), seen.contains(mark.y) { body(mark) }
        next += step
      }
    }
  }

  /// Strokes lines and outlines with dashes.
  ///
  /// Each line is followed from its start, so that its dashes meet at the tiles' edges; only what
  /// is visible is drawn.
  mutating func strokeDashes(
    _ parts: Range<Int>, _ worlds: UInt8, _ style: DrawnStyle, _ rasteriser: PathRasteriser
  ) {
    let pattern = DashPattern(style.dash.map { $0 * look.unit })
    let (color, canvas) = (look.stroke(style), canvas)
    var stroke = StrokeStyle(width: style.strokeWidth * look.unit, join: .round)
    var period = 0.0
    var pieces = VisiblePieces(
      cut: cut, seen: -margin...Double(canvas.width) + margin, most: Self.mostPoints)
    for world in -1...1 where worlds & (1 << UInt8(world + 1)) != 0 {
      for part in parts where set.parts[part].kind != .point {
        let fitted = pattern.fitted(
          to: length(of: part, world), isRound: set.parts[part].kind != .line)
        (stroke.dashes, period) = (fitted.lengths, fitted.period)
        forEachPlace(of: part, world) { place in
          pieces.take(place) { path, start in
            stroke.dashPhase = period > 0 ? start.truncatingRemainder(dividingBy: period) : 0
            rasteriser.stroke(path, stroke, color: color, on: canvas)
          }
        }
        pieces.end { path, start in
          stroke.dashPhase = period > 0 ? start.truncatingRemainder(dividingBy: period) : 0
          rasteriser.stroke(path, stroke, color: color, on: canvas)
        }
      }
    }
  }

  /// The length of a line or outline, in pixels.
  private mutating func length(of part: Int, _ world: Int) -> Double {
    var (length, last) = (0.0, FeatureCut.Place?.none)
    forEachPlace(of: part, world) { place in
      if let last { length += VisiblePieces.length(last, place) }
      last = place
    }
    return length
  }

  /// Calls `body` with the points of a line or outline from its start to its end, without those too
  /// close to the last one. None are collected, however many there are.
  private mutating func forEachPlace(
    of part: Int, _ world: Int, _ body: (FeatureCut.Place) -> Void
  ) {
    if set.parts[part].kind == .circle {
      collectCircle(part, world)
      for place in line { body(place) }
      if let first = line.first { body(first) }
      return
    }
    let range = set.pointRange(part)
    guard let first = range.first else { return }
    let tolerance = Self.tolerance * Self.tolerance
    var last = pixel(set.points[first], world)
    body(last)
    for index in range.dropFirst() {
      let place = pixel(set.points[index], world)
      let (dx, dy) = (place.x - last.x, place.y - last.y)
      if dx * dx + dy * dy < tolerance, index != range.upperBound - 1 { continue }
      body(place)
      last = place
    }
    if set.parts[part].kind == .ring { body(pixel(set.points[first], world)) }
  }
}

/// Cuts a line that comes point by point into its visible pieces, each with its distance from the
/// line's start.
struct VisiblePieces {
  let cut: FeatureCut
  /// The columns and rows in which anything can be visible, in pixels.
  let seen: ClosedRange<Double>
  /// Pieces of more points are divided.
  let most: Int
  private var path = Path()
  private var last: FeatureCut.Place?
  private var distance = 0.0
  private var start = 0.0

  init(cut: FeatureCut, seen: ClosedRange<Double>, most: Int) {
    (self.cut, self.seen, self.most) = (cut, seen, most)
  }

  static func length(_ a: FeatureCut.Place, _ b: FeatureCut.Place) -> Double {
    ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
  }

  /// Takes the line's next point, and calls `body` with a piece that ended before it.
  mutating func take(_ place: FeatureCut.Place, _ body: (Path, Double) -> Void) {
    guard let last else {
      self.last = place
      return
    }
    let step = Self.length(last, place)
    let isVisible =
      max(last.x, place.x) > seen.lowerBound && min(last.x, place.x) < seen.upperBound
      && max(last.y, place.y) > seen.lowerBound && min(last.y, place.y) < seen.upperBound
    if !isVisible {
      flush(body)
    } else if cut.isNear(last), cut.isNear(place) {
      if path.points.count >= most { flush(body) }
      if path.isEmpty {
        path.move(to: cut.point(last))
        start = distance
      }
      path.line(to: cut.point(place))
    } else if let (a, b) = cut.inside(last, place) {
      // An end that is cut off lies far outside the tile.
      if path.isEmpty || !cut.isNear(last) {
        flush(body)
        path.move(to: cut.point(a))
        start = distance + Self.length(last, a)
      }
      path.line(to: cut.point(b))
      if !cut.isNear(place) { flush(body) }
    } else {
      flush(body)
    }
    distance += step
    self.last = place
  }

  /// Ends the line, and calls `body` with its last piece.
  mutating func end(_ body: (Path, Double) -> Void) {
    flush(body)
    (last, distance, start) = (nil, 0, 0)
  }

  private mutating func flush(_ body: (Path, Double) -> Void) {
    if path.isEmpty { return }
    path.finish()
    body(path, start)
    path.removeAll()
  }
}
