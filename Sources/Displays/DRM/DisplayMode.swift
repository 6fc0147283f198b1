/// A mode that a connector offers.
public struct DisplayMode: Sendable, Equatable, CustomStringConvertible {
  /// Pixels.
  public var width: Int
  /// Pixels.
  public var height: Int
  /// Frames a second.
  public var refresh: Double
  /// The panel's own mode.
  public var isPreferred: Bool
  /// Every other row with each field.
  public var isInterlaced: Bool

  /// A mode; nothing is checked.
  public init(
    width: Int, height: Int, refresh: Double, isPreferred: Bool = false, isInterlaced: Bool = false
  ) {
    self.width = width
    self.height = height
    self.refresh = refresh
    self.isPreferred = isPreferred
    self.isInterlaced = isInterlaced
  }

  /// "1280x720@60", "720x576i@50".
  public var description: String {
    let tenths = Int((refresh * 10).rounded())
    let rate = tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths / 10).\(tenths % 10)"
    return "\(width)x\(height)\(isInterlaced ? "i" : "")@\(rate)"
  }

  /// Frames a second from a mode's timing: the pixel clock in kHz over the pixels of a whole scan,
  /// as the kernel's drm_mode_vrefresh (drm_modes.c) but not rounded; 60 where a driver gives none.
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
