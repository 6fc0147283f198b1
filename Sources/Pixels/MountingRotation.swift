import MapGeometry

/// How the panel is mounted: the picture is turned clockwise by so many degrees before it goes to
/// the panel, so that it stands upright on a panel that was turned the other way.
///
/// With the view W x H pixels (as the viewer sees it), view pixel (x, y) is the panel's pixel
///
///     none   (x, y)
///     right  (H - 1 - y, x)
///     half   (W - 1 - x, H - 1 - y)
///     left   (y, W - 1 - x)
public enum MountingRotation: Int, Sendable, CaseIterable {
  case none = 0
  case right = 90
  case half = 180
  case left = 270

  /// True where the panel is as wide as the view is high.
  @inlinable
  public var swapsAxes: Bool { self == .right || self == .left }

  /// The view's size on a panel of the size given; of a view's size, the panel's.
  @inlinable
  public func turnedSize(width: Int, height: Int) -> (width: Int, height: Int) {
    swapsAxes ? (height, width) : (width, height)
  }

  /// The panel's pixel that shows view pixel (x, y) of a view of the size given.
  @inlinable
  public func panelPoint(
    x: Int, y: Int, viewWidth: Int, viewHeight: Int
  ) -> (x: Int, y: Int) {
    switch self {
    case .none: (x, y)
    case .right: (viewHeight &- 1 &- y, x)
    case .half: (viewWidth &- 1 &- x, viewHeight &- 1 &- y)
    case .left: (y, viewWidth &- 1 &- x)
    }
  }

  /// The view pixel that panel pixel (x, y) shows, of a view of the size given: for touches.
  @inlinable
  public func viewPoint(
    panelX x: Int, panelY y: Int, viewWidth: Int, viewHeight: Int
  ) -> (x: Int, y: Int) {
    switch self {
    case .none: (x, y)
    case .right: (y, viewHeight &- 1 &- x)
    case .half: (viewWidth &- 1 &- x, viewHeight &- 1 &- y)
    case .left: (viewWidth &- 1 &- y, x)
    }
  }

  /// The panel's rectangle that shows the view's `rect`.
  @inlinable
  public func panelRect(_ rect: PixelRect, viewWidth: Int, viewHeight: Int) -> PixelRect {
    switch self {
    case .none: rect
    case .right:
      PixelRect(
        x: viewHeight &- rect.y &- rect.height, y: rect.x,
        width: rect.height, height: rect.width)
    case .half:
      PixelRect(
        x: viewWidth &- rect.x &- rect.width, y: viewHeight &- rect.y &- rect.height,
        width: rect.width, height: rect.height)
    case .left:
      PixelRect(
        x: rect.y, y: viewWidth &- rect.x &- rect.width,
        width: rect.height, height: rect.width)
    }
  }
}
