import Configuration
import EventLoop
import Inputs
import MapGeometry
import MapOverlays

/// Follows the unit's position: where it is, where it was, and whether the view follows it. A part
/// of the view controller.
final class PositionFollower: PositionReading {
  /// The name of the matter in the health.
  static let matter = "gpsd"
  /// The accuracy in metres beyond which a fix leaves no breadcrumb.
  private static let worstCrumb = 100.0

  private let loop: EventLoop
  private let outbox: Outbox
  private var settings: Configuration.Position
  private(set) var state = PositionState()
  private(set) var track = Breadcrumbs()
  private(set) var client: GPSDClient?
  private let silence: ReceiverSilence
  /// The configured address for which `client` was created; nil: there is none.
  private var opened: String?
  /// Whether the view is to follow the position, as soon as there is one.
  private(set) var follows: Bool
  /// Whether somebody turned the map while the heading was up. It then stays turned until following
  /// starts again.
  private var isTurnedAway = false
  /// Fires when a fix becomes lost, and then when its displayed age changes.
  private(set) var lostTimer: LoopTimer?
  /// Whether the loss of the fix was announced.
  private var isLossTold = false
  /// When the dot next moves visibly, on the monotonic clock; nil: it rests.
  private(set) var nextStep: UInt64?
  /// The pose on the screen.
  private(set) var shown: PositionState.Pose?

  /// `silence`: how long no fix may come, in nanoseconds.
  init(
    _ settings: Configuration.Position, loop: EventLoop, outbox: Outbox,
    silence patience: UInt64 = ReceiverSilence.patience
  ) {
    self.settings = settings
    self.loop = loop
    self.outbox = outbox
    follows = settings.follow
    silence = ReceiverSilence(loop: loop, outbox: outbox, patience: patience)
    lostTimer = loop.timer { [outbox] in outbox.add(.fixAged) }
  }

  // MARK: Receiving

  /// Connects to the gpsd that the configuration names, if it differs from the present one.
  func open(_ onFix: @escaping (Fix) -> Void) {
    let wanted = settings.gpsd
    guard wanted != opened else { return }
    client?.close()
    client = nil
    opened = wanted
    silence.end()
    outbox.note(PositionFollower.matter, .warning, nil)
    guard let wanted, let address = GPSDAddress(wanted) else { return }
    client = GPSDClient(
      address: address, loop: loop, onFix: onFix,
      onState: { [weak self] in self?.tell(wanted, $0) })
  }

  func close() {
    client?.close()
    client = nil
    opened = nil
    silence.end()
    lostTimer?.cancel()
  }

  private func tell(_ address: String, _ state: GPSDClient.State) {
    switch state {
    case .connecting: break
    case .up:
      outbox.note(PositionFollower.matter, .warning, nil)
      silence.begin(address, now: EventLoop.now())
    case .down(let reason):
      silence.end()
      outbox.note(
        PositionFollower.matter, .warning, "\(address): \(reason); is gpsd running?")
    }
  }

  /// Takes a fix that came at `now`, in nanoseconds of the monotonic clock.
  func take(_ fix: Fix, from source: PositionState.Source, now: UInt64) {
    state.take(fix, from: source, now: now)
    if source == .gpsd { silence.heard(at: now) }
    isLossTold = false
    if settings.track, let end = state.end, fix.accuracy ?? 0 <= PositionFollower.worstCrumb {
      track.add(end.place)
    }
    lostTimer?.arm(at: now &+ PositionState.lostAfter)
  }

  /// The position as it is to be drawn at `now`; nil: there is none yet.
  func picture(at now: UInt64) -> PositionShown? {
    guard let shown, let fix = state.fix else { return nil }
    let isLost = state.isLost(at: now)
    return PositionShown(
      pose: shown, place: fix.place, accuracy: fix.accuracy, isLost: isLost,
      age: isLost ? PositionState.toldAge(state.age(at: now)) : 0, showsTrack: settings.track,
      isFollowed: isFollowing)
  }

  /// Ends a slide at its goal.
  func finish() { state.finish() }

  /// Whether to announce the loss of the fix at `now`. True only once per loss.
  func isNewlyLost(at now: UInt64) -> Bool {
    guard state.isLost(at: now), !isLossTold else { return false }
    isLossTold = true
    return true
  }

  /// Arms the timer for the next change of a lost fix's displayed age.
  func countAge(from now: UInt64) {
    let seconds = PositionState.untilNextAge(state.age(at: now))
    lostTimer?.arm(at: now &+ UInt64(seconds * 1e9) &+ 1_000_000)
  }

  /// Takes a new `[position]`. Returns whether the view stops following.
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

  /// Whether the heading is up: the position is followed, this is configured, and nobody turned the
  /// map.
  var headingIsUp: Bool { isFollowing && settings.headingUp && !isTurnedAway }

  /// Whether the configuration lets the view follow from the start.
  var isWanted: Bool { settings.follow }

  /// Whether there is anything to report: a gpsd is configured, or a position was set.
  var isKnown: Bool { settings.gpsd != nil || state.fix != nil }

  /// Whether a gpsd is configured.
  var hasReceiver: Bool { settings.gpsd != nil }

  /// Starts to follow the position, now or as soon as there is one.
  func follow() {
    follows = true
    isTurnedAway = false
  }

  func leave() { follows = false }

  /// Sets whether to follow, without changing whether the map is turned away.
  func setFollows(_ value: Bool) { follows = value }

  /// Somebody turned the map, so the heading is not kept up any more.
  func turnAway() { isTurnedAway = isFollowing }

  // MARK: Steps

  /// What the view is to follow.
  struct Target {
    var place: WorldPoint
    /// The bearing in degrees; nil: it is not followed.
    var bearing: Double?
    /// Where the place and the bearing will come to rest.
    var endPlace: GeoPoint
    var endBearing: Double?
  }

  /// Moves the dot to where it is at `now`, if that is visible in `view`.
  ///
  /// - Returns: What the view is to follow; nil: nothing.
  func step(to now: UInt64, in view: Viewport) -> Target? {
    nextStep = nil
    guard let pose = state.pose(at: now), let end = state.end else { return nil }
    if let shown, state.isSliding(at: now), isNear(shown, pose, in: view) {
      // The movement is too small to see, so it needs no frame.
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

  /// Calculates when the dot next moves visibly in `view`. Call it after the view has followed.
  func schedule(_ now: UInt64, in view: Viewport) {
    guard let end = state.end, let shown, let (speed, turning, over) = state.speed(at: now)
    else { return }
    guard isFollowing || isNearScreen(end.place, view) || isNearScreen(shown.place, view) else {
      return
    }
    // The next step is due at the latest when the slide ends.
    let step = stepPixels(view)
    let rate = max(
      speed * view.worldPixels / step, turning * .pi / 180 * turnRadius(view) / step)
    let wait = rate > 0 ? min(1 / rate, 2e9) : 2e9
    nextStep = min(now &+ UInt64(wait), over)
  }

  /// The smallest visible step of the dot, or of the map under it, in pixels. On whole pixels only
  /// whole steps are visible. A sampled map shows fractions; 1/32 gives some thirty frames per
  /// second at a speed of a pixel per second.
  private func stepPixels(_ view: Viewport) -> Double {
    guard isFollowing else { return 1 }
    return view.bearing == 0 && view.zoom == view.zoom.rounded() ? 1 : 1 / 32
  }

  /// The distance from the centre, in pixels, at which a turn is judged visible.
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

  /// Whether a dot at `place` would be on the screen or close to it.
  private func isNearScreen(_ place: WorldPoint, _ view: Viewport) -> Bool {
    let at = view.screen(WebMercator.unproject(place))
    let margin = 60.0
    return at.x > -margin && at.y > -margin
      && at.x < Double(view.width) / Double(view.scale) + margin
      && at.y < Double(view.height) / Double(view.scale) + margin
  }
}
