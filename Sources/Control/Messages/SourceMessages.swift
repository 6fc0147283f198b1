/// A source as `source.list` shows it.
public struct SourceStatus: ControlMessage, Equatable {
  /// The source's name, unique among sources.
  public var name: String
  /// "mbtiles", "pmtiles", "directory", "template", "packs" or "provider".
  public var kind: String
  /// The file, folder or template; several for a source of several packs.
  public var paths: [String]
  /// "png", "jpeg", "webp" or "mvt"; nil, like the following, until the source has been opened.
  public var format: String?
  /// The schema of a vector map's layers, such as "Protomaps"; nil: none that is known, or
  /// pictures.
  public var schema: String?
  /// The names of a vector map's layers: those that it states, else those that its first tiles
  /// have; none: not known yet; nil for pictures.
  public var layers: [String]?
  /// How a vector map is drawn: "trailhead" or the style's file; nil for pictures.
  public var style: String?
  /// The language of names on a vector map; nil: as written at the place, or pictures.
  public var language: String?
  /// The lowest and the highest tile level.
  public var minZoom, maxZoom: Int?
  /// The area covered, `[west, south, east, north]` in degrees.
  public var bounds: [Double]?
  /// The text that the source's licence wants shown.
  public var attribution: String?
  /// What the source is used as: "base", "overlay", "labels" or "style".
  public var role: String
  /// Whether it is drawn: it is the base map, or an overlay or labels above it.
  public var active: Bool
  /// Whether its last read succeeded; nil if it has not been opened yet.
  public var healthy: Bool?
  /// Why it is not healthy, with file and tile if known; nil if there is no error.
  public var error: String?

  /// Creates the value. Units and ranges are those of its properties.
  public init(
    name: String, kind: String, paths: [String], format: String? = nil, minZoom: Int? = nil,
    maxZoom: Int? = nil, bounds: [Double]? = nil, attribution: String? = nil, role: String = "base",
    active: Bool = false, healthy: Bool? = nil, error: String? = nil
  ) {
    self.name = name
    self.kind = kind
    self.paths = paths
    self.format = format
    self.minZoom = minZoom
    self.maxZoom = maxZoom
    self.bounds = bounds
    self.attribution = attribution
    self.role = role
    self.active = active
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
    if let list = r.value("path")?.array {
      paths = list.compactMap { $0.string }
    } else {
      paths = try r.string("path").map { [$0] } ?? []
    }
    format = try r.string("format")
    minZoom = try r.integer("min_zoom")
    maxZoom = try r.integer("max_zoom")
    bounds = try r.bounds("bounds")
    attribution = try r.string("attribution")
    role = try r.string("role") ?? "base"
    active = try r.bool("active") ?? false
    healthy = try r.bool("healthy")
    error = try r.string("error")
    schema = try r.string("schema")
    layers = r.value("layers")?.array.map { $0.compactMap(\.string) }
    style = try r.string("style")
    language = try r.string("language")
  }

  /// The value as it goes over the wire. `path` is a string, or an array for several packs.
  public var json: JSON {
    var json: JSON = [
      "name": .string(name), "kind": .string(kind),
      "path": paths.count == 1 ? .string(paths[0]) : .array(paths.map { .string($0) }),
      "format": .optional(format), "min_zoom": .optional(minZoom), "max_zoom": .optional(maxZoom),
      "bounds": bounds.map { .array($0.map { .double($0) }) } ?? .null,
      "attribution": .optional(attribution), "role": .string(role), "active": .bool(active),
      "healthy": .optional(healthy), "error": .optional(error),
    ]
    // Only vector maps are drawn in a style.
    guard let style, case .object(var members) = json else { return json }
    members["style"] = .string(style)
    members["schema"] = .optional(schema)
    members["layers"] = layers.map { .array($0.map { .string($0) }) } ?? .null
    members["language"] = .optional(language)
    json = .object(members)
    return json
  }
}

/// The parameters of methods that act on one source or overlay.
public struct NameParams: ControlMessage, Equatable {
  /// The name of the source or overlay.
  public var name: String

  /// Creates the value. Units and ranges are those of its properties.
  public init(name: String) { self.name = name }

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["name"])
    name = try r.need("name", r.string("name"))
  }

  /// The value as it goes over the wire.
  public var json: JSON { ["name": .string(name)] }
}

/// `source.list`: lists all sources, in the order in which `source.next` goes through them.
public enum SourceListMethod: ControlMethod {
  /// The type of its result.
  public typealias Result = ListResult<SourceStatus>
  /// The method's name on the wire.
  public static let name = "source.list"
}

/// `source.use`: makes a source the base map.
public enum SourceUse: ControlMethod {
  /// The type of its parameters.
  public typealias Params = NameParams
  /// The type of its result.
  public typealias Result = SourceStatus
  /// The method's name on the wire.
  public static let name = "source.use"
}

/// `source.next`: makes the next base source the base map.
public enum SourceNext: ControlMethod {
  /// The type of its result.
  public typealias Result = SourceStatus
  /// The method's name on the wire.
  public static let name = "source.next"
}

/// `source.previous`: makes the previous base source the base map.
public enum SourcePrevious: ControlMethod {
  /// The type of its result.
  public typealias Result = SourceStatus
  /// The method's name on the wire.
  public static let name = "source.previous"
}

/// `source.add`: adds a source.
///
/// The parameters are a `[[source]]` table, which `Configuration` checks.
public enum SourceAdd: ControlMethod {
  /// The type of its parameters.
  public typealias Params = RawParams
  /// The type of its result.
  public typealias Result = SourceStatus
  /// The method's name on the wire.
  public static let name = "source.add"
}

/// `source.remove`: removes a source, whether configured or added over the socket.
public enum SourceRemove: ControlMethod {
  /// The type of its parameters.
  public typealias Params = NameParams
  /// The method's name on the wire.
  public static let name = "source.remove"
}
