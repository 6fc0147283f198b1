import Pixels

/// Maps a touch screen's units to the view's points.
///
/// The device's whole range covers the panel's whole area, whatever the resolutions. A value stands
/// for the middle of the interval that it covers: if the device has one value per pixel, a touch of
/// pixel 0 is at 0.5 pixels. Then the mounting's rotation is undone: at 90°, the view's (x, y) is
/// seen at the panel's (H - y, x).
struct TouchMapping: Equatable {
  /// The smallest and the largest value of a device's axis.
  struct Axis: Equatable {
    var minimum: Int32
    var maximum: Int32

    /// The position of `value` on a side of `length` points; `backwards`: measured from the other
    /// end. Values outside the axis are clamped.
    func place(of value: Int32, on length: Double, backwards: Bool = false) -> Double {
      let steps = max(Double(maximum) - Double(minimum) + 1, 1)
      let middle = min(max(Double(value) - Double(minimum) + 0.5, 0), steps)
      return (backwards ? steps - middle : middle) * length / steps
    }
  }

  private let x: Axis
  private let y: Axis
  private let rotation: MountingRotation
  /// The upright view's size in points.
  private let width: Double
  private let height: Double

  /// Creates the mapping of a device.
  ///
  /// - Parameters:
  ///   - x: The device's first axis.
  ///   - y: The device's second axis.
  ///   - space: How the touch screen relates to the view.
  ///   - rotation: How the touch screen is mounted; nil: like the display.
  init(x: Axis, y: Axis, space: TouchSpace, rotation: MountingRotation?) {
    (self.x, self.y) = (x, y)
    self.rotation = rotation ?? space.rotation
    let view = space.rotation.turnedSize(width: space.panelWidth, height: space.panelHeight)
    width = Double(view.width) / Double(max(space.scale, 1))
    height = Double(view.height) / Double(max(space.scale, 1))
  }

  /// The touched point of the view.
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
