import Configuration
import Control
import EventLoop
import MapGeometry

/// Moving the view.
extension Kiosk {
  /// The view as it will be when it comes to rest.
  public var goal: Viewport { view.goal }

  /// Goes to `new`, clamped to the limits.
  ///
  /// - Parameters:
  ///   - new: the view at the end.
  ///   - animate: on a way that is seen.
  ///   - anchor: the screen point (points) that stays put on the way.
  public func go(
    to new: Viewport, animate: Bool, anchor: (x: Double, y: Double)? = nil
  ) {
    view.touched()
    // A view that was asked for is not replaced by where the first source would begin.
    frames.stopWaitingForSource()
    view.go(to: new, animate: animate, anchor: anchor)
  }

  /// Moves the centre by (dx, dy) points on the screen.
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

  /// Zooms by `delta` levels about the screen point (x, y), nil: the middle.
  public func zoom(by delta: Double, about point: (x: Double, y: Double)?, animate: Bool) {
    let (new, anchor) = view.zoomed(by: delta, about: point)
    go(to: new, animate: animate, anchor: anchor)
  }

  /// Shows `box` as large as it fits, `padding` points from the edges.
  public func fit(_ box: GeoBounds, padding: Double) {
    let limits = view.limits
    go(
      to: view.goal.fitting(
        box, padding: padding, minZoom: limits.minZoom, maxZoom: limits.maxZoom),
      animate: false)
  }

  /// Back to the first view and the first source; where the position is followed, to the position
  /// at the first view's zoom.
  public func home(animate: Bool) {
    if let first = book.firstBase?.spec.name, first != book.activeSource { _ = use(first) }
    overMap.closeCallout()
    view.touched()
    frames.stopWaitingForSource()
    view.goHome(homeView, animate: animate)
  }

  /// The view that the configuration or, failing that, the first source begins with.
  var homeView: Viewport {
    let entry = book.firstBase
    return view.home(
      SourceFacts(
        info: entry?.info, levels: entry?.levels, tileSize: entry?.spec.tileSize ?? 256))
  }

  /// Where nothing says where to begin, the first source does, once it is open.
  func placeFirstView() {
    if view.isPlaced { return view.place(view.goal) }
    if let base = book.activeEntry {
      frames.waitForSource()
      book.open(base.index)
    }
  }

  /// The first source is open, or cannot be.
  func firstSourceIsKnown() {
    guard frames.waitsForFirstSource else { return }
    frames.stopWaitingForSource()
    view.place(homeView)
  }

  /// Something changed: draws the next frame as soon as the display can take it.
  func changed() { outbox.add(.picture) }

  /// Calls `done` once movements are over and the view is drawn with every tile that it needs, or
  /// after `timeout` seconds.
  ///
  /// - Parameters:
  ///   - timeout: 0: as it is after the next frame.
  ///   - isCancelled: nobody waits for it any more.
  ///   - done: called once, on the loop.
  public func settle(
    timeout: Double, isCancelled: @escaping () -> Bool = { false },
    _ done: @escaping (SettleOutcome) -> Void
  ) {
    frames.settle(timeout: timeout, isCancelled: isCancelled, done)
  }
}
