import MapGeometry

/// Decides when a view that follows the position is worth saving: the first time that it moved by
/// half of its shorter side, and then at most once a minute. A unit at rest writes nothing,
/// although fixes come.
struct FollowedSaves {
  /// The least time between two saves, in nanoseconds.
  static let pause: UInt64 = 60_000_000_000
  /// How far the view has to move, in parts of its shorter side.
  static let part = 0.5

  /// The place that was saved last.
  private var place: GeoPoint
  /// When a followed view was saved last, on the monotonic clock.
  private var time: UInt64?

  /// `place`: where the view is when nothing was saved yet.
  init(at place: GeoPoint) { self.place = place }

  /// The view was saved at `place` for another reason.
  mutating func saved(at place: GeoPoint) { self.place = place }

  /// Whether to save `view` at `now`; true counts as saved.
  mutating func isDue(_ view: Viewport, now: UInt64) -> Bool {
    if let time, now &- time < FollowedSaves.pause { return false }
    let (old, new) = (WebMercator.project(place), WebMercator.project(view.center))
    var dx = new.x - old.x
    dx -= dx.rounded()
    let distance = max(abs(dx), abs(new.y - old.y)) * view.worldPixels
    guard distance >= FollowedSaves.part * Double(min(view.width, view.height)) else {
      return false
    }
    (place, time) = (view.center, now)
    return true
  }
}
