import MapGeometry

/// Where the unit is, as a receiver or somebody on the socket says it.
public struct Fix: Sendable, Equatable {
  /// What a receiver knows (gpsd_json(5), TPV `mode`).
  public enum Mode: Int, Sendable, Comparable {
    /// Place without height.
    case flat = 2
    /// Place and height.
    case spatial = 3

    /// Whether `a` tells less than `b`.
    public static func < (a: Mode, b: Mode) -> Bool { a.rawValue < b.rawValue }
  }

  /// Latitude within ±90, longitude −180 ≤ lon < 180.
  public var place: GeoPoint
  /// The radius in metres within which the true place lies, more than 0; nil: not known.
  public var accuracy: Double?
  /// The course over ground in degrees from true north, 0 ≤ h < 360; nil: not known.
  public var heading: Double?
  /// Metres a second over ground, 0 or more; nil: not known.
  public var speed: Double?
  /// Metres above mean sea level; nil: not known.
  public var altitude: Double?
  /// The receiver's clock in seconds since 1970, UTC; nil: not known.
  public var time: Double?
  /// How much is known.
  public var mode: Mode

  /// A fix; what is nil is unknown.
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
