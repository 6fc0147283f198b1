/// A source as `source.list` shows it.
public struct SourceStatus: ControlMessage, Equatable {
  public var name: String
  /// "mbtiles", "pmtiles", "directory", "url" or "packs".
  public var kind: String
  /// The file, folder or template; several for a source of several packs.
  public var paths: [String]
  /// "png", "jpeg" or "webp"; nil, like what follows, for what is not known until it is opened.
  public var format: String?
  /// Tile levels.
  public var minZoom, maxZoom: Int?
  /// `[west, south, east, north]` in degrees.
  public var bounds: [Double]?
  public var attribution: String?
  /// "base", "overlay" or "labels".
  public var role: String
  public var active: Bool
  public var healthy: Bool?
  /// Why it is not healthy: file, tile and reason.
  public var error: String?

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

public struct SourceListResult: ControlMessage, Equatable {
  public var sources: [SourceStatus]

  public init(_ sources: [SourceStatus]) { self.sources = sources }

  public init(_ json: JSON) throws(ControlError) {
    guard let list = json.array else {
      throw .parameter("result", "must be an array, not \(json.kindName)")
    }
    sources = []
    for element in list { sources.append(try SourceStatus(element)) }
  }

  public var json: JSON { .array(sources.map { $0.json }) }
}

/// Parameters of the methods that act on one named thing.
public struct NameParams: ControlMessage, Equatable {
  public var name: String

  public init(name: String) { self.name = name }

  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["name"])
    name = try r.need("name", r.string("name"))
  }

  public var json: JSON { ["name": .string(name)] }
}

public enum SourceList: ControlMethod {
  public typealias Params = NoParams
  public typealias Result = SourceListResult
  public static let name = "source.list"
}

public enum SourceUse: ControlMethod {
  public typealias Params = NameParams
  public typealias Result = SourceStatus
  public static let name = "source.use"
}

public enum SourceNext: ControlMethod {
  public typealias Params = NoParams
  public typealias Result = SourceStatus
  public static let name = "source.next"
}

public enum SourcePrevious: ControlMethod {
  public typealias Params = NoParams
  public typealias Result = SourceStatus
  public static let name = "source.previous"
}

/// The parameters are a `[[source]]` table; the configuration's module checks them.
public enum SourceAdd: ControlMethod {
  public typealias Params = RawParams
  public typealias Result = SourceStatus
  public static let name = "source.add"
}

public enum SourceRemove: ControlMethod {
  public typealias Params = NameParams
  public typealias Result = EmptyResult
  public static let name = "source.remove"
}
