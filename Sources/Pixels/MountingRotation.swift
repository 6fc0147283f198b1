import MapGeometry

/// How the panel is mounted. The picture is turned clockwise by this many degrees before it is sent
/// to the panel, so that it is upright on a panel that was turned the other way.
///
/// With a view of W x H pixels (as the viewer sees it), view pixel (x, y) is the panel's pixel
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

  /// Whether the panel's width is the view's height.
  @inlinable
  public var swapsAxes: Bool { self == .right || self == .left }

  /// The view's size on a panel of this size; likewise the panel's size of a view's.
  @inlinable
  public func turnedSize(width: Int, height: Int) -> (width: Int, height: Int) {
    swapsAxes ? (height, width) : (width, height)
  }

  /// The panel's pixel that shows pixel (x, y) of a view of this size.
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

  /// The pixel of a view of this size that panel pixel (x, y) shows; for touches.
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

  /// The panel's rectangle that shows `rect` of a view of this size.
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
