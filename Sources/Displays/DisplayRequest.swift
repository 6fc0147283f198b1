import Pixels

/// Which display to open and how: `[display]` of the configuration.
public struct DisplayRequest: Sendable, Equatable {
  /// The kinds of display. `auto` is the best one that can be opened.
  public enum Backend: String, Sendable, CaseIterable { case auto, drm, fbdev, headless }

  /// A mode as the configuration requests it.
  public struct Mode: Sendable, Equatable, CustomStringConvertible {
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The refresh rate in Hz; nil: any.
    public var refresh: Double?

    /// Creates a mode. The numbers are not checked.
    public init(width: Int, height: Int, refresh: Double? = nil) {
      self.width = width
      self.height = height
      self.refresh = refresh
    }

    /// The spelling in the configuration: "1280x720@60", or "1280x720" without a rate.
    public var description: String {
      guard let refresh else { return "\(width)x\(height)" }
      let whole = refresh.rounded() == refresh && refresh.magnitude < 1e6
      return "\(width)x\(height)@\(whole ? "\(Int(refresh))" : "\(refresh)")"
    }
  }

  /// The kind of display to open.
  public var backend = Backend.auto
  /// The device file, "/dev/dri/card1"; nil: the first card with a connected connector.
  public var device: String?
  /// The connector, "HDMI-A-1"; nil: the first connected one.
  public var connector: String?
  /// The mode; nil: the preferred one, or the best of at most 1920x1080 if that is larger.
  public var mode: Mode?
  /// The size in pixels of a display in memory, and of the stand-in while there is no monitor.
  public var size = (width: 1280, height: 720)
  /// How the panel is mounted, clockwise.
  public var rotation = MountingRotation.none
  /// The pixel format; nil: the driver's preferred one.
  public var format: PixelFormat?

  /// Creates a request for the best display, in its preferred mode.
  public init() {}

  /// Whether both request the same.
  public static func == (a: DisplayRequest, b: DisplayRequest) -> Bool {
    a.backend == b.backend && a.device == b.device && a.connector == b.connector
      && a.mode == b.mode && a.size == b.size && a.rotation == b.rotation && a.format == b.format
  }
}
