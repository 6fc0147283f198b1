import Configuration
import EventLoop
import MapGeometry
import MapScene

/// Owns the view: where it is and where it goes, its limits, the position that it follows, and the
/// return home.
final class ViewController {
  private let outbox: Outbox
  private var motionState: ViewMotion
  private var settings: Configuration.View
  private var announced: Viewport?
  /// Returns an unused view home.
  private(set) var homeTimer: LoopTimer?
  /// Where the unit is.
  let position: PositionFollower

  init(
    _ first: Viewport, _ configuration: Configuration, loop: EventLoop, outbox: Outbox
  ) {
    self.outbox = outbox
    settings = configuration.view
    motionState = ViewMotion(first)
    motionState.limits = ViewController.limits(settings)
    position = PositionFollower(configuration.position, loop: loop, outbox: outbox)
    homeTimer = loop.timer { [outbox] in outbox.add(.homeDue) }
  }

  /// The view that a configuration begins with on a display of that size, in pixels.
  static func first(
    _ configuration: Configuration, width: Int, height: Int
  ) -> Viewport {
    let view = configuration.view
    return Viewport(
      center: view.center ?? GeoPoint(lat: 0, lon: 0), zoom: view.zoom ?? view.minZoom,
      bearing: view.bearing, width: width, height: height, scale: configuration.display.scale)
  }

  private static func limits(_ view: Configuration.View) -> ViewMotion.Limits {
    ViewMotion.Limits(minZoom: view.minZoom, maxZoom: view.maxZoom, bounds: view.bounds)
  }

  // MARK: What it is

  /// What is on the screen.
  var current: Viewport { motionState.current }
  /// Where the view will be when it comes to rest.
  var goal: Viewport { motionState.goal }
  var limits: ViewMotion.Limits { motionState.limits }
  /// The last step of a movement in screen points.
  var motion: (x: Double, y: Double) { motionState.motion }
  var isMoving: Bool { motionState.isMoving }
  /// Whether a held button moves the view.
  var isDriven: Bool { motionState.isDriven }

  /// A quarter of the view's shorter side in points: what one press pans.
  var panStep: Double { Double(min(goal.width, goal.height)) / Double(goal.scale) / 4 }

  /// `view` moved and zoomed into the limits.
  func clamped(_ view: Viewport) -> Viewport { motionState.clamped(view) }

  // MARK: Moving

  /// Goes to `new`, clamped, and stops following where that leads away from the position. The
  /// screen point `anchor` (points) stays put meanwhile.
  func go(to new: Viewport, animate: Bool, anchor: (x: Double, y: Double)? = nil) {
    if position.isFollowing {
      if new.center != goal.center {
        leavePosition()
      } else if new.bearing != goal.bearing {
        position.turnAway()
      }
    }
    motionState.go(to: new, animate: animate, anchor: anchor, now: EventLoop.now())
    outbox.add([.picture, .state])
  }

  /// Goes to `new`, clamped, and goes on following.
  func place(_ new: Viewport, animate: Bool = false) {
    motionState.go(to: new, animate: animate, now: EventLoop.now())
    outbox.add(.picture)
  }

  /// `goal` zoomed by `delta` levels within the limits about `point` (points), and that point where
  /// it can stay put: what is followed stays in the middle.
  func zoomed(
    by delta: Double, about point: (x: Double, y: Double)?
  ) -> (view: Viewport, anchor: (x: Double, y: Double)?) {
    let zoom = min(max(goal.zoom + delta, limits.minZoom), limits.maxZoom)
    guard let point, !position.isFollowing else {
      var new = goal
      new.zoom = zoom
      return (new, nil)
    }
    return (goal.zoomed(to: zoom, keeping: point.x, point.y), point)
  }

  /// Moves in a direction until it is called with (0, 0). Each part is −1, 0 or 1 in screen axes.
  func drive(x: Double, y: Double) {
    let wasDriven = isDriven
    if (x, y) != (0, 0), position.isFollowing { leavePosition() }
    motionState.setDrive(x: x, y: y, now: EventLoop.now())
    outbox.add(wasDriven && !isDriven ? [.picture, .state] : .picture)
  }

  /// Flings the view at `vx`, `vy` points a second in screen axes; it slows down and stops.
  func fling(vx: Double, vy: Double) {
    motionState.fling(vx: vx, vy: vy, now: EventLoop.now())
    outbox.add(.picture)
  }

  /// Stops a movement where it is.
  func stop() {
    guard isMoving else { return }
    motionState.stop()
    outbox.add(.picture)
  }

  /// Ends a movement at its goal.
  func finish() { motionState.finish() }

  /// The view's size or scale changed.
  func resize(width: Int, height: Int, scale: Int) {
    motionState.resize(width: width, height: height, scale: scale)
  }

  /// Moves the view to where it is at `now`.
  func advance(to now: UInt64) { _ = motionState.advance(to: now) }

  /// Takes the configuration's `[view]` with its limits.
  func configure(_ new: Configuration.View) {
    settings = new
    motionState.limits = ViewController.limits(new)
    place(goal)
    if new.homeAfter == nil { homeTimer?.cancel() }
  }

  // MARK: The position

  /// Makes the view follow the position, and calculates when that changes next. Call it before
  /// `advance(to: now)`.
  func follow(_ now: UInt64) {
    if let it = position.step(to: now, in: current) {
      motionState.follow(
        it.place, bearing: it.bearing, end: (it.endPlace, it.endBearing), now: now)
    } else if motionState.isFollowing {
      motionState.unfollow()
    }
    position.schedule(now, in: current)
  }

  /// The view was moved away from the position.
  func leavePosition() {
    position.leave()
    motionState.unfollow()
  }

  /// Starts or stops following the position. Returns why it cannot.
  func toggleFollow() -> String? {
    if position.state.fix == nil {
      guard position.hasReceiver else {
        return "no position is known: position.gpsd names no gpsd, and position.set gave none"
      }
      position.setFollows(!position.follows)
      return nil
    }
    if position.isFollowing { leavePosition() } else { position.follow() }
    outbox.add([.picture, .state])
    return nil
  }

  /// Takes the configuration's `[position]`.
  func configure(_ new: Configuration.Position) {
    if position.configure(new) { motionState.unfollow() }
    outbox.add(.picture)
  }

  // MARK: Home

  /// The view that the configuration or, failing that, the first source begins with.
  func home(_ first: SourceFacts) -> Viewport {
    var home = FirstView.of(
      first.info, levels: first.levels, tileSize: first.tileSize, center: settings.center,
      zoom: settings.zoom, in: goal)
    home.bearing = settings.bearing
    return clamped(home)
  }

  /// Whether the configuration says where the view begins.
  var isPlaced: Bool { settings.center != nil && settings.zoom != nil }

  /// Goes home; where the position is followed, to the position at the first view's zoom.
  func goHome(_ home: Viewport, animate: Bool) {
    homeTimer?.cancel()
    guard position.isWanted else {
      let follows = position.follows
      go(to: home, animate: animate)
      position.setFollows(follows)
      return
    }
    position.follow()
    guard let end = position.state.end else {
      go(to: home, animate: animate)
      position.follow()
      return
    }
    var there = home
    there.center = position.state.endPlace
    if position.headingIsUp, let heading = end.heading { there.bearing = heading }
    place(clamped(there), animate: animate)
    outbox.add(.state)
  }

  /// Somebody used the kiosk: restarts the timer for the return home.
  func touched() {
    if let after = settings.homeAfter { homeTimer?.arm(after: UInt64(after * 1e9)) }
  }

  // MARK: Telling

  /// Whether the view differs from the one last announced, and marks it as announced. `isFirst`:
  /// none was announced before.
  func takeNews() -> (moved: Bool, isFirst: Bool) {
    defer { announced = current }
    return (announced != current, announced == nil)
  }

  func close() {
    position.close()
    homeTimer?.cancel()
  }
}
