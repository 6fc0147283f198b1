import Configuration
import EventLoop
import MapGeometry

/// Steering the view.
extension Kiosk {
  /// The view as it will be when it comes to rest.
  public var goal: Viewport { view.goal }

  /// Goes to `new`, clamped to the limits.
  ///
  /// - Parameter anchor: the screen point (points) that stays put on the way.
  public func go(
    to new: Viewport, animate: Bool, anchor: (x: Double, y: Double)? = nil
  ) {
    touched()
    judgeFollowing(new)
    // A view that was asked for is not replaced by where the first source would begin.
    waitsForFirstSource = false
    view.go(to: new, animate: animate, anchor: anchor, now: EventLoop.now())
    changed()
    stateChanged()
  }

  /// Moves the centre by (dx, dy) points on the screen.
  public func pan(dx: Double, dy: Double, animate: Bool) {
    go(to: view.goal.panned(dx: dx, dy: dy), animate: animate)
  }

  /// A quarter of the view's shorter side in points: what one press pans.
  var panStep: Double {
    Double(min(view.goal.width, view.goal.height)) / Double(view.goal.scale) / 4
  }

  /// Zooms by `delta` levels about the screen point (x, y), nil: the middle.
  public func zoom(by delta: Double, about point: (x: Double, y: Double)?, animate: Bool) {
    let goal = view.goal
    let zoom = min(max(goal.zoom + delta, view.limits.minZoom), view.limits.maxZoom)
    // What is followed stays in the middle.
    guard let point, !isFollowing else {
      var new = goal
      new.zoom = zoom
      go(to: new, animate: animate)
      return
    }
    go(to: goal.zoomed(to: zoom, keeping: point.x, point.y), animate: animate, anchor: point)
  }

  /// Shows `box` as large as it fits.
  public func fit(_ box: GeoBounds, padding: Double) {
    go(
      to: view.goal.fitting(
        box, padding: padding, minZoom: view.limits.minZoom, maxZoom: view.limits.maxZoom),
      animate: false)
  }

  /// Back to the first view and the first source; where the position is followed, to the position at
  /// the first view's zoom.
  public func home(animate: Bool) {
    if let first = sources.first(where: { $0.spec.role == .base })?.spec.name,
      first != activeSource
    {
      _ = use(first)
    }
    closeCallout()
    let home = homeView
    if let there = homeByPosition(home) {
      waitsForFirstSource = false
      view.go(to: there, animate: animate, now: EventLoop.now())
      changed()
      stateChanged()
    } else {
      let follows = position.follows
      go(to: home, animate: animate)
      position.follows = follows
    }
    homeTimer?.cancel()
  }

  /// Someone used the kiosk: the time to return home begins anew.
  func touched() {
    if let after = configuration.view.homeAfter {
      homeTimer?.arm(after: UInt64(after * 1e9))
    }
  }

  /// Someone is at the kiosk: the times to return home and to sleep begin anew.
  func used() {
    touched()
    armSleep()
  }

  /// Does what a button with `action` would, so while asleep it only wakes.
  ///
  /// - Returns: why it cannot be done, nil when it was.
  public func press(_ action: Action) -> String? {
    if isAsleep {
      used()
      wake()
      return nil
    }
    inputAt = EventLoop.now()
    return perform(action)
  }

  /// Does what `action` names, once.
  func perform(_ action: Action) -> String? {
    used()
    let step = panStep
    var goal = view.goal
    switch action {
    case .panLeft: pan(dx: -step, dy: 0, animate: true)
    case .panRight: pan(dx: step, dy: 0, animate: true)
    case .panUp: pan(dx: 0, dy: -step, animate: true)
    case .panDown: pan(dx: 0, dy: step, animate: true)
    case .zoomIn:
      // Buttons land on whole zooms, where a pixel of the tile is a pixel of the screen.
      goal.zoom = (goal.zoom + 1 + 1e-9).rounded(.down)
      go(to: goal, animate: true)
    case .zoomOut:
      goal.zoom = (goal.zoom - 1 - 1e-9).rounded(.up)
      go(to: goal, animate: true)
    case .home: home(animate: true)
    case .sourceNext: _ = self.step(by: 1)
    case .sourcePrevious: _ = self.step(by: -1)
    case .source(let name):
      if !use(name) { return "no source \"\(name)\"; `source.list` names them" }
    case .rotateLeft, .rotateRight:
      position.isTurnedAway = isFollowing
      goal.bearing = Viewport.wrapBearing(goal.bearing + (action == .rotateRight ? 15 : -15))
      go(to: goal, animate: true)
    case .northUp:
      position.isTurnedAway = isFollowing
      goal.bearing = 0
      go(to: goal, animate: true)
    case .none: break
    case .sleep: sleep()
    case .overlayToggle(let name):
      guard let i = overlayIndex(name) else {
        return "no overlay \"\(name)\"; `overlay.list` names them"
      }
      _ = showOverlay(name, !overlays[i].isShown)
    case .themeToggle: toggleTheme()
    case .select: if !selectMarker() { return "no marker is on the screen" }
    case .follow: return toggleFollow()
    }
    return nil
  }

  /// Tells subscribers that the view changed, once a frame.
  func announceView() {
    let now = view.current
    if announcedView == now { return }
    let first = announcedView == nil
    announcedView = now
    themeFollowsView()
    if !first { onEvent?(.view) }
  }
}
