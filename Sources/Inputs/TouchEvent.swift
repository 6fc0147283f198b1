import Pixels

/// What fingers do on a touch screen, in the view's points, upright: x to the right, y down.
///
/// Each `began` is followed by one `ended`; a tap comes after it.
public enum TouchEvent: Sendable, Equatable {
  /// The first finger came down: a movement under way stops.
  case began
  /// The map follows the finger.
  case moved(dx: Double, dy: Double)
  /// Two fingers: the map grows by `factor` about (x, y), where the point between them was, and
  /// then moves by (dx, dy) with it.
  case pinched(factor: Double, x: Double, y: Double, dx: Double, dy: Double)
  /// At once, as no tap waits to see whether another one follows.
  case tapped(x: Double, y: Double)
  /// The second of two taps at one place in short order, instead of its `tapped`.
  case doubleTapped(x: Double, y: Double)
  /// The last finger left, with the speed at which the map is to go on: points a second, 0 where
  /// the finger rested.
  case ended(vx: Double, vy: Double)
}

/// What lies between a touch screen and the view: the panel, and how it is mounted.
public struct TouchSpace: Sendable, Equatable {
  /// The panel's size in pixels, as mounted: before the rotation is undone.
  public var panelWidth: Int
  /// The panel's rows.
  public var panelHeight: Int
  /// Pixels a point.
  public var scale: Int
  /// Clockwise.
  public var rotation: MountingRotation

  /// The screen that touches are mapped to.
  public init(panelWidth: Int, panelHeight: Int, scale: Int, rotation: MountingRotation) {
    self.panelWidth = panelWidth
    self.panelHeight = panelHeight
    self.scale = scale
    self.rotation = rotation
  }
}
