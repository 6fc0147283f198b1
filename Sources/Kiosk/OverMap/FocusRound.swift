import MapGeometry
import MapOverlays

/// The markers and clusters that buttons step through, in the order of the first press. The map may
/// move to show one of them, and the order stays. A part of `OverMap`.
final class FocusRound {
  /// The nearest to the centre first; at most `OverMap.mostSelected`.
  private(set) var stops: [MarkerLayer.Hit] = []
  /// The view around whose centre they are; nil: no round is under way.
  private(set) var start: Viewport?
  /// The version of the markers at that time.
  private(set) var version = 0
  /// Where the view rests, or comes to rest; nil: it is unknown.
  private var goal: Viewport?

  /// Begins a round around the centre of `view`.
  func begin(_ new: [MarkerLayer.Hit], in view: Viewport, version: Int) {
    (stops, start, self.version) = (new, view, version)
  }

  /// Forgets the stops.
  func end() { (stops, start) = ([], nil) }

  /// Ends the round if the view was moved since the last press. `new` is where it comes to rest;
  /// nil: the position carries it.
  func follow(_ new: Viewport?) {
    if new == nil || new != goal { end() }
    goal = new
  }

  /// Goes on, although the view moves to `new` for the sake of a stop.
  func keep(at new: Viewport) { goal = new }
}
