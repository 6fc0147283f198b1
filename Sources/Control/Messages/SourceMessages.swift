/// A source as `source.list` shows it.
public struct SourceStatus: ControlMessage, Equatable {
  /// Its name.
  public var name: String
  /// "mbtiles", "pmtiles", "directory", "template", "packs" or "provider".
  public var kind: String
  /// The file, folder or template; several for a source of several packs.
  public var paths: [String]
  /// "png", "jpeg" or "webp"; nil, like what follows, for what is not known until it is opened.
  public var format: String?
  /// Tile levels.
  public var minZoom, maxZoom: Int?
  /// `[west, south, east, north]` in degrees.
  public var bounds: [Double]?
  /// The text that its licence wants shown.
  public var attribution: String?
  /// "base", "overlay" or "labels".
  public var role: String
  /// Whether it is the base map, or drawn above it.
  public var active: Bool
  /// Whether its last read succeeded.
  public var healthy: Bool?
  /// Why it is not healthy: file, tile and reason.
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

  /// Reads what the daemon sent. Unknown members are left out.
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
  }

  /// `path` is a string; an array for several packs.
  public var json: JSON {
    [
      "name": .string(name), "kind": .string(kind),
      "path": paths.count == 1 ? .string(paths[0]) : .array(paths.map { .string($0) }),
      "format": .optional(format), "min_zoom": .optional(minZoom), "max_zoom": .optional(maxZoom),
      "bounds": bounds.map { .array($0.map { .double($0) }) } ?? .null,
      "attribution": .optional(attribution), "role": .string(role), "active": .bool(active),
      "healthy": .optional(healthy), "error": .optional(error),
    ]
  }
}

/// Parameters of the methods that act on one named thing.
public struct NameParams: ControlMessage, Equatable {
  /// Its name.
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

/// `source.list`: all sources, in the order in which `source.next` goes through them.
public enum SourceListMethod: ControlMethod {
  /// What it answers.
  public typealias Result = ListResult<SourceStatus>
  /// Its name on the wire.
  public static let name = "source.list"
}

/// `source.use`: makes a source the base map.
public enum SourceUse: ControlMethod {
  /// What it is called with.
  public typealias Params = NameParams
  /// What it answers.
  public typealias Result = SourceStatus
  /// Its name on the wire.
  public static let name = "source.use"
}

/// `source.next`: makes the next base source the base map.
public enum SourceNext: ControlMethod {
  /// What it answers.
  public typealias Result = SourceStatus
  /// Its name on the wire.
  public static let name = "source.next"
}

/// `source.previous`: makes the previous base source the base map.
public enum SourcePrevious: ControlMethod {
  /// What it answers.
  public typealias Result = SourceStatus
  /// Its name on the wire.
  public static let name = "source.previous"
}

/// `source.add`: adds a source.
///
/// The parameters are a `[[source]]` table, which `Configuration` checks.
public enum SourceAdd: ControlMethod {
  /// What it is called with.
  public typealias Params = RawParams
  /// What it answers.
  public typealias Result = SourceStatus
  /// Its name on the wire.
  public static let name = "source.add"
}

/// `source.remove`: removes a source, whether configured or added over the socket.
public enum SourceRemove: ControlMethod {
  /// What it is called with.
  public typealias Params = NameParams
  /// Its name on the wire.
  public static let name = "source.remove"
}
