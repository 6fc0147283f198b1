/// Where the unit is: the result of `position.get` and `position.set`, `position` in `status`, and
/// the members of the `position` event. Unknown values are nil, null on the wire.
public struct PositionInfo: ControlMessage, Equatable {
  /// "none": no position is known; "fix": the last fix is recent; "lost": none came for 5 s.
  public var state: String
  /// The position in degrees; −180 ≤ lon < 180.
  public var lat, lon: Double?
  /// The course over ground in degrees clockwise from north.
  public var heading: Double?
  /// The speed over ground in metres per second.
  public var speed: Double?
  /// The radius in metres within which the position lies.
  public var accuracy: Double?
  /// The altitude in metres above mean sea level.
  public var altitude: Double?
  /// The fix's dimensions, 2 or 3.
  public var mode: Int?
  /// The receiver's time, in seconds since 1970 (UTC).
  public var time: Double?
  /// Seconds since the fix arrived.
  public var age: Double?
  /// Where the fix came from: "gpsd" or "socket".
  public var source: String?
  /// Whether the view follows the position, and whether the course is up.
  public var following, headingUp: Bool

  /// Creates the value. Units and ranges are those of its properties.
  public init(state: String = "none", following: Bool = false, headingUp: Bool = false) {
    self.state = state
    self.following = following
    self.headingUp = headingUp
  }

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    state = try r.need("state", r.string("state"))
    lat = try r.number("lat")
    lon = try r.number("lon")
    heading = try r.number("heading")
    speed = try r.number("speed")
    accuracy = try r.number("accuracy")
    altitude = try r.number("altitude")
    mode = try r.integer("mode")
    time = try r.number("time")
    age = try r.number("age")
    source = try r.string("source")
    following = try r.bool("following") ?? false
    headingUp = try r.bool("heading_up") ?? false
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    [
      "state": .string(state), "lat": .optional(lat), "lon": .optional(lon),
      "heading": .optional(heading), "speed": .optional(speed), "accuracy": .optional(accuracy),
      "altitude": .optional(altitude), "mode": .optional(mode), "time": .optional(time),
      "age": .optional(age), "source": .optional(source), "following": .bool(following),
      "heading_up": .bool(headingUp),
    ]
  }
}

/// `position.set`: the position of a unit without a receiver.
public struct PositionSetParams: ControlMessage, Equatable {
  /// Degrees: latitude −90 to 90, longitude −540 to 540.
  public var lat, lon: Double
  /// The course in degrees clockwise from north, 0 to 360; nil: unknown.
  public var heading: Double?
  /// The speed in metres per second, 0 to 100,000; nil: unknown.
  public var speed: Double?
  /// The accuracy in metres, 0 to 20,000,000; nil: unknown.
  public var accuracy: Double?

  /// Creates the value. Units and ranges are those of its properties.
  public init(
    lat: Double, lon: Double, heading: Double? = nil, speed: Double? = nil, accuracy: Double? = nil
  ) {
    self.lat = lat
    self.lon = lon
    self.heading = heading
    self.speed = speed
    self.accuracy = accuracy
  }

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["lat", "lon", "heading", "speed", "accuracy"])
    lat = try r.need("lat", r.latitude("lat"))
    lon = try r.need("lon", r.longitude("lon"))
    heading = try r.number("heading", in: 0...360)
    speed = try r.number("speed", in: 0...100_000)
    accuracy = try r.number("accuracy", in: 0...20_000_000)
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    var object: JSONObject = ["lat": .double(lat), "lon": .double(lon)]
    object["heading"] = heading.map { .double($0) }
    object["speed"] = speed.map { .double($0) }
    object["accuracy"] = accuracy.map { .double($0) }
    return .object(object)
  }
}

/// `position.get`: where the unit is, and whether the view follows it.
public enum PositionGet: ControlMethod {
  /// The type of its result.
  public typealias Result = PositionInfo
  /// The method's name on the wire.
  public static let name = "position.get"
}

/// `position.set`: sets the position of a unit without a receiver.
public enum PositionSet: ControlMethod {
  /// The type of its parameters.
  public typealias Params = PositionSetParams
  /// The type of its result.
  public typealias Result = PositionInfo
  /// The method's name on the wire.
  public static let name = "position.set"
}
