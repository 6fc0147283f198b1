/// The view: the result of every `view.` method.
public struct ViewState: ControlMessage, Equatable {
  /// The centre, in degrees; −180 ≤ lon < 180.
  public var lat, lon: Double
  /// The zoom: at zoom z the world is 256·2^z points wide.
  public var zoom: Double
  /// The compass direction that points up, in degrees, 0 ≤ bearing < 360.
  public var bearing: Double
  /// The enclosing box `[west, south, east, north]` in degrees; west > east across the dateline.
  public var bounds: [Double]
  /// The view's size in points.
  public var width, height: Double

  /// Creates the value. Units and ranges are those of its properties.
  public init(
    lat: Double, lon: Double, zoom: Double, bearing: Double, bounds: [Double], width: Double,
    height: Double
  ) {
    self.lat = lat
    self.lon = lon
    self.zoom = zoom
    self.bearing = bearing
    self.bounds = bounds
    self.width = width
    self.height = height
  }

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    lat = try r.need("lat", r.number("lat"))
    lon = try r.need("lon", r.number("lon"))
    zoom = try r.need("zoom", r.number("zoom"))
    bearing = try r.need("bearing", r.number("bearing"))
    bounds = try r.need("bounds", r.bounds("bounds"))
    width = try r.need("width", r.number("width"))
    height = try r.need("height", r.number("height"))
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    [
      "lat": .double(lat), "lon": .double(lon), "zoom": .double(zoom), "bearing": .double(bearing),
      "bounds": .array(bounds.map { .double($0) }), "width": .double(width),
      "height": .double(height),
    ]
  }
}

/// `view.set`: the values to set. Nil leaves a value as it is.
public struct ViewSetParams: ControlMessage, Equatable {
  /// The centre in degrees: latitude −90 to 90, longitude −540 to 540.
  public var lat, lon: Double?
  /// The zoom; clamped to the view's limits.
  public var zoom: Double?
  /// The bearing in degrees, normalised to 0 ≤ bearing < 360.
  public var bearing: Double?
  /// Whether the view moves there in an animation instead of jumping.
  public var animate: Bool

  /// Creates the value. Units and ranges are those of its properties.
  public init(
    lat: Double? = nil, lon: Double? = nil, zoom: Double? = nil, bearing: Double? = nil,
    animate: Bool = false
  ) {
    self.lat = lat
    self.lon = lon
    self.zoom = zoom
    self.bearing = bearing
    self.animate = animate
  }

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["lat", "lon", "zoom", "bearing", "animate"])
    lat = try r.latitude("lat")
    lon = try r.longitude("lon")
    zoom = try r.number("zoom")
    bearing = try r.number("bearing")
    animate = try r.bool("animate") ?? false
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    var object = JSONObject()
    object["lat"] = lat.map { .double($0) }
    object["lon"] = lon.map { .double($0) }
    object["zoom"] = zoom.map { .double($0) }
    object["bearing"] = bearing.map { .double($0) }
    if animate { object["animate"] = true }
    return .object(object)
  }
}

/// A direction on the screen, by its name on the wire.
public enum PanDirection: String, CaseIterable, Sendable {
  /// The direction in which the view's centre moves.
  case left, right, up, down
}

/// `view.pan`: by a number of points, or by a quarter of the view's shorter side in a direction.
public struct ViewPanParams: ControlMessage, Equatable {
  /// How far to pan, or in which direction.
  public enum Way: Equatable, Sendable {
    /// The centre moves this many points to the right and down on the screen. Each is within ±1e10,
    /// more than the world at zoom 24.
    case by(dx: Double, dy: Double)
    /// The centre moves by a quarter of the view's shorter side.
    case direction(PanDirection)
  }
  /// How far the view moves, or in which direction.
  public var way: Way
  /// Whether the view moves there in an animation instead of jumping.
  public var animate: Bool

  /// Creates the value. Units and ranges are those of its properties.
  public init(_ way: Way, animate: Bool = false) {
    self.way = way
    self.animate = animate
  }

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["dx", "dy", "direction", "animate"])
    let range = -ScreenPoint.limit...ScreenPoint.limit
    let dx = try r.number("dx", in: range)
    let dy = try r.number("dy", in: range)
    if let direction = try r.word("direction", PanDirection.self) {
      if dx != nil || dy != nil {
        throw .parameter("direction", "give \"direction\", or \"dx\" and \"dy\", not both")
      }
      way = .direction(direction)
    } else if dx == nil && dy == nil {
      throw .parameter("dx", "\"dx\" and \"dy\" are missing, or \"direction\" instead of them")
    } else {
      way = .by(dx: try r.need("dx", dx), dy: try r.need("dy", dy))
    }
    animate = try r.bool("animate") ?? false
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    var object = JSONObject()
    switch way {
    case .by(let dx, let dy):
      object["dx"] = .double(dx)
      object["dy"] = .double(dy)
    case .direction(let direction): object["direction"] = .string(direction.rawValue)
    }
    if animate { object["animate"] = true }
    return .object(object)
  }
}

/// A position on the screen, in points from its upper left corner.
public struct ScreenPoint: Equatable, Sendable {
  /// Points to the right, and points down.
  public var x, y: Double
  /// Larger coordinates are refused: they are far outside any screen and any world.
  static let limit = 1e10

  /// Creates the position `x` points right of and `y` points below the upper left corner.
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }
}

/// `view.zoom`: by how many levels, around which point.
public struct ViewZoomParams: ControlMessage, Equatable {
  /// The difference in zoom levels; negative zooms out.
  public var delta: Double
  /// The point that stays where it is on the screen; nil: the view's centre.
  public var anchor: ScreenPoint?
  /// Whether the view moves there in an animation instead of jumping.
  public var animate: Bool

  /// Creates the value. Units and ranges are those of its properties.
  public init(delta: Double, anchor: ScreenPoint? = nil, animate: Bool = false) {
    self.delta = delta
    self.anchor = anchor
    self.animate = animate
  }

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["delta", "x", "y", "animate"])
    delta = try r.need("delta", r.number("delta"))
    let range = -ScreenPoint.limit...ScreenPoint.limit
    let x = try r.number("x", in: range)
    let y = try r.number("y", in: range)
    if x != nil || y != nil {
      anchor = ScreenPoint(x: try r.need("x", x), y: try r.need("y", y))
    } else {
      anchor = nil
    }
    animate = try r.bool("animate") ?? false
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    var object: JSONObject = ["delta": .double(delta)]
    object["x"] = anchor.map { .double($0.x) }
    object["y"] = anchor.map { .double($0.y) }
    if animate { object["animate"] = true }
    return .object(object)
  }
}

/// `view.fit`: the box to show.
public struct ViewFitParams: ControlMessage, Equatable {
  /// The box, `[west, south, east, north]` in degrees; west > east crosses the dateline.
  public var bounds: [Double]
  /// The points that stay free on each side, 0 to 100,000.
  public var padding: Double

  /// Creates the value. Units and ranges are those of its properties.
  public init(bounds: [Double], padding: Double = 0) {
    self.bounds = bounds
    self.padding = padding
  }

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["bounds", "padding"])
    bounds = try r.need("bounds", r.bounds("bounds"))
    padding = try r.number("padding", in: 0...100_000) ?? 0
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    var object: JSONObject = ["bounds": .array(bounds.map { .double($0) })]
    if padding != 0 { object["padding"] = .double(padding) }
    return .object(object)
  }
}

/// `view.get`: returns the view; during an animation the one that it ends with.
public enum ViewGet: ControlMethod {
  /// The type of its result.
  public typealias Result = ViewState
  /// The method's name on the wire.
  public static let name = "view.get"
}

/// `view.set`: goes to a centre, a zoom or a bearing.
public enum ViewSet: ControlMethod {
  /// The type of its parameters.
  public typealias Params = ViewSetParams
  /// The type of its result.
  public typealias Result = ViewState
  /// The method's name on the wire.
  public static let name = "view.set"
}

/// `view.pan`: moves the view across the screen.
public enum ViewPan: ControlMethod {
  /// The type of its parameters.
  public typealias Params = ViewPanParams
  /// The type of its result.
  public typealias Result = ViewState
  /// The method's name on the wire.
  public static let name = "view.pan"
}

/// `view.zoom`: zooms in or out by a number of levels.
public enum ViewZoom: ControlMethod {
  /// The type of its parameters.
  public typealias Params = ViewZoomParams
  /// The type of its result.
  public typealias Result = ViewState
  /// The method's name on the wire.
  public static let name = "view.zoom"
}

/// `view.fit`: shows the whole of a box at the highest zoom that fits.
public enum ViewFit: ControlMethod {
  /// The type of its parameters.
  public typealias Params = ViewFitParams
  /// The type of its result.
  public typealias Result = ViewState
  /// The method's name on the wire.
  public static let name = "view.fit"
}

/// `view.home`: returns to the view that the configuration starts with.
public enum ViewHome: ControlMethod {
  /// The type of its result.
  public typealias Result = ViewState
  /// The method's name on the wire.
  public static let name = "view.home"
}
