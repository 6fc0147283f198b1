/// An overlay as `overlay.list` shows it.
public struct OverlayInfo: ControlMessage, Equatable {
  public var name: String
  /// "geojson", "gpx", "kml" or "grid"; "file" for a file that was not opened yet.
  public var kind: String
  /// The file; nil for the grid, and for features that came over the socket.
  public var path: String?
  /// "above-roads" or "above-labels".
  public var level: String
  /// False while hidden.
  public var shown: Bool
  public var minZoom: Double
  /// The property that is drawn as text.
  public var label: String?
  /// How many features it has; nil, like what follows, for what is not known until it is opened.
  public var features: Int?
  /// What its features take in memory.
  public var bytes: Int?
  /// `[west, south, east, north]` in degrees.
  public var bounds: [Double]?
  public var healthy: Bool?
  /// Why it is not healthy: file, line and reason.
  public var error: String?

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

/// Overlays in drawing order, the lowest first.
public struct OverlayListResult: ControlMessage, Equatable {
  public var overlays: [OverlayInfo]

  public init(_ overlays: [OverlayInfo]) { self.overlays = overlays }

  public init(_ json: JSON) throws(ControlError) {
    guard let list = json.array else {
      throw .parameter("result", "must be an array, not \(json.kindName)")
    }
    overlays = []
    for element in list { overlays.append(try OverlayInfo(element)) }
  }

  public var json: JSON { .array(overlays.map { $0.json }) }
}

/// `overlay.move`: where to.
public struct OverlayMoveParams: ControlMessage, Equatable {
  public enum Place: Sendable, Equatable {
    case above(String)
    case below(String)
  }

  public var name: String
  public var place: Place

  public init(name: String, _ place: Place) {
    self.name = name
    self.place = place
  }

  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["name", "above", "below"])
    name = try r.need("name", r.string("name"))
    switch (try r.string("above"), try r.string("below")) {
    case (let other?, nil): place = .above(other)
    case (nil, let other?): place = .below(other)
    default: throw .parameter("above", "one of \"above\" and \"below\", with an overlay's name")
    }
  }

  public var json: JSON {
    switch place {
    case .above(let other): ["name": .string(name), "above": .string(other)]
    case .below(let other): ["name": .string(name), "below": .string(other)]
    }
  }
}

public enum OverlayList: ControlMethod {
  public typealias Params = NoParams
  public typealias Result = OverlayListResult
  public static let name = "overlay.list"
}

/// The parameters are an `[[overlay]]` table, or one with `geojson` (an object) in the place of `path`;
/// the configuration's module checks them.
public enum OverlayAdd: ControlMethod {
  public typealias Params = RawParams
  public typealias Result = OverlayInfo
  public static let name = "overlay.add"
}

/// The result is the overlay as it was.
public enum OverlayRemove: ControlMethod {
  public typealias Params = NameParams
  public typealias Result = OverlayInfo
  public static let name = "overlay.remove"
}

public enum OverlayShow: ControlMethod {
  public typealias Params = NameParams
  public typealias Result = OverlayInfo
  public static let name = "overlay.show"
}

public enum OverlayHide: ControlMethod {
  public typealias Params = NameParams
  public typealias Result = OverlayInfo
  public static let name = "overlay.hide"
}

/// The result is all overlays in their new order.
public enum OverlayMove: ControlMethod {
  public typealias Params = OverlayMoveParams
  public typealias Result = OverlayListResult
  public static let name = "overlay.move"
}
