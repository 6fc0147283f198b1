import Pixels

/// A connector of a card, and the monitor plugged into it.
public struct ConnectorInfo: Sendable, Equatable {
  /// Whether something is plugged in.
  public enum Status: Sendable { case connected, disconnected, unknown }

  /// The kernel's number.
  public var id: UInt32
  /// "HDMI-A-1": as below /sys/class/drm.
  public var name: String
  /// Whether something is plugged in.
  public var status: Status
  /// The modes that it offers, in the kernel's order.
  public var modes: [DisplayMode]

  /// A connector as it was read.
  public init(id: UInt32, name: String, status: Status, modes: [DisplayMode]) {
    self.id = id
    self.name = name
    self.status = status
    self.modes = modes
  }
}

/// Which connector, and which pixel format.
public enum ConnectorChoice {
  /// The one to light, by its place: the one named if it is connected, else the first connected
  /// one; where none says that it is connected, the first that cannot tell (drm_mode.h's
  /// DRM_MODE_UNKNOWNCONNECTION). One without modes cannot be lit.
  public static func choose(_ connectors: [ConnectorInfo], named name: String?) -> Int? {
    for status in [ConnectorInfo.Status.connected, .unknown] {
      let found = connectors.firstIndex {
        $0.status == status && !$0.modes.isEmpty && (name == nil || $0.name == name)
      }
      if let found { return found }
    }
    return nil
  }

  /// The format for a primary plane.
  ///
  /// - Parameters:
  ///   - asked: what the configuration asks for; nil: nothing.
  ///   - offered: what the plane takes; empty: not told.
  ///   - preferredDepth: the driver's DRM_CAP_DUMB_PREFERRED_DEPTH; 0: it has none.
  /// - Returns: what was asked for, or else: rgb565 where the driver prefers 16 bits (an SPI
  ///   panel's would convert each frame) or has nothing else, xrgb8888 everywhere else. Nil:
  ///   neither.
  public static func format(
    asked: PixelFormat?, offered: Set<PixelFormat>, preferredDepth: Int
  ) -> PixelFormat? {
    if let asked, offered.contains(asked) { return asked }
    if preferredDepth == 16, offered.contains(.rgb565) { return .rgb565 }
    if offered.contains(.xrgb8888) { return .xrgb8888 }
    return offered.contains(.rgb565) ? .rgb565 : nil
  }
}
