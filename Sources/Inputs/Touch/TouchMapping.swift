import Pixels

/// From a touch screen's units to the view's points.
///
/// The device's whole range is the panel's whole area, whatever its resolution: a device's value
/// stands for the middle of the stretch that it covers, so that a touch of a panel's pixel 0 on a
/// screen with a value for each pixel is at 0.5 pixels. The mounting is then turned back: with 90,
/// what the view has at (x, y) is seen at the panel's (H - y, x).
struct TouchMapping: Equatable {
  /// The smallest and the largest value of a device's axis.
  struct Axis: Equatable {
    var minimum: Int32
    var maximum: Int32

    /// Where in the range `value` is: 0 < result < 1 for a value within.
    func place(of value: Int32) -> Double {
      let steps = max(Double(maximum) - Double(minimum) + 1, 1)
      return min(max((Double(value) - Double(minimum) + 0.5) / steps, 0), 1)
    }
  }

  private let x: Axis
  private let y: Axis
  private let rotation: MountingRotation
  /// The view's size in points, upright.
  private let width: Double
  private let height: Double

  /// - Parameter rotation: how the touch screen is mounted; nil: as the display is.
  init(x: Axis, y: Axis, space: TouchSpace, rotation: MountingRotation?) {
    (self.x, self.y) = (x, y)
    self.rotation = rotation ?? space.rotation
    let view = space.rotation.turnedSize(width: space.panelWidth, height: space.panelHeight)
    width = Double(view.width) / Double(max(space.scale, 1))
    height = Double(view.height) / Double(max(space.scale, 1))
  }

  /// The point of the view that is touched.
  func point(x deviceX: Int32, y deviceY: Int32) -> (x: Double, y: Double) {
    let (u, v) = (x.place(of: deviceX), y.place(of: deviceY))
    return switch rotation {
    case .none: (u * width, v * height)
    case .right: (v * width, (1 - u) * height)
    case .half: ((1 - u) * width, (1 - v) * height)
    case .left: ((1 - v) * width, u * height)
    }
  }
}
