import Pixels

/// Which display to open and how: `[display]` of the configuration.
public struct DisplayRequest: Sendable, Equatable {
  /// The kind of display; `auto` takes the best one that can be opened.
  public enum Backend: String, Sendable, CaseIterable { case auto, drm, fbdev, headless }

  /// A mode as it was asked for.
  public struct Mode: Sendable, Equatable, CustomStringConvertible {
    /// Pixels.
    public var width: Int
    /// Pixels.
    public var height: Int
    /// Hz; nil: any.
    public var refresh: Double?

    /// A mode; nil: any refresh rate.
    public init(width: Int, height: Int, refresh: Double? = nil) {
      self.width = width
      self.height = height
      self.refresh = refresh
    }

    /// As the configuration writes it: "1280x720@60".
    public var description: String {
      guard let refresh else { return "\(width)x\(height)" }
      let whole = refresh.rounded() == refresh && refresh.magnitude < 1e6
      return "\(width)x\(height)@\(whole ? "\(Int(refresh))" : "\(refresh)")"
    }
  }

  /// Which kind of display.
  public var backend = Backend.auto
  /// "/dev/dri/card1"; nil: the first card with a connected connector.
  public var device: String?
  /// "HDMI-A-1"; nil: the first connected one.
  public var connector: String?
  /// nil: the preferred one, or the best of at most 1920x1080 if that is larger.
  public var mode: Mode?
  /// Pixels of a display in memory, and of the stand-in while no monitor is there.
  public var size = (width: 1280, height: 720)
  /// How the panel is mounted, clockwise.
  public var rotation = MountingRotation.none
  /// nil: as the driver prefers.
  public var format: PixelFormat?

  /// The best display there is, in its preferred mode.
  public init() {}

  /// Whether both ask for the same.
  public static func == (a: DisplayRequest, b: DisplayRequest) -> Bool {
    a.backend == b.backend && a.device == b.device && a.connector == b.connector
      && a.mode == b.mode && a.size == b.size && a.rotation == b.rotation && a.format == b.format
  }
}
