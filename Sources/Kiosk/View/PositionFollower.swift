import Configuration
import EventLoop
import Inputs
import MapGeometry
import MapOverlays

/// Follows the unit's position: where it is, where it was, and whether the view keeps to it. A part
/// of the view controller.
final class PositionFollower {
  /// Metres of accuracy beyond which a fix leaves no breadcrumb.
  private static let worstCrumb = 100.0

  private let loop: EventLoop
  private let outbox: Outbox
  private var settings: Configuration.Position
  private(set) var state = PositionState()
  private(set) var track = Breadcrumbs()
  private(set) var client: GPSDClient?
  /// The address that `client` was made for, as it is written.
  private var opened: String?
  /// The view is to follow the position as soon as there is one.
  private(set) var follows: Bool
  /// Somebody turned the map while the heading was up: it stays turned until following is turned on
  /// again.
  private var isTurnedAway = false
  /// Greys out a lost fix, and counts its age.
  private(set) var lostTimer: LoopTimer?
  /// Whether the loss of the fix was announced.
  private var isLossTold = false
  /// When the dot next moves visibly; nil: it rests.
  private(set) var nextStep: UInt64?
  /// What is on the screen.
  private(set) var shown: PositionState.Pose?

  init(_ settings: Configuration.Position, loop: EventLoop, outbox: Outbox) {
    self.settings = settings
    self.loop = loop
    self.outbox = outbox
    follows = settings.follow
    lostTimer = loop.timer { [outbox] in outbox.add(.fixAged) }
  }

  // MARK: Where it comes from

  /// Watches the gpsd that the configuration names, if it names another one than before.
  func open(_ onFix: @escaping (Fix) -> Void) {
    let wanted = settings.gpsd
    guard wanted != opened else { return }
    client?.close()
    client = nil
    opened = wanted
    outbox.note("gpsd", .warning, nil)
    guard let wanted, let address = GPSDAddress(wanted) else { return }
    client = GPSDClient(
      address: address, loop: loop, onFix: onFix,
      onState: { [outbox] in PositionFollower.tell(wanted, $0, outbox) })
  }

  func close() {
    client?.close()
    client = nil
    opened = nil
    lostTimer?.cancel()
  }

  private static func tell(_ address: String, _ state: GPSDClient.State, _ outbox: Outbox) {
    switch state {
    case .connecting: break
    case .up(let release):
      outbox.log(.info, "gpsd \(release) at \(address)")
      outbox.note("gpsd", .warning, nil)
    case .down(let reason):
      outbox.log(.warning, "gpsd at \(address): \(reason); tried again for ever")
      outbox.note("gpsd", .warning, "\(address): \(reason); is gpsd running?")
    }
  }

  /// Takes a fix that came at `now`.
  func take(_ fix: Fix, from source: PositionState.Source, now: UInt64) {
    state.take(fix, from: source, now: now)
    isLossTold = false
    if settings.track, let end = state.end, fix.accuracy ?? 0 <= PositionFollower.worstCrumb {
      track.add(end.place)
    }
    lostTimer?.arm(at: now &+ PositionState.lostAfter)
  }

  /// What is drawn of the position at `now`; nil: nothing yet.
  func picture(at now: UInt64) -> PositionShown? {
    guard let shown, let fix = state.fix else { return nil }
    let isLost = state.isLost(at: now)
    return PositionShown(
      pose: shown, place: fix.place, accuracy: fix.accuracy, isLost: isLost,
      age: isLost ? PositionState.ageText(state.age(at: now)) : "", showsTrack: settings.track)
  }

  /// Ends a slide at its goal.
  func finish() { state.finish() }

  /// Whether to announce the loss of the fix at `now`; true once.
  func isNewlyLost(at now: UInt64) -> Bool {
    guard state.isLost(at: now), !isLossTold else { return false }
    isLossTold = true
    return true
  }

  /// Wakes again in `seconds`, when the displayed age of a lost fix changes.
  func countAge(from now: UInt64) {
    let seconds = PositionState.untilNextAge(state.age(at: now))
    lostTimer?.arm(at: now &+ UInt64(seconds * 1e9) &+ 1_000_000)
  }

  /// Takes what changed in the configuration's `[position]`. Returns whether the view stops
  /// following.
  func configure(_ new: Configuration.Position) -> Bool {
    defer { settings = new }
    if new.headingUp != settings.headingUp { isTurnedAway = false }
    if !new.track { track.removeAll() }
    guard new.follow != settings.follow else { return false }
    new.follow ? follow() : leave()
    return !new.follow
  }

  // MARK: Following

  /// Whether the view follows the position.
  var isFollowing: Bool { follows && state.fix != nil }

  /// Whether the heading is up: followed, requested, and not overridden by turning the map.
  var headingIsUp: Bool { isFollowing && settings.headingUp && !isTurnedAway }

  /// Whether the view is to follow from the start.
  var isWanted: Bool { settings.follow }

  /// Whether there is something to tell: a gpsd to ask, or a position that was set.
  var isKnown: Bool { settings.gpsd != nil || state.fix != nil }

  /// Whether a gpsd is configured.
  var hasReceiver: Bool { settings.gpsd != nil }

  /// Starts to follow the position, now or as soon as there is one.
  func follow() {
    follows = true
    isTurnedAway = false
  }

  func leave() { follows = false }

  /// Follows again after `home` ended that.
  func setFollows(_ value: Bool) { follows = value }

  /// Somebody turned the map: the heading is no longer up while it follows.
  func turnAway() { isTurnedAway = isFollowing }

  // MARK: Steps

  /// What the view is to follow.
  struct Target {
    var place: WorldPoint
    /// Degrees; nil: the bearing is not followed.
    var bearing: Double?
    /// Where both are about to be.
    var endPlace: GeoPoint
    var endBearing: Double?
  }

  /// Where the dot is shown at `now`, and when it next moves visibly in `view`.
  ///
  /// - Returns: what the view is to follow; nil where it follows nothing.
  func step(to now: UInt64, in view: Viewport) -> Target? {
    nextStep = nil
    guard let pose = state.pose(at: now), let end = state.end else { return nil }
    if let shown, state.isSliding(at: now), isNear(shown, pose, in: view) {
      // Too small to see: no frame is needed for it.
    } else {
      shown = pose
    }
    let seen = shown ?? pose
    guard isFollowing else { return nil }
    let isUp = headingIsUp
    return Target(
      place: seen.place, bearing: isUp ? seen.heading : nil, endPlace: state.endPlace,
      endBearing: isUp ? end.heading : nil)
  }

  /// Calculates when the dot next moves visibly in `view`. Call it after the view followed.
  func schedule(_ now: UInt64, in view: Viewport) {
    guard let end = state.end, let shown, let (speed, turning, over) = state.speed(at: now)
    else { return }
    guard isFollowing || isNearScreen(end.place, view) || isNearScreen(shown.place, view) else {
      return
    }
    // When the next step is due, at the latest when the slide is over.
    let step = stepPixels(view)
    let rate = max(
      speed * view.worldPixels / step, turning * .pi / 180 * turnRadius(view) / step)
    let wait = rate > 0 ? min(1 / rate, 2e9) : 2e9
    nextStep = min(now &+ UInt64(wait), over)
  }

  /// Pixels by which the dot, or the map under it, steps. What is drawn on whole pixels shows no
  /// parts of one; a map that is sampled does: thirty frames a second from a pixel a second on.
  private func stepPixels(_ view: Viewport) -> Double {
    guard isFollowing else { return 1 }
    return view.bearing == 0 && view.zoom == view.zoom.rounded() ? 1 : 1 / 32
  }

  /// How many pixels from the middle a turn is visible.
  private func turnRadius(_ view: Viewport) -> Double {
    guard headingIsUp else {
      return PositionArt.arrowReach * Double(view.scale) / 2 * stepPixels(view)
    }
    return Double(view.width * view.width + view.height * view.height).squareRoot() / 2
  }

  private func isNear(
    _ a: PositionState.Pose, _ b: PositionState.Pose, in view: Viewport
  ) -> Bool {
    var dx = a.place.x - b.place.x
    dx -= dx.rounded()
    let dy = a.place.y - b.place.y
    let step = stepPixels(view) * 0.98
    guard max(abs(dx), abs(dy)) * view.worldPixels < step else { return false }
    guard let p = a.heading, let q = b.heading else { return a.heading == b.heading }
    return abs(PositionState.turn(p, q)) * .pi / 180 * turnRadius(view) < step
  }

  /// Whether the dot at `place` would be on the screen, or just beside it.
  private func isNearScreen(_ place: WorldPoint, _ view: Viewport) -> Bool {
    let at = view.screen(WebMercator.unproject(place))
    let margin = 60.0
    return at.x > -margin && at.y > -margin
      && at.x < Double(view.width) / Double(view.scale) + margin
      && at.y < Double(view.height) / Double(view.scale) + margin
  }
}
