/// A marker as `marker.list` shows it.
public struct MarkerInfo: ControlMessage, Equatable {
  public var id: String
  /// Degrees; −180 ≤ lon < 180.
  public var lat, lon: Double
  /// Nil, like what follows, where none was given.
  public var label: String?
  public var text: String?
  /// "#rrggbb" or "#rrggbbaa".
  public var color: String?
  public var icon: String
  /// It was set over the socket.
  public var added: Bool

  public init(
    id: String, lat: Double, lon: Double, label: String? = nil, text: String? = nil,
    color: String? = nil, icon: String, added: Bool = false
  ) {
    self.id = id
    self.lat = lat
    self.lon = lon
    self.label = label
    self.text = text
    self.color = color
    self.icon = icon
    self.added = added
  }

  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    id = try r.need("id", r.string("id"))
    lat = try r.need("lat", r.number("lat"))
    lon = try r.need("lon", r.number("lon"))
    label = try r.string("label")
    text = try r.string("text")
    color = try r.string("color")
    icon = try r.string("icon") ?? ""
    added = try r.bool("added") ?? false
  }

  public var json: JSON {
    [
      "id": .string(id), "lat": .double(lat), "lon": .double(lon), "label": .optional(label),
      "text": .optional(text), "color": .optional(color), "icon": .string(icon),
      "added": .bool(added),
    ]
  }
}

public struct MarkerListResult: ControlMessage, Equatable {
  public var markers: [MarkerInfo]

  public init(_ markers: [MarkerInfo]) { self.markers = markers }

  public init(_ json: JSON) throws(ControlError) {
    guard let list = json.array else {
      throw .parameter("result", "must be an array, not \(json.kindName)")
    }
    markers = []
    for element in list { markers.append(try MarkerInfo(element)) }
  }

  public var json: JSON { .array(markers.map { $0.json }) }
}

/// Which marker.
public struct MarkerParams: ControlMessage, Equatable {
  public var id: String

  public init(id: String) { self.id = id }

  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["id"])
    id = try r.need("id", r.string("id"))
  }

  public var json: JSON { ["id": .string(id)] }
}

/// The parameters are a `[[marker]]` table; the configuration's module checks them.
public enum MarkerSet: ControlMethod {
  public typealias Params = RawParams
  public typealias Result = MarkerInfo
  public static let name = "marker.set"
}

public enum MarkerRemove: ControlMethod {
  public typealias Params = MarkerParams
  public typealias Result = EmptyResult
  public static let name = "marker.remove"
}

public enum MarkerList: ControlMethod {
  public typealias Params = NoParams
  public typealias Result = MarkerListResult
  public static let name = "marker.list"
}
