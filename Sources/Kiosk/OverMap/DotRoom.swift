import MapGeometry
import MapOverlays

/// The area around the position's dot that labels avoid, those of the base map and of overlays.
///
/// It is larger than the dot with its chevron, and stays in place on the map until the dot leaves
/// it. So a dot that moves with every fix forces a new placement only now and then.
struct DotRoom {
  /// How far the dot may move before the area follows it, in points.
  static let slack = 12.0
  /// The distance that labels keep to the dot, in points.
  static let gap = 2.0

  /// The part's centre.
  private var place: WorldPoint?
  /// Half its edge without the slack, in pixels, and the unit for which that is.
  private var reach = 0
  private var unit = 0.0

  /// The part as it rests on the map: its middle on the unit square, and half its edge in pixels;
  /// nil: there was none yet.
  var rest: (place: WorldPoint, half: Int)? {
    place.map { ($0, reach + Int((DotRoom.slack * unit).rounded())) }
  }

  /// The part for a dot.
  ///
  /// - Parameters:
  ///   - pose: Where the dot is, and its heading.
  ///   - view: The view.
  ///   - unit: Pixels per point of what is over the map.
  /// - Returns: The part in view pixels; nil: none of it is on the screen.
  mutating func box(
    for pose: PositionState.Pose, in view: Viewport, unit: Double
  ) -> PixelRect? {
    // All round, because the chevron turns.
    let points = pose.heading == nil ? PositionArt.dotRadius : PositionArt.arrowReach
    let wanted = Int(((points + DotRoom.gap) * unit).rounded(.up))
    let slack = Int((DotRoom.slack * unit).rounded())
    let map = ScreenMap(view)
    let dot = map.pixel(pose.place)
    var center = place.map { map.pixel($0) } ?? dot
    // A heading that comes and goes does not matter: the area shrinks only when it moves.
    let isKept =
      place != nil && unit == self.unit && wanted <= reach && abs(dot.x - center.x) <= slack
      && abs(dot.y - center.y) <= slack
    if !isKept { (place, reach, self.unit, center) = (pose.place, wanted, unit, dot) }
    let half = reach + slack
    let box = PixelRect(
      x: center.x - half, y: center.y - half, width: 2 * half + 1, height: 2 * half + 1)
    let screen = PixelRect(x: 0, y: 0, width: view.width, height: view.height)
    return box.intersects(screen) ? box : nil
  }
}
