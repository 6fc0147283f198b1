import Glibc
import MapGeometry

/// What the view keeps centred: a place that may move, and optionally a heading to keep up.
///
/// The view approaches the place exponentially, then stays on it without lag, however it moves.
struct FollowedPlace {
  /// The place, on the unit square.
  private(set) var place: WorldPoint
  /// The heading in degrees; nil: the bearing is not followed.
  private(set) var bearing: Double?
  /// The offset from the place to the view's centre, on the unit square.
  private(set) var offset: (x: Double, y: Double)
  /// The turn from the heading to the view's bearing, −180 to 180 degrees.
  private(set) var turn = 0.0
  private var last: UInt64

  /// Nanoseconds in which the distance falls to 1/e.
  static let decay = 160_000_000.0
  /// Distances below these, in pixels and degrees, count as arrived.
  private static let near = (pixels: 0.5, degrees: 0.05)

  /// Starts to follow `place` from `view`. If it is more than three screens away, the view jumps.
  init(place: WorldPoint, bearing: Double?, from view: Viewport, now: UInt64) {
    self.place = place
    last = now
    let center = WebMercator.project(view.center)
    var dx = center.x - place.x
    dx -= dx.rounded()
    offset = (dx, center.y - place.y)
    let reach = 3 * Double(max(view.width, view.height)) / view.worldPixels
    if abs(offset.x) > reach || abs(offset.y) > reach { offset = (0, 0) }
    move(to: place, bearing: bearing, from: view)
  }

  /// Whether the view has not arrived yet.
  var isApproaching: Bool { offset != (0, 0) || turn != 0 }

  /// Moves the followed place. If the bearing was not followed so far, it starts from `view`'s.
  mutating func move(to place: WorldPoint, bearing: Double?, from view: Viewport) {
    self.place = place
    if let bearing, self.bearing == nil {
      let way = view.bearing - bearing
      turn = way - 360 * (way / 360).rounded()
    }
    if bearing == nil { turn = 0 }
    self.bearing = bearing
  }

  /// Approaches until `now` in nanoseconds, on a world `pixels` wide.
  mutating func approach(_ now: UInt64, pixels: Double) {
    guard now > last else { return }
    let left = exp(-Double(now - last) / FollowedPlace.decay)
    last = now
    offset = (offset.x * left, offset.y * left)
    turn *= left
    if max(abs(offset.x), abs(offset.y)) * pixels < FollowedPlace.near.pixels { offset = (0, 0) }
    if abs(turn) < FollowedPlace.near.degrees { turn = 0 }
  }

  /// Arrives at once.
  mutating func arrive() {
    offset = (0, 0)
    turn = 0
  }
}
