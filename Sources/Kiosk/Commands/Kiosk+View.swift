import Configuration
import Control
import EventLoop
import Glibc
import MapGeometry

/// Moving the view.
extension Kiosk {
  /// The view when it has come to rest.
  public var goal: Viewport { view.goal }

  /// Goes to `new`, clamped to the limits.
  ///
  /// - Parameters:
  ///   - new: The view to go to.
  ///   - animate: Whether to show the movement.
  ///   - anchor: The screen point, in points, that stays fixed during the movement.
  public func go(
    to new: Viewport, animate: Bool, anchor: (x: Double, y: Double)? = nil
  ) {
    view.touched()
    endOrDelayTour()
    // The first source's own view must not replace a view that somebody requested.
    frames.stopWaitingForSource()
    view.go(to: new, animate: animate, anchor: anchor)
  }

  /// Moves the view by (dx, dy) points on the screen, to the right and down.
  public func pan(dx: Double, dy: Double, animate: Bool) {
    go(to: view.goal.panned(dx: dx, dy: dy), animate: animate)
  }

  /// Pans by a quarter of the view's shorter side.
  package func pan(_ direction: PanDirection, animate: Bool) {
    let step = view.panStep
    switch direction {
    case .left: pan(dx: -step, dy: 0, animate: animate)
    case .right: pan(dx: step, dy: 0, animate: animate)
    case .up: pan(dx: 0, dy: -step, animate: animate)
    case .down: pan(dx: 0, dy: step, animate: animate)
    }
  }

  /// Zooms by `delta` levels about the screen point (x, y) in points; nil: the centre.
  public func zoom(by delta: Double, about point: (x: Double, y: Double)?, animate: Bool) {
    let (new, anchor) = view.zoomed(by: delta, about: point)
    go(to: new, animate: animate, anchor: anchor)
  }

  /// Shows `box` as large as possible, at least `padding` points from the edges.
  public func fit(_ box: GeoBounds, padding: Double) {
    let limits = view.limits
    go(
      to: view.goal.fitting(
        box, padding: padding, minZoom: limits.minZoom, maxZoom: limits.maxZoom),
      animate: false)
  }

  /// Goes back to the first source and the first view. If the view is to follow the position, goes
  /// to the position at the first view's zoom.
  ///
  /// - Parameters:
  ///   - animate: Whether to show the movement.
  ///   - isUse: Whether somebody asked for it, so that the tour is waited for anew.
  public func home(animate: Bool, isUse: Bool = true) {
    if isUse { endOrDelayTour() } else { endTour() }
    if let first = book.sources.firstBase?.spec.name, first != activeSource { choose(first) }
    overMap.closeCallout()
    overMap.dropFocus()
    view.touched()
    frames.stopWaitingForSource()
    view.goHome(homeView, animate: animate)
  }

  /// The first view: from the configuration, or else from the first source.
  var homeView: Viewport {
    let entry = book.sources.firstBase
    return view.home(
      SourceFacts(
        info: entry?.info, levels: entry?.levels, tileSize: entry?.spec.tileSize ?? 256))
  }

  /// Changes the first view so that the world covers the screen from top to bottom, if the
  /// configured zoom would leave part of it empty.
  package func coverScreenWithWorld() {
    let screen = view.goal
    let y = WebMercator.project(homeView.center).y
    let edge = min(y, 1 - y) * 256
    guard edge > 1 else { return }
    let least = log2(Double(screen.height) / Double(screen.scale) / 2 / edge) + 0.01
    let zoom = min(least, view.limits.maxZoom)
    guard zoom > homeView.zoom else { return }
    configuration.view.zoom = zoom
    view.configure(configuration.view)
    view.move(to: homeView)
  }

  /// If the configuration does not have the first view, waits for the first source to do so.
  func setFirstView() {
    if view.isConfigured { return view.move(to: view.goal) }
    if let base = activeEntry {
      frames.waitForSource()
      pipeline.loader.open(base.index)
    }
  }

  /// Sets the first view, now that the first source is open or cannot be opened.
  func firstSourceIsKnown() {
    guard frames.waitsForFirstSource else { return }
    frames.stopWaitingForSource()
    view.move(to: homeView)
  }

  /// Requests a frame, which is drawn as soon as the display can take it.
  func changed() { outbox.add(.picture) }

  /// Calls `done` once movements are over and the view is drawn with every tile it needs, or after
  /// `timeout` seconds.
  ///
  /// - Parameters:
  ///   - timeout: The longest wait in seconds; 0: only until the next frame.
  ///   - isCancelled: Whether nobody waits any more; `done` is then not called.
  ///   - done: Called at most once, on the loop.
  public func settle(
    timeout: Double, isCancelled: @escaping () -> Bool = { false },
    _ done: @escaping (SettleOutcome) -> Void
  ) {
    frames.settle(timeout: timeout, isCancelled: isCancelled, done)
  }
}
