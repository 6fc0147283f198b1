/// An overlay as `overlay.list` shows it.
public struct OverlayInfo: ControlMessage, Equatable {
  /// Its name, unique among overlays.
  public var name: String
  /// "geojson", "gpx", "kml" or "grid"; "file" for a file that was not opened yet.
  public var kind: String
  /// The file; nil for the grid, and for features that came over the socket.
  public var path: String?
  /// "above-roads" or "above-labels".
  public var level: String
  /// False while hidden.
  public var shown: Bool
  /// The zoom from which on it is drawn.
  public var minZoom: Double
  /// The property that is drawn as text.
  public var label: String?
  /// How many features it has; nil, like what follows, for what is not known until it is opened.
  public var features: Int?
  /// What its features take in memory.
  public var bytes: Int?
  /// `[west, south, east, north]` in degrees.
  public var bounds: [Double]?
  /// Whether its file was read without error.
  public var healthy: Bool?
  /// Why it is not healthy: file, line and reason.
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

  /// Reads what the daemon sent. Unknown members are left out.
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
    label = try r.string("label")
    features = try r.integer("features")
    bytes = try r.integer("bytes")
    bounds = try r.bounds("bounds")
    healthy = try r.bool("healthy")
    error = try r.string("error")
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    [
      "name": .string(name), "kind": .string(kind), "path": .optional(path),
      "level": .string(level), "shown": .bool(shown), "min_zoom": .double(minZoom),
      "label": .optional(label), "features": .optional(features), "bytes": .optional(bytes),
      "bounds": bounds.map { .array($0.map { .double($0) }) } ?? .null,
      "healthy": .optional(healthy), "error": .optional(error),
    ]
  }
}

/// `overlay.move`: where to.
public struct OverlayMoveParams: ControlMessage, Equatable {
  /// Where the overlay goes, by the name of another one.
  public enum Place: Sendable, Equatable {
    /// Directly above that overlay.
    case above(String)
    /// Directly below that overlay.
    case below(String)
  }

  /// Its name, unique among overlays.
  public var name: String
  /// Where it goes.
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
    default: throw .parameter("above", "one of \"above\" and \"below\", with an overlay's name")
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

/// `overlay.list`: all overlays, the lowest first.
public enum OverlayListMethod: ControlMethod {
  /// What it answers.
  public typealias Result = ListResult<OverlayInfo>
  /// Its name on the wire.
  public static let name = "overlay.list"
}

/// `overlay.add`: adds an overlay above the others.
///
/// The parameters are an `[[overlay]]` table, which `Configuration` checks; `geojson` (an object)
/// may replace `path`.
public enum OverlayAdd: ControlMethod {
  /// What it is called with.
  public typealias Params = RawParams
  /// What it answers.
  public typealias Result = OverlayInfo
  /// Its name on the wire.
  public static let name = "overlay.add"
}

/// `overlay.remove`: removes an overlay, whether configured or added over the socket, and answers
/// with what it was.
public enum OverlayRemove: ControlMethod {
  /// What it is called with.
  public typealias Params = NameParams
  /// What it answers.
  public typealias Result = OverlayInfo
  /// Its name on the wire.
  public static let name = "overlay.remove"
}

/// `overlay.show`: shows a hidden overlay.
public enum OverlayShow: ControlMethod {
  /// What it is called with.
  public typealias Params = NameParams
  /// What it answers.
  public typealias Result = OverlayInfo
  /// Its name on the wire.
  public static let name = "overlay.show"
}

/// `overlay.hide`: hides an overlay and keeps it loaded.
public enum OverlayHide: ControlMethod {
  /// What it is called with.
  public typealias Params = NameParams
  /// What it answers.
  public typealias Result = OverlayInfo
  /// Its name on the wire.
  public static let name = "overlay.hide"
}

/// `overlay.move`: puts an overlay above or below another, and answers with the new order.
public enum OverlayMove: ControlMethod {
  /// What it is called with.
  public typealias Params = OverlayMoveParams
  /// What it answers.
  public typealias Result = ListResult<OverlayInfo>
  /// Its name on the wire.
  public static let name = "overlay.move"
}
