/// A mode that a connector offers.
public struct DisplayMode: Sendable, Equatable, CustomStringConvertible {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int
  /// The refresh rate in Hz: frames per second, or fields if interlaced.
  public var refresh: Double
  /// Whether the monitor prefers this mode, usually its native one.
  public var isPreferred: Bool
  /// Whether each field has only every other row.
  public var isInterlaced: Bool

  /// Creates a mode. The numbers are not checked.
  public init(
    width: Int, height: Int, refresh: Double, isPreferred: Bool = false, isInterlaced: Bool = false
  ) {
    self.width = width
    self.height = height
    self.refresh = refresh
    self.isPreferred = isPreferred
    self.isInterlaced = isInterlaced
  }

  /// The size and the rate, rounded: "1280x720@60", "720x576i@50".
  public var description: String {
    let tenths = Int((refresh * 10).rounded())
    let rate = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    return "\(width)x\(height)\(isInterlaced ? "i" : "")@\(rate)"
  }

  /// The refresh rate in Hz from a mode's timing: the pixel clock in kHz divided by the pixels of a
  /// whole scan, as in the kernel's drm_mode_vrefresh (drm_modes.c), but not rounded; 60 if the
  /// driver gives no timing.
  public static func refresh(
    clock: Int, horizontalTotal: Int, verticalTotal: Int, interlaced: Bool, doubleScan: Bool
  ) -> Double {
    guard clock > 0, horizontalTotal > 0, verticalTotal > 0 else { return 60 }
    var rate = Double(clock) * 1000 / Double(horizontalTotal) / Double(verticalTotal)
    if interlaced { rate *= 2 }
    if doubleScan { rate /= 2 }
    return rate
  }
}
