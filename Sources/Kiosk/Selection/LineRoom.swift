import Features
import Glibc
import MapGeometry
import MapOverlays
import Pixels

/// Moves the map so that a selected line is seen beside its card.
struct LineRoom {
  /// How far from the edges the line is, in points.
  static let margin = 24.0
  /// How far beyond the room a line counts as within, in points: one that was moved to its edge may
  /// be off by what the view's numbers round away.
  private static let slack = 0.5

  /// A pin: its point on the screen, and how far it reaches above that, to its sides and below
  /// it, in points.
  struct Pin {
    var x: Double
    var y: Double
    var height: Double
    var side = 0.0
    var depth = 0.0
  }

  /// The part of the screen in which the line is shown, in points.
  let left, top, right, bottom: Double
  /// How far up heads of pins may reach where notices make way for them: to the edge of the screen,
  /// or to the panel above the part.
  private let highest: Double

  /// The largest part beside the panel, on a tall screen above or below it, and above the legend,
  /// that no plate covers.
  init(_ view: Viewport, panel: PixelRect, plates: [PixelRect]) {
    var bottom = view.height
    for plate in plates where plate != panel && plate.width == view.width {
      bottom = min(bottom, plate.y)
    }
    func largest(x: Int, y: Int, bottom: Int) -> PixelRect {
      let part = PixelRect(x: x, y: y, width: max(0, view.width - x), height: max(0, bottom - y))
      return LineRoom.largest(in: part, clearOf: plates)
    }
    let room: PixelRect
    var highest = 0
    if view.width > view.height {
      room = largest(x: panel.maxX, y: 0, bottom: bottom)
    } else {
      let above = largest(x: 0, y: 0, bottom: min(bottom, panel.y))
      let below = largest(x: 0, y: panel.maxY, bottom: bottom)
      let isAbove = above.width * above.height >= below.width * below.height
      room = isAbove ? above : below
      if !isAbove { highest = panel.maxY }
    }
    let scale = Double(view.scale)
    // In a narrow room most is the line's.
    let side = min(LineRoom.margin, Double(room.width) / scale / 4)
    let top = min(LineRoom.margin, Double(room.height) / scale / 4)
    self.highest = Double(highest) / scale
    left = Double(room.x) / scale + side
    right = Double(room.maxX) / scale - side
    self.top = Double(room.y) / scale + top
    self.bottom = Double(room.maxY) / scale - top
  }

  /// The largest part of `room` that no plate covers; an empty one if there is none.
  static func largest(in room: PixelRect, clearOf plates: [PixelRect]) -> PixelRect {
    let inside = plates.map { $0.intersection(room) }.filter { !$0.isEmpty }
    let (lefts, tops) = ([room.x] + inside.map(\.maxX), [room.y] + inside.map(\.maxY))
    let (rights, bottoms) = ([room.maxX] + inside.map(\.x), [room.maxY] + inside.map(\.y))
    var best = PixelRect(x: room.x, y: room.y, width: 0, height: 0)
    for left in lefts {
      for right in rights where right > left {
        for top in tops {
          for bottom in bottoms where bottom > top {
            let part = PixelRect(x: left, y: top, width: right - left, height: bottom - top)
            guard part.width * part.height > best.width * best.height else { continue }
            if !inside.contains(where: { $0.intersects(part) }) { best = part }
          }
        }
      }
    }
    return best
  }

  /// The box around a line. For one across the antimeridian, all points are first moved half the
  /// world to the east, so that the box is in one piece: `turn` is by how many steps.
  struct Extent {
    var box = FeatureBox.empty
    var turn: UInt32 = 0

    init(_ line: Range<Int>, of set: FeatureSet) {
      let features = line.clamped(to: set.features.indices)
      for feature in features { box.include(set.features[feature].box) }
      guard !box.isEmpty, box.maxX - box.minX >= 1 << 31 else { return }
      var turned = FeatureBox.empty
      for feature in features {
        for part in set.features[feature].partRange {
          for index in set.pointRange(part) {
            let point = set.points[index]
            turned.include(FeaturePoint(x: point.x &+ 1 << 31, y: point.y))
          }
        }
      }
      (box, turn) = (turned, 1 << 31)
    }

    /// Converts steps within the box to a point of the world.
    func place(_ x: UInt32, _ y: UInt32) -> GeoPoint {
      WebMercator.unproject(FeaturePoint(x: x &- turn, y: y).world)
    }

    /// The middle of the box.
    var middle: GeoPoint {
      place(box.minX + (box.maxX - box.minX) / 2, box.minY + (box.maxY - box.minY) / 2)
    }

    /// Where the box's corners are on the screen in points, all on the copy of the world on which
    /// its middle is nearest to the view's centre.
    func corners(in view: Viewport) -> [(x: Double, y: Double)] {
      let middle = middle
      var near = view
      near.center = middle
      let (there, here) = (view.screen(middle), near.screen(middle))
      return [
        (box.minX, box.minY), (box.maxX, box.minY), (box.minX, box.maxY), (box.maxX, box.maxY),
      ].map { at in
        let corner = near.screen(place(at.0, at.1))
        return (corner.x + there.x - here.x, corner.y + there.y - here.y)
      }
    }

    /// How much of the box is under plates, in pixels; a line without a height is 1 high.
    func hidden(under plates: [PixelRect], in view: Viewport) -> Double {
      guard !box.isEmpty else { return 0 }
      let (corners, scale) = (corners(in: view), Double(view.scale))
      let (x, y) = (corners.map { $0.x * scale }, corners.map { $0.y * scale })
      let (left, top) = ((x.min() ?? 0).rounded(.down), (y.min() ?? 0).rounded(.down))
      let (right, bottom) = ((x.max() ?? 0).rounded(.down) + 1, (y.max() ?? 0).rounded(.down) + 1)
      return plates.reduce(0) { sum, plate in
        let width = min(right, Double(plate.maxX)) - max(left, Double(plate.x))
        let height = min(bottom, Double(plate.maxY)) - max(top, Double(plate.y))
        return sum + max(0, width) * max(0, height)
      }
    }
  }

  /// The view in which the line is visible; nil: it already is, or there is no room for one.
  ///
  /// A line that is too long for the room is shown whole, but not below `minZoom`, nor so small
  /// that it is hardly seen: in a very low room its middle is shown instead. If it was chosen at a
  /// place on the screen, that place is shown instead, at the present zoom. `pins` are what
  /// the pins of "here" cover on the screen, in points; a pin that stands near the line is kept in
  /// view, too, and any other one on the screen if there is room for both at the present zoom, or,
  /// unless a place was chosen, further out.
  ///
  /// For pins the map goes out at most one level further than for the line alone. If their heads
  /// take more than half a level of that, only their feet count; notices make way for the heads.
  func view(
    _ view: Viewport, showing line: Extent, chosenAt place: WorldPoint?, minZoom: Double,
    pins: [Pin] = []
  ) -> Viewport? {
    func zoom(_ found: Viewport?) -> Double { (found ?? view).zoom }
    func found(_ required: [Pin], _ pins: [Pin]) -> Viewport? {
      self.view(
        view, showing: line, and: required, chosenAt: place, minZoom: minZoom, pins: pins)
    }
    let alone = found([], [])
    if pins.isEmpty { return alone }
    let required = place == nil ? seen(pins, in: view) : []
    for required in required.isEmpty ? [[]] : [required, []] {
      let whole = found(required, pins)
      let feet = found(required, pins.map(foot))
      let best = zoom(whole) >= zoom(feet) - LineRoom.mostForHeads ? whole : feet
      if zoom(best) >= zoom(alone) - LineRoom.mostForPins { return best }
    }
    return alone
  }

  /// A pin of which only the foot counts, the ring around its point; the head is still whole on the
  /// screen.
  private func foot(of pin: Pin) -> Pin {
    var foot = pin
    let beyond = pin.height - (top - highest) + LineRoom.margin / 2
    foot.height = min(pin.height, max(pin.depth, beyond))
    return foot
  }

  /// How many levels further out the map may go to show a pin beside the line, and for the pin's
  /// head alone.
  private static let mostForPins = 1.0
  private static let mostForHeads = 0.5

  /// How long a line's box stays on the screen at its longer side, in points.
  private static let leastLine = 64.0

  /// The view for the line, a place chosen on it, and pins that must be seen.
  private func view(
    _ view: Viewport, showing line: Extent, and required: [Pin], chosenAt place: WorldPoint?,
    minZoom: Double, pins: [Pin]
  ) -> Viewport? {
    let box = line.box
    // A line that spans half the world has no nearest copy.
    guard right - left > 1, bottom - top > 1, !box.isEmpty, box.maxX - box.minX < 1 << 31 else {
      return nil
    }
    let corners = line.corners(in: view)
    let (columns, rows) = (
      corners.map(\.x) + required.map(\.x), corners.map(\.y) + required.map(\.y)
    )
    let x = (columns.min() ?? 0, columns.max() ?? 0)
    let y = (rows.min() ?? 0, rows.max() ?? 0)
    // One at the line's end may stand a little beside it.
    let near = LineRoom.margin / 2
    let standing = pins.filter {
      $0.x >= x.0 - near && $0.x <= x.1 + near && $0.y >= y.0 - near && $0.y <= y.1 + near
    }
    // How far the pins reach beyond the line when the map is scaled by `size`.
    func beyond(_ size: Double) -> Reach {
      func most(_ part: Double, _ reach: (Pin) -> Double) -> Double {
        // On a small screen most of the room stays the line's.
        min(max((standing.map(reach).max() ?? 0) - LineRoom.margin / 2, 0), part)
      }
      return Reach(
        left: most((right - left) / 6) { $0.side - ($0.x - x.0) * size },
        right: most((right - left) / 6) { $0.side - (x.1 - $0.x) * size },
        above: most((bottom - top) / 2) { $0.height - ($0.y - y.0) * size },
        below: most((bottom - top) / 6) { $0.depth - (y.1 - $0.y) * size })
    }
    func excess(_ reach: Reach) -> Double {
      max(
        (x.1 - x.0) / (right - left - reach.left - reach.right),
        (y.1 - y.0) / (bottom - top - reach.above - reach.below))
    }
    let reach = beyond(1)
    var most = excess(reach)
    if most <= 1 {
      var across = (low: x.0 - reach.left, high: x.1 + reach.right)
      var down = (low: y.0 - reach.above, high: y.1 + reach.below)
      let (withPinsAcross, withPinsDown) = including(seen(pins, in: view), across, down)
      if withPinsAcross.high - withPinsAcross.low <= right - left,
        withPinsDown.high - withPinsDown.low <= bottom - top
      {
        (across, down) = (withPinsAcross, withPinsDown)
      }
      return moved(view, shift(across, left, right), shift(down, top, bottom))
    }
    if let place {
      let at = view.screen(WebMercator.unproject(place))
      return moved(view, shift((at.x, at.x), left, right), shift((at.y, at.y), top, bottom))
    }
    // The smaller the line, the further a pin reaches beyond it.
    for _ in 0..<8 where !standing.isEmpty { most = max(most, excess(beyond(1 / most))) }
    var zoom = max(view.zoom - log2(most), minZoom)
    // With a pin that is not on the line it may be smaller, by a level.
    let least = view.zoom - max(0, log2(max(x.1 - x.0, y.1 - y.0) / LineRoom.leastLine))
    let isTooSmall = required.isEmpty && zoom < least
    if isTooSmall { zoom = least }
    var whole = view
    whole.zoom = min(zoom, view.zoom)
    whole.center =
      required.isEmpty
      ? line.middle : WebMercator.unproject(view.world(x: (x.0 + x.1) / 2, y: (y.0 + y.1) / 2))
    let (width, height) = (
      Double(view.width) / Double(view.scale), Double(view.height) / Double(view.scale)
    )
    let rest = isTooSmall ? Reach() : beyond(exp2(whole.zoom - view.zoom))
    return whole.panned(
      dx: width / 2 - (left + rest.left + right - rest.right) / 2,
      dy: height / 2 - (top + rest.above + bottom - rest.below) / 2)
  }

  /// The pins whose points are on the screen.
  private func seen(_ pins: [Pin], in view: Viewport) -> [Pin] {
    let scale = Double(view.scale)
    let (width, height) = (Double(view.width) / scale, Double(view.height) / scale)
    return pins.filter { $0.x >= 0 && $0.x < width && $0.y >= 0 && $0.y < height }
  }

  /// The columns and rows that contain those given and `pins`, which may reach half the margin
  /// beyond the room.
  private func including(
    _ pins: [Pin], _ across: (low: Double, high: Double), _ down: (low: Double, high: Double)
  ) -> (across: (low: Double, high: Double), down: (low: Double, high: Double)) {
    var (across, down) = (across, down)
    let over = LineRoom.margin / 2
    for pin in pins {
      across.low = min(across.low, pin.x - max(pin.side - over, 0))
      across.high = max(across.high, pin.x + max(pin.side - over, 0))
      down.low = min(down.low, pin.y - max(pin.height - over, 0))
      down.high = max(down.high, pin.y + max(pin.depth - over, 0))
    }
    return (across, down)
  }

  /// How far pins reach beyond a line on the screen, in points.
  private struct Reach {
    var left = 0.0
    var right = 0.0
    var above = 0.0
    var below = 0.0
  }

  /// Whether any of a line is in the room.
  func shows(_ line: Range<Int>, of set: FeatureSet, in view: Viewport) -> Bool {
    let screen = ScreenPlaces(view)
    for feature in line.clamped(to: set.features.indices) {
      for part in set.features[feature].partRange where set.parts[part].kind == .line {
        for world in -1...1 {
          var last: (x: Double, y: Double)?
          for index in set.pointRange(part) {
            let place = screen.place(of: set.points[index], world: Double(world))
            if isCrossed(from: last ?? place, to: place) { return true }
            last = place
          }
        }
      }
    }
    return false
  }

  /// Whether a piece of a line is in the room (Liang and Barsky, 1984).
  private func isCrossed(from a: (x: Double, y: Double), to b: (x: Double, y: Double)) -> Bool {
    var (first, end) = (0.0, 1.0)
    let (dx, dy) = (b.x - a.x, b.y - a.y)
    let slack = LineRoom.slack
    for (way, room) in [
      (-dx, a.x - left + slack), (dx, right - a.x + slack), (-dy, a.y - top + slack),
      (dy, bottom - a.y + slack),
    ] {
      if way == 0 {
        if room < 0 { return false }
      } else if way < 0 {
        first = max(first, room / way)
      } else {
        end = min(end, room / way)
      }
    }
    return first <= end
  }

  /// How far a range must move to lie in another one, which is larger.
  private func shift(
    _ range: (low: Double, high: Double), _ low: Double, _ high: Double
  ) -> Double {
    if range.low < low { return low - range.low }
    return min(0, high - range.high)
  }

  private func moved(_ view: Viewport, _ x: Double, _ y: Double) -> Viewport? {
    abs(x) < LineRoom.slack && abs(y) < LineRoom.slack ? nil : view.panned(dx: -x, dy: -y)
  }
}

extension FeaturePoint {
  /// The point on the unit square.
  fileprivate var world: WorldPoint { WorldPoint(x: unitX, y: unitY) }
}

/// Where points are on the screen of a view, in points.
struct ScreenPlaces {
  private let middle: WorldPoint
  private let size, sine, cosine, halfWidth, halfHeight: Double

  init(_ view: Viewport) {
    middle = WebMercator.project(view.center)
    size = WebMercator.worldSize(zoom: view.zoom)
    let angle = view.bearing * .pi / 180
    (sine, cosine) = (sin(angle), cos(angle))
    let scale = 2 * Double(view.scale)
    (halfWidth, halfHeight) = (Double(view.width) / scale, Double(view.height) / scale)
  }

  /// A point on a copy of the world, 0 being the one that the view's centre is on.
  func place(of point: FeaturePoint, world: Double) -> (x: Double, y: Double) {
    let (x, y) = (
      (point.unitX + world - middle.x) * size, (point.unitY - middle.y) * size
    )
    return (x * cosine + y * sine + halfWidth, -x * sine + y * cosine + halfHeight)
  }
}
