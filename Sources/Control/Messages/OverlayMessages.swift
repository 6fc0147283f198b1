/// An overlay as `overlay.list` shows it.
public struct OverlayInfo: ControlMessage, Equatable {
  /// The overlay's name, unique among overlays.
  public var name: String
  /// "geojson", "gpx", "kml" or "grid"; "file" for a file that has not been opened yet.
  public var kind: String
  /// The file's path; nil for the grid, and for features that came over the socket.
  public var path: String?
  /// "above-roads" or "above-labels".
  public var level: String
  /// Whether it is shown; false once it was hidden.
  public var shown: Bool
  /// The lowest zoom at which it is drawn.
  public var minZoom: Double
  /// Its name on cards and in the map key, in the present language; nil: it has none, or its file
  /// is not open.
  public var title: String?
  /// The property that is drawn as text; nil: none.
  public var label: String?
  /// The casing of its lines: "auto", "none" or a colour; nil for the grid.
  public var casing: String?
  /// Dashes and gaps along its lines in points; nil: lines are whole.
  public var dash: [Double]?
  /// What is shown on the screen while the overlay is; nil: nothing.
  public var attribution: String?
  /// How its features are drawn, and what the cards of its lines show.
  public var look = OverlayLook()
  /// The number of its features; nil while it is not open, as are the following.
  public var features: Int?
  /// The memory of its features in bytes.
  public var bytes: Int?
  /// The area of its features, `[west, south, east, north]` in degrees.
  public var bounds: [Double]?
  /// Whether its file was last read without error; nil if it was not read yet.
  public var healthy: Bool?
  /// Why it is not healthy, with file and line if known; nil if there is no error.
  public var error: String?

  /// Creates the value. Units and ranges are those of its properties.
  public init(
    name: String, kind: String, path: String? = nil, level: String, shown: Bool = true,
    minZoom: Double = 0, label: String? = nil, features: Int? = nil, bytes: Int? = nil,
    bounds: [Double]? = nil, healthy: Bool? = nil, error: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.path = path
    self.level = level
    self.shown = shown
    self.minZoom = minZoom
    self.label = label
    self.features = features
    self.bytes = bytes
    self.bounds = bounds
    self.healthy = healthy
    self.error = error
  }

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    name = try r.need("name", r.string("name"))
    kind = try r.string("kind") ?? ""
    path = try r.string("path")
    level = try r.string("level") ?? "above-roads"
    shown = try r.bool("shown") ?? true
    minZoom = try r.number("min_zoom") ?? 0
    title = try r.string("title")
    label = try r.string("label")
    features = try r.integer("features")
    bytes = try r.integer("bytes")
    bounds = try r.bounds("bounds")
    healthy = try r.bool("healthy")
    error = try r.string("error")
    casing = try r.string("casing")
    dash = r.value("dash")?.array?.compactMap(\.double)
    attribution = try r.string("attribution")
    look = try OverlayLook(r)
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    var json: JSONObject = [
      "name": .string(name), "kind": .string(kind), "path": .optional(path),
      "level": .string(level), "shown": .bool(shown), "min_zoom": .double(minZoom),
      "title": .optional(title), "label": .optional(label), "features": .optional(features),
      "bytes": .optional(bytes),
      "bounds": bounds.map { .array($0.map { .double($0) }) } ?? .null,
      "casing": .optional(casing), "dash": dash.map { .array($0.map { .double($0) }) } ?? .null,
      "attribution": .optional(attribution), "healthy": .optional(healthy),
      "error": .optional(error),
    ]
    look.add(to: &json)
    return .object(json)
  }
}

/// `overlay.move`: which overlay, and where in the drawing order it goes.
public struct OverlayMoveParams: ControlMessage, Equatable {
  /// A position in the drawing order, relative to another overlay.
  public enum Place: Sendable, Equatable {
    /// Directly above that overlay.
    case above(String)
    /// Directly below that overlay.
    case below(String)
  }

  /// The name of the overlay that moves.
  public var name: String
  /// Its new position in the drawing order.
  public var place: Place

  /// Creates the value. Units and ranges are those of its properties.
  public init(name: String, _ place: Place) {
    self.name = name
    self.place = place
  }

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["name", "above", "below"])
    name = try r.need("name", r.string("name"))
    switch (try r.string("above"), try r.string("below")) {
    case (let other?, nil): place = .above(other)
    case (nil, let other?): place = .below(other)
    default:
      throw .parameter("above", "give one of \"above\" and \"below\", with an overlay's name")
    }
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    switch place {
    case .above(let other): ["name": .string(name), "above": .string(other)]
    case .below(let other): ["name": .string(name), "below": .string(other)]
    }
  }
}

/// `overlay.list`: lists all overlays, the lowest first.
public enum OverlayListMethod: ControlMethod {
  /// The type of its result.
  public typealias Result = ListResult<OverlayInfo>
  /// The method's name on the wire.
  public static let name = "overlay.list"
}

/// `overlay.add`: adds an overlay above the others of its level.
///
/// The parameters are an `[[overlay]]` table, which `Configuration` checks; `geojson` (an object)
/// may replace `path`.
public enum OverlayAdd: ControlMethod {
  /// The type of its parameters.
  public typealias Params = RawParams
  /// The type of its result.
  public typealias Result = OverlayInfo
  /// The method's name on the wire.
  public static let name = "overlay.add"
}

/// `overlay.remove`: removes an overlay, configured or added, and returns its last state.
public enum OverlayRemove: ControlMethod {
  /// The type of its parameters.
  public typealias Params = NameParams
  /// The type of its result.
  public typealias Result = OverlayInfo
  /// The method's name on the wire.
  public static let name = "overlay.remove"
}

/// `overlay.show`: shows a hidden overlay.
public enum OverlayShow: ControlMethod {
  /// The type of its parameters.
  public typealias Params = NameParams
  /// The type of its result.
  public typealias Result = OverlayInfo
  /// The method's name on the wire.
  public static let name = "overlay.show"
}

/// `overlay.hide`: hides an overlay and keeps it loaded.
public enum OverlayHide: ControlMethod {
  /// The type of its parameters.
  public typealias Params = NameParams
  /// The type of its result.
  public typealias Result = OverlayInfo
  /// The method's name on the wire.
  public static let name = "overlay.hide"
}

/// `overlay.move`: puts an overlay directly above or below another one, on that one's level, and
/// returns the new order.
public enum OverlayMove: ControlMethod {
  /// The type of its parameters.
  public typealias Params = OverlayMoveParams
  /// The type of its result.
  public typealias Result = ListResult<OverlayInfo>
  /// The method's name on the wire.
  public static let name = "overlay.move"
}
