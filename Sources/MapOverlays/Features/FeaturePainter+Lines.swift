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

  /// Strokes lines and outlines with dashes.
  ///
  /// Each line is followed from its start, so that its dashes meet at the tiles' edges; only what
  /// is visible is drawn.
  mutating func strokeDashes(
    _ parts: Range<Int>, _ worlds: UInt8, _ style: DrawnStyle, _ rasteriser: PathRasteriser
  ) {
    var stroke = StrokeStyle(
      width: style.strokeWidth * look.unit, join: .round,
      dashes: style.dash.map { $0 * look.unit })
    let (color, canvas) = (look.color(style.stroke), canvas)
    let period = stroke.dashes.reduce(0, +) * (stroke.dashes.count % 2 == 0 ? 1 : 2)
    for world in -1...1 where worlds & (1 << UInt8(world + 1)) != 0 {
      for part in parts {
        switch set.parts[part].kind {
        case .point: continue
        case .circle: collectCircle(part, world)
        case .ring, .line: collectAll(part, world)
        }
        if set.parts[part].kind != .line, let first = line.first { line.append(first) }
        forEachVisiblePiece { path, start in
          stroke.dashPhase = period > 0 ? start.truncatingRemainder(dividingBy: period) : 0
          rasteriser.stroke(path, stroke, color: color, on: canvas)
        }
      }
    }
  }

  /// Collects all points of a part in `line`, without those too close to the last one.
  private mutating func collectAll(_ part: Int, _ world: Int) {
    line.removeAll(keepingCapacity: true)
    let range = set.pointRange(part)
    let tolerance = Self.tolerance * Self.tolerance
    for index in range {
      let place = pixel(set.points[index], world)
      if let last = line.last, index != range.upperBound - 1 {
        let (dx, dy) = (place.x - last.x, place.y - last.y)
        if dx * dx + dy * dy < tolerance { continue }
      }
      line.append(place)
    }
  }

  /// Calls `body` with each visible piece of `line` and its distance from the start, in pixels.
  private mutating func forEachVisiblePiece(_ body: (Path, Double) -> Void) {
    let least = -margin
    let most = Double(canvas.width) + margin
    var (distance, start) = (0.0, 0.0)
    func length(_ a: FeatureCut.Place, _ b: FeatureCut.Place) -> Double {
      ((b.x - a.x) * (b.x - a.x) + (b.y - a.y) * (b.y - a.y)).squareRoot()
    }
    func flush(_ path: inout Path) {
      path.finish()
      if !path.isEmpty { body(path, start) }
      path.removeAll()
    }
    path.removeAll()
    guard var last = line.first else { return }
    for place in line.dropFirst() {
      let step = length(last, place)
      let isVisible =
        max(last.x, place.x) > least && min(last.x, place.x) < most
        && max(last.y, place.y) > least && min(last.y, place.y) < most
      if !isVisible {
        flush(&path)
      } else if cut.isNear(last), cut.isNear(place) {
        if path.isEmpty {
          path.move(to: cut.point(last))
          start = distance
        }
        path.line(to: cut.point(place))
      } else if let (a, b) = cut.inside(last, place) {
        // An end that is cut off lies far outside the tile.
        if path.isEmpty || !cut.isNear(last) {
          flush(&path)
          path.move(to: cut.point(a))
          start = distance + length(last, a)
        }
        path.line(to: cut.point(b))
        if !cut.isNear(place) { flush(&path) }
      } else {
        flush(&path)
      }
      distance += step
      last = place
    }
    flush(&path)
  }
}
