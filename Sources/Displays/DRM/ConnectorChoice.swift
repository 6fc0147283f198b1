import Pixels

/// A connector of a card, and the monitor plugged into it.
public struct ConnectorInfo: Sendable, Equatable {
  /// Whether a monitor is plugged in. Some connectors cannot tell.
  public enum Status: Sendable { case connected, disconnected, unknown }

  /// The connector's ID in the kernel.
  public var id: UInt32
  /// The name, as below /sys/class/drm: "HDMI-A-1".
  public var name: String
  /// Whether a monitor is plugged in.
  public var status: Status
  /// The modes that the connector offers, in the kernel's order.
  public var modes: [DisplayMode]

  /// Creates a description of a connector.
  public init(id: UInt32, name: String, status: Status, modes: [DisplayMode]) {
    self.id = id
    self.name = name
    self.status = status
    self.modes = modes
  }
}

/// The choice of a connector, and of a pixel format.
public enum ConnectorChoice {
  /// The index of the connector to light: the one named `name` if it is connected, else the first
  /// connected one. If none is connected, the first one that cannot tell
  /// (DRM_MODE_UNKNOWNCONNECTION in drm_mode.h). Nil if there is none; a connector without modes
  /// cannot be lit.
  public static func choose(_ connectors: [ConnectorInfo], named name: String?) -> Int? {
    for status in [ConnectorInfo.Status.connected, .unknown] {
      let found = connectors.firstIndex {
        $0.status == status && !$0.modes.isEmpty && (name == nil || $0.name == name)
      }
      if let found { return found }
    }
    return nil
  }

  /// The pixel format for a primary plane.
  ///
  /// - Parameters:
  ///   - asked: the format that the configuration asks for; nil: none.
  ///   - offered: the formats that the plane accepts; empty: unknown.
  ///   - preferredDepth: the driver's DRM_CAP_DUMB_PREFERRED_DEPTH in bits; 0: it has none.
  /// - Returns: the format asked for, if any; else rgb565 if the driver prefers 16 bits (an SPI
  ///   panel's driver would convert each frame) or offers nothing else, and otherwise xrgb8888. Nil
  ///   if the plane accepts neither.
  public static func format(
    asked: PixelFormat?, offered: Set<PixelFormat>, preferredDepth: Int
  ) -> PixelFormat? {
    if let asked, offered.contains(asked) { return asked }
    if preferredDepth == 16, offered.contains(.rgb565) { return .rgb565 }
    if offered.contains(.xrgb8888) { return .xrgb8888 }
    return offered.contains(.rgb565) ? .rgb565 : nil
  }
}
