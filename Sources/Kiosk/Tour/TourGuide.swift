import Configuration
import EventLoop
import MapGeometry

/// Owns the tour: when it begins, where it is, and what there was before it.
final class TourGuide {
  /// What the tour changed, as it was before.
  struct Before {
    var view: Viewport
    var source: String?
    /// Whether the view followed the position.
    var follows: Bool
  }

  private var stops: [Configuration.TourStop]
  /// Seconds without use until it begins; nil: never.
  private var after: Double?
  /// Fires when the tour begins or goes on.
  private(set) var timer: LoopTimer?
  /// The place that is shown or flown to; nil: there is no tour at the moment.
  private(set) var index: Int?
  private(set) var before: Before?
  /// The overlays that the tour showed or hid: whether each was shown before, and what it became.
  private var changed: [String: (former: Bool, new: Bool)] = [:]

  init(_ configuration: Configuration, loop: EventLoop, outbox: Outbox) {
    stops = configuration.tour
    after = configuration.view.tourAfter
    timer = loop.timer { [outbox] in outbox.add(.tourDue) }
  }

  /// Whether a tour is under way.
  var isRunning: Bool { index != nil }

  /// Whether a new configuration ends the tour: its stops changed, or tours are now off.
  func differs(_ new: Configuration) -> Bool { new.tour != stops || new.view.tourAfter == nil }

  /// Takes a new configuration. A tour that is under way must have ended if it is another one.
  func configure(_ new: Configuration) {
    (stops, after) = (new.tour, new.view.tourAfter)
    if !isRunning { arm() }
  }

  /// Restarts the wait for the tour, because somebody used the kiosk or it has just started.
  func arm() {
    timer?.cancel()
    guard let after, !stops.isEmpty else { return }
    timer?.arm(after: UInt64(after * 1e9))
  }

  /// The next stop; nil: there is none. `before` returns the state to restore after the tour.
  func next(_ before: () -> Before) -> Configuration.TourStop? {
    guard !stops.isEmpty else { return nil }
    if index == nil { self.before = before() }
    let next = index.map { ($0 + 1) % stops.count } ?? 0
    index = next
    return stops[next]
  }

  /// Goes on after `seconds`.
  func goOn(after seconds: Double) { timer?.arm(after: UInt64(max(seconds, 1) * 1e9)) }

  /// Resumes the tour when the screen is lit again; tours do not run in the dark.
  func wake() {
    if isRunning { goOn(after: 1) } else { arm() }
  }

  /// Ends the tour. Returns the state before it; nil: there was no tour, and the wait for one goes
  /// on.
  func end() -> Before? {
    guard isRunning else { return nil }
    timer?.cancel()
    index = nil
    defer { before = nil }
    return before
  }

  // MARK: Overlays

  /// Notes that the tour shows or hides the overlay `name`, which `isShown` now. Returns whether
  /// that changes anything.
  func change(_ name: String, from isShown: Bool, to new: Bool) -> Bool {
    let former = former(name, isShown: isShown)
    if isShown == new {
      // Somebody else has changed it meanwhile; leave it so.
      if changed[name]?.new != isShown { changed[name] = nil }
      return false
    }
    changed[name] = (former, new)
    return true
  }

  /// Whether the overlay `name`, which `isShown` now, would be shown without the tour. Respects
  /// changes that others made during the tour.
  func former(_ name: String, isShown: Bool) -> Bool {
    guard let change = changed[name], change.new == isShown else { return isShown }
    return change.former
  }

  /// Forgets which overlays the tour changed.
  func forgetChanges() { changed = [:] }
}
