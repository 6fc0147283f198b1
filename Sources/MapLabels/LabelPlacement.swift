import MapGeometry

#if canImport(Glibc)
  import Glibc
#endif

/// A label with its place on the screen.
public struct PlacedLabel {
  /// What it looks like.
  public let shape: LabelShape
  /// The number that it keeps from placement to placement, while it stays in its place.
  public let id: UInt64
  /// The anchor's place in the world; x may be outside 0 ... 1.
  public let anchor: WorldPoint
  /// The style layer's number.
  public let layer: Int
  /// Whether it turns with the map.
  public let turnsWithMap: Bool
  /// The pixel of the view at whose corner the anchor is.
  public internal(set) var x = 0
  /// The row of that pixel.
  public internal(set) var y = 0
  /// How far its picture is turned clockwise about the anchor, in radians; 0 where it was placed.
  public internal(set) var angle: Float = 0
  /// 0 ... 255, in 8 steps while it fades.
  public internal(set) var opacity: UInt8 = 255
  /// Whether it is no longer placed and only fades out.
  public internal(set) var isLeaving = false

  /// Which text it is and what it looked like when it was placed.
  let key: LabelKey
  /// The variable anchor that it uses; 255: none.
  let anchorChoice: UInt8
  /// Whether a line label was turned around to be upright.
  let isFlipped: Bool
  /// Which parts are shown.
  let hasText: Bool
  let hasIcon: Bool
  /// The zoom at which it first appeared.
  let bornZoom: Double
  /// The tile's level.
  let level: Int
  var fadeStart: UInt64 = 0
  var fadeFrom: UInt8 = 255
  /// Where it keeps others away, relative to the anchor, in pixels: for tests.
  let boxes: [LabelBox]

  /// The pixels of the view that the picture may touch.
  public var rect: PixelRect {
    let bounds = shape.bounds
    if angle == 0 {
      return PixelRect(
        x: x &+ bounds.x, y: y &+ bounds.y, width: bounds.width, height: bounds.height)
    }
    let far = max(
      max(abs(bounds.x), abs(bounds.maxX)), max(abs(bounds.y), abs(bounds.maxY)))
    let reach = Int((Float(far) * 1.4143).rounded(.up)) + 1
    return PixelRect(x: x &- reach, y: y &- reach, width: 2 * reach, height: 2 * reach)
  }
}

/// The labels of a view, in the order in which they are drawn.
///
/// It belongs to one view's size and zoom; `turn(to:)` moves it while the map moves.
public struct LabelPlacement {
  /// The labels, the lowest first.
  public internal(set) var labels: [PlacedLabel] = []
  /// The view that it was placed for.
  public let view: Viewport
  /// Whether all tiles were there.
  public let isComplete: Bool
  /// How many candidates were considered.
  public internal(set) var candidates = 0
  /// Whether labels are fading.
  public internal(set) var isFading = false
  /// Whether labels were left out only because the map turned: where it rests, another placement
  /// may put them on another side.
  public internal(set) var hasLostSides = false
  /// Whether the system had no memory for some of the labels.
  public var lacksMemory = false

  /// How long a label fades in or out, in nanoseconds.
  public static let fadeTime: UInt64 = 300_000_000

  init(view: Viewport, isComplete: Bool) {
    self.view = view
    self.isComplete = isComplete
  }

  /// Moves all labels to another view: points stay upright, line labels turn with the map. Nothing
  /// is laid out anew and nothing is allocated.
  public mutating func turn(to view: Viewport) {
    let map = LabelMap(view, near: self.view)
    let turn = (self.view.bearing - view.bearing) * .pi / 180
    let angle = Float(turn - (turn / (2 * .pi)).rounded() * 2 * .pi)
    for index in labels.indices {
      let (x, y) = map.pixel(labels[index].anchor)
      labels[index].x = x
      labels[index].y = y
      if labels[index].turnsWithMap { labels[index].angle = angle }
    }
  }

  /// Sets the opacities for a time, in nanoseconds of the clock that the requests gave. Labels that
  /// have faded out are removed. Returns whether a label changed.
  public mutating func fade(at time: UInt64) -> Bool {
    guard isFading else { return false }
    var changed = false
    isFading = false
    var gone = false
    for index in labels.indices {
      let (isLeaving, before) = (labels[index].isLeaving, labels[index].opacity)
      let goal: UInt8 = isLeaving ? 0 : 255
      if before == goal && !isLeaving { continue }
      let start = labels[index].fadeStart
      let passed = time > start ? min(time - start, Self.fadeTime) : 0
      let eighth = Int(passed * 8 / Self.fadeTime)
      let from = Int(labels[index].fadeFrom)
      let opacity = UInt8(from + (Int(goal) - from) * eighth / 8)
      if opacity != before {
        labels[index].opacity = opacity
        changed = true
      }
      if opacity != goal { isFading = true } else if isLeaving { gone = true }
    }
    if gone {
      labels.removeAll { $0.isLeaving && $0.opacity == 0 }
      changed = true
    }
    return changed
  }
}

/// Converts places to pixels of a view, like `ScreenMap`, on the copy of the world that is meant.
struct LabelMap {
  let middle: WorldPoint
  let world: Double
  let cosine: Double
  let sine: Double
  let half: (x: Double, y: Double)
  let origin: (x: Double, y: Double)?

  /// - Parameters:
  ///   - view: The view.
  ///   - other: The view whose copy of the world places refer to.
  init(_ view: Viewport, near other: Viewport? = nil) {
    var middle = WebMercator.project(view.center)
    var shift = 0.0
    if let other {
      shift = (WebMercator.project(other.center).x - middle.x).rounded()
      middle.x += shift
    }
    self.middle = middle
    world = view.worldPixels.isFinite ? view.worldPixels : 1
    let b = view.bearing * .pi / 180
    (cosine, sine) = (cos(b), sin(b))
    half = (Double(view.width) / 2, Double(view.height) / 2)
    let corner = view.origin
    origin =
      view.bearing == 0 ? (Double(corner.x) + shift * world, Double(corner.y)) : nil
  }

  /// The position in pixels of the view, not rounded.
  func position(_ place: WorldPoint) -> (x: Double, y: Double) {
    if let origin { return (place.x * world - origin.x, place.y * world - origin.y) }
    let x = (place.x - middle.x) * world
    let y = (place.y - middle.y) * world
    return (x * cosine + y * sine + half.x, y * cosine - x * sine + half.y)
  }

  /// The pixel's corner nearest to a place.
  func pixel(_ place: WorldPoint) -> (x: Int, y: Int) {
    let (x, y) = position(place)
    return (Self.whole(x), Self.whole(y))
  }

  static func whole(_ value: Double) -> Int {
    value.isNaN ? 0 : Int(min(max((value + 0.5).rounded(.down), -1e9), 1e9))
  }
}
