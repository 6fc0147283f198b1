import MapGeometry

/// A position reported by a receiver or by a client of the socket.
public struct Fix: Sendable, Equatable {
  /// The kind of fix (gpsd_json(5), TPV `mode`).
  public enum Mode: Int, Sendable, Comparable {
    /// A 2D fix: no altitude.
    case flat = 2
    /// A 3D fix: with altitude.
    case spatial = 3

    /// Whether `a` is the lesser fix.
    public static func < (a: Mode, b: Mode) -> Bool { a.rawValue < b.rawValue }
  }

  /// The position: latitude within ±90, longitude −180 ≤ lon < 180.
  public var place: GeoPoint
  /// The radius in metres around the place within which the true position lies, more than 0; nil:
  /// unknown.
  public var accuracy: Double?
  /// The course over ground in degrees from true north, 0 ≤ h < 360; nil: unknown.
  public var heading: Double?
  /// The speed over ground in metres per second, 0 or more; nil: unknown.
  public var speed: Double?
  /// The altitude in metres above mean sea level; nil: unknown.
  public var altitude: Double?
  /// The receiver's clock in seconds since 1970, UTC; nil: unknown.
  public var time: Double?
  /// The kind of fix.
  public var mode: Mode

  /// Creates a fix; nil values are unknown.
  public init(
    place: GeoPoint, accuracy: Double? = nil, heading: Double? = nil, speed: Double? = nil,
    altitude: Double? = nil, time: Double? = nil, mode: Mode = .spatial
  ) {
    self.place = place
    self.accuracy = accuracy
    self.heading = heading
    self.speed = speed
    self.altitude = altitude
    self.time = time
    self.mode = mode
  }
}
