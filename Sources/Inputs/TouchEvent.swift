import Pixels

/// What fingers do on a touch screen, in points of the upright view: x to the right, y down.
///
/// One `ended` follows each `began`; a tap comes after it, and a hold before it.
public enum TouchEvent: Sendable, Equatable {
  /// The first finger came down, which stops any motion of the map.
  case began
  /// The finger moved by (dx, dy), and the map with it.
  case moved(dx: Double, dy: Double)
  /// Two or more fingers scaled the map by `factor` about (x, y), the point that was between them,
  /// and then moved it by (dx, dy).
  case pinched(factor: Double, x: Double, y: Double, dx: Double, dy: Double)
  /// The only finger has been at (x, y) for as long as a button that is held, and is still there.
  /// No tap follows; it may still move.
  case held(x: Double, y: Double)
  /// A tap. Reported at once, without waiting for a second one.
  case tapped(x: Double, y: Double)
  /// The second of two quick taps at the same position, instead of its `tapped`.
  case doubleTapped(x: Double, y: Double)
  /// The last finger left at this speed in points per second, with which the map moves on; 0 if the
  /// finger rested.
  case ended(vx: Double, vy: Double)
}

/// How a touch screen relates to the view: the panel's size and how it is mounted.
public struct TouchSpace: Sendable, Equatable {
  /// The panel's width in pixels, as mounted: before undoing the rotation.
  public var panelWidth: Int
  /// The panel's height in pixels, as mounted.
  public var panelHeight: Int
  /// Pixels per point.
  public var scale: Int
  /// How the panel is mounted, clockwise.
  public var rotation: MountingRotation

  /// Creates the space of a panel. Sizes are in pixels, as mounted.
  public init(panelWidth: Int, panelHeight: Int, scale: Int, rotation: MountingRotation) {
    self.panelWidth = panelWidth
    self.panelHeight = panelHeight
    self.scale = scale
    self.rotation = rotation
  }
}
