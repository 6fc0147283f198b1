import Configuration
import EventLoop
import Inputs
import MapGeometry
import MapScene

/// Owns the view: where it is and where it goes, its limits, the position that it follows, and the
/// return home.
final class ViewController {
  private let outbox: Outbox
  private var motionState: ViewMotion
  private var settings: Configuration.View
  private var announced: Viewport?
  /// Where the view is until anything moves it.
  private let begin: Viewport
  /// Fires when an unused view returns home.
  private(set) var homeTimer: LoopTimer?
  private let follower: PositionFollower
  /// When a view that follows is saved.
  private var saves: FollowedSaves

  init(
    _ first: Viewport, _ configuration: Configuration, loop: EventLoop, outbox: Outbox
  ) {
    self.outbox = outbox
    settings = configuration.view
    motionState = ViewMotion(first)
    motionState.limits = ViewController.limits(settings)
    begin = motionState.goal
    saves = FollowedSaves(at: begin.center)
    follower = PositionFollower(configuration.position, loop: loop, outbox: outbox)
    homeTimer = loop.timer { [outbox] in outbox.add(.homeDue) }
  }

  /// The first view of a configuration, on a display of `width` x `height` pixels.
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

  // MARK: State

  /// The position of the unit.
  var position: any PositionReading { follower }

  /// The view on the screen.
  var current: Viewport { motionState.current }
  /// The view when it has come to rest.
  var goal: Viewport { motionState.goal }
  var limits: ViewMotion.Limits { motionState.limits }
  /// The last step of a movement in points on the screen.
  var motion: (x: Double, y: Double) { motionState.motion }
  var isMoving: Bool { motionState.isMoving }
  /// Whether a held button moves the view.
  var isDriven: Bool { motionState.isDriven }

  /// A quarter of the view's shorter side in points: what one press pans.
  var panStep: Double { Double(min(goal.width, goal.height)) / Double(goal.scale) / 4 }

  /// `view`, moved and zoomed to be within the limits.
  func clamped(_ view: Viewport) -> Viewport { motionState.clamped(view) }

  // MARK: Moving

  /// Goes to `new`, clamped. Stops following if that leads away from the position. The screen point
  /// `anchor`, in points, stays fixed meanwhile.
  func go(to new: Viewport, animate: Bool, anchor: (x: Double, y: Double)? = nil) {
    if follower.isFollowing {
      if new.center != goal.center {
        leavePosition()
      } else if new.bearing != goal.bearing {
        follower.turnAway()
      }
    }
    motionState.go(to: new, animate: animate, anchor: anchor, now: EventLoop.now())
    saves.saved(at: goal.center)
    outbox.add([.picture, .state])
  }

  /// Goes to `new`, clamped, and continues following.
  func move(to new: Viewport, animate: Bool = false) {
    motionState.go(to: new, animate: animate, now: EventLoop.now())
    outbox.add(.picture)
  }

  /// Flies to `new`, clamped, and stops following. Returns how long that takes, in seconds.
  func fly(to new: Viewport) -> Double {
    leavePosition()
    outbox.add(.picture)
    return motionState.fly(to: new, now: EventLoop.now())
  }

  /// Follows the position again.
  func followAgain() {
    follower.follow()
    outbox.add(.picture)
  }

  /// `goal` zoomed by `delta` levels, within the limits, about `point` in points. Also returns the
  /// point if it can stay fixed; a followed position stays centred instead.
  func zoomed(
    by delta: Double, about point: (x: Double, y: Double)?
  ) -> (view: Viewport, anchor: (x: Double, y: Double)?) {
    let zoom = min(max(goal.zoom + delta, limits.minZoom), limits.maxZoom)
    guard let point, !follower.isFollowing else {
      var new = goal
      new.zoom = zoom
      return (new, nil)
    }
    return (goal.zoomed(to: zoom, keeping: point.x, point.y), point)
  }

  /// Moves in a direction until called with (0, 0). Each part is −1, 0 or 1 in screen axes.
  func drive(x: Double, y: Double) {
    let wasDriven = isDriven
    if (x, y) != (0, 0), follower.isFollowing { leavePosition() }
    motionState.setDrive(x: x, y: y, now: EventLoop.now())
    outbox.add(wasDriven && !isDriven ? [.picture, .state] : .picture)
  }

  /// Flings the view at (`vx`, `vy`) points per second in screen axes. It slows down and stops.
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

  /// Changes the view's size in pixels and its scale.
  func resize(width: Int, height: Int, scale: Int) {
    motionState.resize(width: width, height: height, scale: scale)
  }

  /// Moves the view to where it is at `now`.
  func advance(to now: UInt64) { _ = motionState.advance(to: now) }

  /// Takes a new `[view]` with its limits.
  func configure(_ new: Configuration.View) {
    settings = new
    motionState.limits = ViewController.limits(new)
    move(to: goal)
    if new.homeAfter == nil { homeTimer?.cancel() }
  }

  // MARK: The position

  /// Makes the view follow the position, and calculates when it must move next. Call it before
  /// `advance(to: now)`.
  func follow(_ now: UInt64) {
    if let it = follower.step(to: now, in: current) {
      motionState.follow(
        it.place, bearing: it.bearing, end: (it.endPlace, it.endBearing), now: now)
      if saves.isDue(goal, now: now) { outbox.add(.state) }
    } else if motionState.isFollowing {
      motionState.unfollow()
    }
    follower.schedule(now, in: current)
  }

  /// Connects to the gpsd that the configuration names, if it differs from the present one.
  func openPosition(_ onFix: @escaping (Fix) -> Void) { follower.open(onFix) }

  /// Takes a fix that came at `now`.
  func takeFix(_ fix: Fix, from source: PositionState.Source, now: UInt64) {
    follower.take(fix, from: source, now: now)
  }

  /// Ends the dot's slide to its last fix.
  func finishSlide() { follower.finish() }

  /// Whether to announce the loss of the fix at `now`; true once.
  func isFixNewlyLost(at now: UInt64) -> Bool { follower.isNewlyLost(at: now) }

  /// Wakes again when the displayed age of a lost fix changes.
  func countAge(from now: UInt64) { follower.countAge(from: now) }

  /// Somebody turns the map: the heading is no longer up while the view follows.
  func turnAway() { follower.turnAway() }

  /// Stops following, because the view was moved away from the position.
  func leavePosition() {
    follower.leave()
    motionState.unfollow()
  }

  /// Starts or stops following the position. Returns why it cannot; nil: it did.
  func toggleFollow() -> String? {
    if follower.state.fix == nil {
      guard follower.hasReceiver else {
        return "no position is known: position.gpsd names no gpsd, and position.set gave none"
      }
      follower.setFollows(!follower.follows)
      return nil
    }
    if follower.isFollowing { leavePosition() } else { follower.follow() }
    outbox.add([.picture, .state])
    return nil
  }

  /// Takes the configuration's `[position]`.
  func configure(_ new: Configuration.Position) {
    if follower.configure(new) { motionState.unfollow() }
    outbox.add(.picture)
  }

  // MARK: Home

  /// The first view: from the configuration, or else from the first source.
  func home(_ first: SourceFacts) -> Viewport {
    var home = FirstView.of(
      first.info, levels: first.levels, tileSize: first.tileSize, center: settings.center,
      zoom: settings.zoom, in: goal)
    home.bearing = settings.bearing
    return clamped(home)
  }

  /// Whether the configuration has the centre and the zoom of the first view.
  var isConfigured: Bool { settings.center != nil && settings.zoom != nil }

  /// Whether neither the configuration nor anybody since has placed the view.
  var isUntouched: Bool {
    !isConfigured && goal.center == begin.center && goal.zoom == begin.zoom
  }

  /// Goes home. If the view is to follow the position, goes to the position at the first view's
  /// zoom.
  func goHome(_ home: Viewport, animate: Bool) {
    homeTimer?.cancel()
    guard follower.isWanted else {
      let follows = follower.follows
      go(to: home, animate: animate)
      follower.setFollows(follows)
      return
    }
    follower.follow()
    guard let end = follower.state.end else {
      go(to: home, animate: animate)
      follower.follow()
      return
    }
    var there = home
    there.center = follower.state.endPlace
    if follower.headingIsUp, let heading = end.heading { there.bearing = heading }
    move(to: clamped(there), animate: animate)
    outbox.add(.state)
  }

  /// Records that somebody used the kiosk: restarts the timer for the return home.
  func touched() {
    if let after = settings.homeAfter { homeTimer?.arm(after: UInt64(after * 1e9)) }
  }

  // MARK: Announcing

  /// Compares the view with the one last announced, and marks it as announced. `moved`: they
  /// differ; `isFirst`: none was announced before.
  func takeNews() -> (moved: Bool, isFirst: Bool) {
    defer { announced = current }
    return (announced != current, announced == nil)
  }

  func close() {
    follower.close()
    homeTimer?.cancel()
  }
}
