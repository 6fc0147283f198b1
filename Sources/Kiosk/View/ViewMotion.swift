import Glibc
import MapGeometry

/// The movement of the view: where it is, where it goes, and its limits.
///
/// Movements ease out at the display's rate and can be redirected at any time. A new one starts
/// from where the view is, and its goal is relative to the previous goal.
struct ViewMotion {
  /// The limits of a view.
  struct Limits: Sendable, Equatable {
    var minZoom = 0.0
    var maxZoom = 20.0
    /// The area that the view's edges must stay inside; nil: no limit.
    var bounds: GeoBounds?

    init(minZoom: Double = 0, maxZoom: Double = 20, bounds: GeoBounds? = nil) {
      self.minZoom = minZoom
      self.maxZoom = maxZoom
      self.bounds = bounds
    }
  }

  private struct Animation {
    var from: Viewport
    /// The screen point, in points, that stays fixed during a zoom.
    var anchor: (x: Double, y: Double)?
    var start: UInt64
    /// The duration in nanoseconds.
    var duration: Double
    /// Whether it decays like a fling, instead of easing to its goal.
    var isFling = false
    /// The way to a place far away; nil: it is straight.
    var flight: FlightPath?

    /// The fraction of the path covered at the fraction `t` (0...1) of the time.
    func covered(_ t: Double) -> Double {
      if isFling {
        let steepness = duration / ViewMotion.flingDecay
        return (1 - exp(-steepness * t)) / (1 - exp(-steepness))
      }
      // A flight takes off and lands gently.
      if flight != nil { return t * t * (3 - 2 * t) }
      let left = 1 - t
      return 1 - left * left * left
    }
  }

  /// A movement without a goal, while a pan button is held.
  private struct Drive {
    /// The direction in screen axes; each part is −1, 0 or 1.
    var x: Double
    var y: Double
    var start: UInt64
    var last: UInt64
  }

  /// The view on the screen.
  private(set) var current: Viewport
  /// The view when it has come to rest.
  private(set) var goal: Viewport
  var limits = Limits()
  private var animation: Animation?
  private var drive: Drive?
  private var follow: FollowedPlace?
  /// The last step of a movement in points on the screen.
  private(set) var motion: (x: Double, y: Double) = (0, 0)

  /// The duration of an animated movement in nanoseconds.
  static let duration = 260_000_000.0
  /// Nanoseconds in which a fling's speed falls to 1/e, and after which it ends.
  static let flingDecay = 325_000_000.0
  static let flingDuration = 1_800_000_000.0
  /// The speed of a held pan button in shorter sides of the screen per second: at first, its growth
  /// per second of holding, and at most.
  static let driveSpeed = (first: 0.4, growth: 0.8, most: 2.4)

  init(_ view: Viewport) {
    current = view
    goal = view
  }

  var isMoving: Bool { animation != nil || drive != nil || follow?.isApproaching == true }

  /// Whether a held button moves the view.
  var isDriven: Bool { drive != nil }

  /// Moves in a direction, ever faster, until called with (0, 0), which stops the view where it is.
  /// Each part is −1, 0 or 1 in screen axes. A change of direction keeps the speed.
  mutating func setDrive(x: Double, y: Double, now: UInt64) {
    if x == 0, y == 0 {
      guard drive != nil else { return }
      drive = nil
      motion = (0, 0)
      return
    }
    animation = nil
    follow = nil
    goal = current
    if drive == nil { drive = Drive(x: x, y: y, start: now, last: now) }
    drive?.x = x
    drive?.y = y
  }

  /// Flings the view at (`vx`, `vy`) points per second in screen axes. It slows down and stops.
  mutating func fling(vx: Double, vy: Double, now: UInt64) {
    let seconds = ViewMotion.flingDecay / 1e9
    goal = clamped(current.panned(dx: vx * seconds, dy: vy * seconds))
    drive = nil
    follow = nil
    guard goal != current else { return }
    animation = Animation(
      from: current, anchor: nil, start: now, duration: ViewMotion.flingDuration,
      isFling: true)
  }

  /// Ends a movement at its goal.
  mutating func finish() {
    animation = nil
    follow?.arrive()
    drive = nil
    current = goal
    motion = (0, 0)
  }

  /// Stops a movement where it is.
  mutating func stop() {
    animation = nil
    drive = nil
    goal = current
    motion = (0, 0)
  }

  /// `view`, moved and zoomed to be within the limits.
  func clamped(_ view: Viewport) -> Viewport {
    var v = view
    v.zoom = min(max(v.zoom, limits.minZoom), limits.maxZoom)
    v.bearing = Viewport.wrapBearing(v.bearing)
    v.center.lat = min(max(v.center.lat, -WebMercator.maxLatitude), WebMercator.maxLatitude)
    v.center.lon = WebMercator.wrapLongitude(v.center.lon)
    if let bounds = limits.bounds { v = v.kept(inside: bounds) }
    return v
  }

  /// Whether the view keeps a place centred.
  var isFollowing: Bool { follow != nil }

  /// Keeps `place` centred and, if given, `bearing` up. Zooms continue about the centre.
  ///
  /// `place` is on the unit square; call this again whenever it moves. `end` is where place and
  /// bearing will come to rest, which becomes the view's goal.
  mutating func follow(
    _ place: WorldPoint, bearing: Double?, end: (place: GeoPoint, bearing: Double?), now: UInt64
  ) {
    drive = nil
    if follow == nil {
      follow = FollowedPlace(place: place, bearing: bearing, from: current, now: now)
    } else {
      follow?.move(to: place, bearing: bearing, from: current)
    }
    var new = goal
    new.center = end.place
    if let bearing = end.bearing { new.bearing = bearing }
    goal = clamped(new)
  }

  /// Stops following. The view stays where it is.
  mutating func unfollow() {
    guard follow != nil else { return }
    follow = nil
    goal.center = current.center
    if animation == nil { goal.bearing = current.bearing }
    motion = (0, 0)
  }

  /// Goes to `view`, clamped, starting at `now` in nanoseconds of CLOCK_MONOTONIC. During a zoom,
  /// the screen point `anchor`, in points, stays fixed.
  mutating func go(
    to view: Viewport, animate: Bool, anchor: (x: Double, y: Double)? = nil, now: UInt64
  ) {
    goal = clamped(view)
    drive = nil
    if animate, goal != current {
      // The anchor stays fixed only if the limits did not move the centre.
      let free = anchor.map { current.zoomed(to: goal.zoom, keeping: $0.x, $0.y).center }
      let isFixed = free.map { distance($0, goal.center) < 1e-9 } ?? false
      animation = Animation(
        from: current, anchor: isFixed ? anchor : nil, start: now,
        duration: ViewMotion.duration)
    } else {
      let before = current
      current = goal
      animation = nil
      motion = before.zoom == current.zoom ? step(before, current) : (0, 0)
    }
  }

  /// Flies to `view`, clamped, starting at `now`. Returns how long that takes, in seconds.
  mutating func fly(to view: Viewport, now: UInt64) -> Double {
    (drive, follow) = (nil, nil)
    goal = clamped(view)
    let path = FlightPath(from: current, to: goal)
    guard goal != current, path.duration > 0 else {
      go(to: view, animate: true, now: now)
      return 0
    }
    animation = Animation(
      from: current, anchor: nil, start: now, duration: path.duration * 1e9, flight: path)
    return path.duration
  }

  /// Changes the view's size in pixels and its scale.
  mutating func resize(width: Int, height: Int, scale: Int) {
    for path in [\ViewMotion.current, \ViewMotion.goal] {
      self[keyPath: path].width = width
      self[keyPath: path].height = height
      self[keyPath: path].scale = scale
    }
    // End movements, which make no sense across screens of different sizes.
    animation = nil
    follow?.arrive()
    drive = nil
    goal = clamped(goal)
    current = goal
  }

  /// Moves the view to where it is at `now`. Returns false if it was at rest.
  mutating func advance(to now: UInt64) -> Bool {
    if drive != nil { return advanceDrive(to: now) }
    if follow != nil { return advanceFollow(to: now) }
    guard let animation else {
      motion = (0, 0)
      return false
    }
    let before = current
    let t = now <= animation.start ? 0 : Double(now - animation.start) / animation.duration
    if t >= 1 {
      current = goal
      self.animation = nil
    } else {
      current = between(animation, animation.covered(t))
    }
    motion = step(before, current)
    return true
  }

  private mutating func advanceDrive(to now: UInt64) -> Bool {
    guard let drive, now > drive.last else { return true }
    let (first, growth, most) = ViewMotion.driveSpeed
    // The path is the integral of the speed, so it does not depend on when frames are drawn.
    func way(_ seconds: Double) -> Double {
      let rising = min(seconds, (most - first) / growth)
      return first * rising + growth * rising * rising / 2 + most * (seconds - rising)
    }
    let side = Double(min(current.width, current.height)) / Double(current.scale)
    let step =
      side
      * (way(Double(now - drive.start) / 1e9) - way(Double(drive.last - drive.start) / 1e9))
      / (drive.x * drive.x + drive.y * drive.y).squareRoot()
    self.drive?.last = now
    let before = current
    current = clamped(current.panned(dx: drive.x * step, dy: drive.y * step))
    goal = current
    motion = self.step(before, current)
    return true
  }

  private mutating func advanceFollow(to now: UInt64) -> Bool {
    guard var follow else { return false }
    let wasMoving = isMoving
    let before = current
    var view = goal
    if let animation {
      // The zoom, and a bearing that is not followed, continue; the place is the followed one.
      let t = now <= animation.start ? 0 : Double(now - animation.start) / animation.duration
      if t >= 1 {
        self.animation = nil
      } else {
        view = between(animation, animation.covered(t))
      }
    }
    follow.approach(now, pixels: WebMercator.worldSize(zoom: view.zoom) * Double(view.scale))
    view.center = WebMercator.unproject(
      WorldPoint(x: follow.place.x + follow.offset.x, y: follow.place.y + follow.offset.y))
    if WebMercator.project(goal.center) == follow.place, follow.offset == (0, 0) {
      // At rest, use exactly the given place.
      view.center = goal.center
    } else if distance(view.center, before.center) < 1e-11 {
      // The difference is only rounding.
      view.center = before.center
    }
    if let bearing = follow.bearing { view.bearing = bearing + follow.turn }
    self.follow = follow
    current = clamped(view)
    motion = step(before, current)
    return wasMoving || before != current
  }

  private func between(_ animation: Animation, _ t: Double) -> Viewport {
    let from = animation.from
    var view = from
    var turn = goal.bearing - from.bearing
    turn -= 360 * (turn / 360).rounded()
    view.bearing = Viewport.wrapBearing(from.bearing + turn * t)
    if let flight = animation.flight {
      let (place, zoom) = flight.at(t)
      view.center = WebMercator.unproject(place)
      view.zoom = zoom
      return clamped(view)
    }
    let zoom = from.zoom + (goal.zoom - from.zoom) * t
    if let anchor = animation.anchor {
      return from.zoomed(to: zoom, keeping: anchor.x, anchor.y)
    }
    let a = WebMercator.project(from.center)
    let b = WebMercator.project(goal.center)
    var dx = b.x - a.x
    dx -= dx.rounded()
    view.zoom = zoom
    view.center = WebMercator.unproject(WorldPoint(x: a.x + dx * t, y: a.y + (b.y - a.y) * t))
    return view
  }

  private func step(_ a: Viewport, _ b: Viewport) -> (x: Double, y: Double) {
    let (p, q) = (WebMercator.project(a.center), WebMercator.project(b.center))
    var dx = q.x - p.x
    dx -= dx.rounded()
    let size = WebMercator.worldSize(zoom: b.zoom)
    let (x, y) = (dx * size, (q.y - p.y) * size)
    let angle = b.bearing * .pi / 180
    return (x * cos(angle) + y * sin(angle), -x * sin(angle) + y * cos(angle))
  }

  private func distance(_ a: GeoPoint, _ b: GeoPoint) -> Double {
    abs(a.lat - b.lat) + abs(WebMercator.wrapLongitude(a.lon - b.lon))
  }
}
