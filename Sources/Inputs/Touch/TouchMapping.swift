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

    /// Where `value` is on a side of `length` points; `backwards`: seen from its other end. Exact
    /// where the device has a value for each point.
    func place(of value: Int32, on length: Double, backwards: Bool = false) -> Double {
      let steps = max(Double(maximum) - Double(minimum) + 1, 1)
      let middle = min(max(Double(value) - Double(minimum) + 0.5, 0), steps)
      return (backwards ? steps - middle : middle) * length / steps
    }
  }

  private let x: Axis
  private let y: Axis
  private let rotation: MountingRotation
  /// The view's size in points, upright.
  private let width: Double
  private let height: Double

  /// - Parameters:
  ///   - x: the device's first axis.
  ///   - y: the device's second axis.
  ///   - space: what the touch screen lies on.
  ///   - rotation: how the touch screen is mounted; nil: as the display is.
  init(x: Axis, y: Axis, space: TouchSpace, rotation: MountingRotation?) {
    (self.x, self.y) = (x, y)
    self.rotation = rotation ?? space.rotation
    let view = space.rotation.turnedSize(width: space.panelWidth, height: space.panelHeight)
    width = Double(view.width) / Double(max(space.scale, 1))
    height = Double(view.height) / Double(max(space.scale, 1))
  }

  /// The point of the view that is touched.
  func point(x deviceX: Int32, y deviceY: Int32) -> (x: Double, y: Double) {
    switch rotation {
    case .none: (x.place(of: deviceX, on: width), y.place(of: deviceY, on: height))
    case .right:
      (y.place(of: deviceY, on: width), x.place(of: deviceX, on: height, backwards: true))
    case .half:
      (
        x.place(of: deviceX, on: width, backwards: true),
        y.place(of: deviceY, on: height, backwards: true)
      )
    case .left:
      (y.place(of: deviceY, on: width, backwards: true), x.place(of: deviceX, on: height))
    }
  }
}
