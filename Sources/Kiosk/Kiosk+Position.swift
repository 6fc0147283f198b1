import Configuration
import EventLoop
import Glibc
import Inputs
import MapGeometry
import MapOverlays
import MapScene
import Pixels

/// Where the unit is: gpsd, following, what is drawn of it.
extension Kiosk {
  // MARK: Where it comes from

  /// Watches the gpsd that the configuration names, if it names another one than before.
  public func openPosition() {
    let wanted = configuration.position.gpsd
    guard wanted != position.opened else { return }
    position.client?.close()
    position.client = nil
    position.opened = wanted
    reportHealth("gpsd", .warning, nil)
    guard let wanted, let address = GPSDAddress(wanted) else { return }
    position.client = GPSDClient(
      address: address, loop: loop,
      onFix: { [unowned self] in take($0, from: .gpsd) },
      onState: { [unowned self] in gpsdChanged(wanted, $0) })
  }

  func closePosition() {
    position.client?.close()
    position.client = nil
    position.opened = nil
    position.lostTimer?.cancel()
    position.stepTimer?.cancel()
  }

  private func gpsdChanged(_ address: String, _ state: GPSDClient.State) {
    switch state {
    case .connecting: break
    case .up(let release):
      onLog?(.info, "gpsd \(release) at \(address)")
      reportHealth("gpsd", .warning, nil)
    case .down(let reason):
      onLog?(.warning, "gpsd at \(address): \(reason); tried again for ever")
      reportHealth("gpsd", .warning, "\(address): \(reason); is gpsd running?")
    }
  }

  /// Takes a fix. The screen stays asleep, and nobody counts as being at the kiosk.
  public func take(_ fix: Fix, from source: PositionState.Source) {
    let now = EventLoop.now()
    let part = position
    part.state.take(fix, from: source, now: now)
    part.isLossTold = false
    if let time = fix.time { gpsTime = time }
    if configuration.position.track, let end = part.state.end,
      fix.accuracy ?? 0 <= PositionPart.worstCrumb
    {
      part.track.add(end.place)
    }
    if part.lostTimer == nil { part.lostTimer = loop.timer { [unowned self] in positionAged() } }
    part.lostTimer?.arm(at: now &+ PositionState.lostAfter)
    if isSeen {
      changed()
    } else {
      part.state.finish()
      steerByPosition(now)
      view.finish()
      if !settles.isEmpty { changed() }
    }
    onEvent?(.position)
  }

  /// The last fix is old, or its age reads differently now.
  private func positionAged() {
    let now = EventLoop.now()
    guard position.state.isLost(at: now) else { return }
    if !position.isLossTold {
      position.isLossTold = true
      onEvent?(.position)
    }
    // Unseen, its age is not counted; it is again with the next frame.
    if isSeen { changed() } else { position.replace() }
  }

  /// Whether what is drawn can be seen.
  var isSeen: Bool { !pipeline.isDark && pipeline.display.isVisible }

  // MARK: Following

  /// Whether the view follows the position.
  public var isFollowing: Bool { position.follows && position.state.fix != nil }

  /// Whether the heading is up: followed, asked for and not turned away from.
  var headingIsUp: Bool {
    isFollowing && configuration.position.headingUp && !position.isTurnedAway
  }

  /// Follows the position from now on, or as soon as there is one.
  func followPosition() {
    position.follows = true
    position.isTurnedAway = false
    changed()
  }

  /// The view was moved away from the position.
  func stopFollowing() {
    position.follows = false
    view.unfollow()
  }

  /// What the view is asked to become: whether it still follows.
  func judgeFollowing(_ new: Viewport) {
    guard isFollowing else { return }
    if new.center != view.goal.center {
      stopFollowing()
    } else if new.bearing != view.goal.bearing {
      position.isTurnedAway = true
    }
  }

  /// Follows, or leaves off. Returns why it cannot.
  func toggleFollow() -> String? {
    if position.state.fix == nil {
      guard configuration.position.gpsd != nil else {
        return "no position is known: position.gpsd names no gpsd, and position.set gave none"
      }
      position.follows.toggle()
      return nil
    }
    if isFollowing {
      stopFollowing()
      changed()
    } else {
      followPosition()
    }
    stateChanged()
    return nil
  }

  /// The view that `home` leads to where the position is followed: there, at the first view's zoom.
  /// Nil where it is not.
  func homeByPosition(_ home: Viewport) -> Viewport? {
    guard configuration.position.follow else { return nil }
    position.follows = true
    position.isTurnedAway = false
    guard let end = position.state.end else { return nil }
    var new = home
    new.center = position.state.endPlace
    if headingIsUp, let heading = end.heading { new.bearing = heading }
    return view.clamped(new)
  }

  /// Takes what changed in the configuration's `[position]`.
  func applyPosition(_ old: Configuration.Position) {
    let new = configuration.position
    if new.follow != old.follow {
      new.follow ? followPosition() : stopFollowing()
    }
    if new.headingUp != old.headingUp { position.isTurnedAway = false }
    if !new.track { position.track.removeAll() }
    openPosition()
    position.replace()
  }

  // MARK: The frame

  /// Whether the dot or the map under it goes on moving with the next frame.
  var positionMoves: Bool { position.nextStep != nil && isSeen }

  /// Whether a movement is under way that comes to an end: a receiver's does not.
  var positionSettles: Bool { positionMoves && position.state.source == .socket }

  /// Has the view follow, and knows when that changes next. Before the view is moved on to `now`.
  func steerByPosition(_ now: UInt64) {
    let part = position
    part.nextStep = nil
    guard let pose = part.state.pose(at: now), let end = part.state.end else {
      if view.isFollowing { view.unfollow() }
      return
    }
    let isSliding = part.state.isSliding(at: now)
    if let shown = part.shown, isSliding, isNear(shown, pose) {
      // Less than can be seen: a frame for it would be drawn for nothing.
    } else {
      part.shown = pose
    }
    guard let shown = part.shown else { return }
    if isFollowing {
      let isUp = headingIsUp
      view.follow(
        shown.place, bearing: isUp ? shown.heading : nil,
        end: (part.state.endPlace, isUp ? end.heading : nil), now: now)
    } else if view.isFollowing {
      view.unfollow()
    }
    guard let (speed, turning, over) = part.state.speed(at: now) else { return }
    let world = view.current.worldPixels
    guard isFollowing || isNearScreen(end.place) || isNearScreen(shown.place) else { return }
    // When the next step is due, at the latest when the slide is over.
    let radius = turnRadius
    let rate = max(speed * world / stepPixels, turning * .pi / 180 * radius / stepPixels)
    let wait = rate > 0 ? min(1 / rate, 2e9) : 2e9
    part.nextStep = min(now &+ UInt64(wait), over)
  }

  /// Pixels by which the dot, or the map under it, steps. What is drawn on whole pixels shows no
  /// parts of one; a map that is sampled does: thirty frames a second from a pixel a second on.
  private var stepPixels: Double {
    guard isFollowing else { return 1 }
    let v = view.current
    return v.bearing == 0 && v.zoom == v.zoom.rounded() ? 1 : 1 / 32
  }

  /// How far in pixels from the middle a turn is to be seen.
  private var turnRadius: Double {
    let v = view.current
    guard headingIsUp else { return PositionArt.arrowReach * Double(v.scale) / 2 * stepPixels }
    return Double(v.width * v.width + v.height * v.height).squareRoot() / 2
  }

  private func isNear(_ a: PositionState.Pose, _ b: PositionState.Pose) -> Bool {
    let world = view.current.worldPixels
    var dx = a.place.x - b.place.x
    dx -= dx.rounded()
    let dy = a.place.y - b.place.y
    guard max(abs(dx), abs(dy)) * world < stepPixels * 0.98 else { return false }
    guard let p = a.heading, let q = b.heading else { return a.heading == b.heading }
    return abs(PositionState.turn(p, q)) * .pi / 180 * turnRadius < stepPixels * 0.98
  }

  /// Whether the dot at `place` would be on the screen, or just beside it.
  private func isNearScreen(_ place: WorldPoint) -> Bool {
    let v = view.current
    let at = v.screen(WebMercator.unproject(place))
    let margin = 60.0
    return at.x > -margin && at.y > -margin && at.x < Double(v.width) / Double(v.scale) + margin
      && at.y < Double(v.height) / Double(v.scale) + margin
  }

  /// After the frames of a wake-up: has the next step drawn when it is due.
  func awaitPositionStep() {
    guard let due = position.nextStep, isSeen else {
      if position.stepTimer?.isArmed == true { position.stepTimer?.cancel() }
      return
    }
    // A frame on its way to the display ends with `frameReady`, which looks again.
    guard pipeline.display.isReady else { return }
    if position.stepTimer == nil { position.stepTimer = loop.timer { [unowned self] in changed() } }
    position.stepTimer?.arm(at: due)
  }

  /// The display can take the next frame: whether the dot needs it.
  func positionIsDue() -> Bool {
    guard let due = position.nextStep, isSeen else { return false }
    return due <= EventLoop.now() &+ 2_000_000
  }
}

extension PositionPart {
  /// Metres of accuracy beyond which a fix leaves no breadcrumb.
  static let worstCrumb = 100.0
}
