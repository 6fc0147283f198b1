/// A marker as `marker.list` shows it.
public struct MarkerInfo: ControlMessage, Equatable {
  /// The marker's name in `marker.set` and `marker.remove`.
  public var id: String
  /// The position in degrees; −180 ≤ lon < 180.
  public var lat, lon: Double
  /// The text beside the icon; nil: none.
  public var label: String?
  /// The callout's text; nil: none.
  public var text: String?
  /// "#rrggbb" or "#rrggbbaa"; nil: the icon's own colour.
  public var color: String?
  /// The icon's name, such as "pin".
  public var icon: String
  /// Whether it was set over the socket, not configured.
  public var added: Bool

  /// Creates the value. Units and ranges are those of its properties.
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

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
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

  /// The value as it goes over the wire.
  public var json: JSON {
    [
      "id": .string(id), "lat": .double(lat), "lon": .double(lon), "label": .optional(label),
      "text": .optional(text), "color": .optional(color), "icon": .string(icon),
      "added": .bool(added),
    ]
  }
}

/// The parameters of methods that act on one marker or notice.
public struct IDParams: ControlMessage, Equatable {
  /// The id of the marker or notice.
  public var id: String

  /// Creates the value. Units and ranges are those of its properties.
  public init(id: String) { self.id = id }

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["id"])
    id = try r.need("id", r.string("id"))
  }

  /// The value as it goes over the wire.
  public var json: JSON { ["id": .string(id)] }
}

/// `marker.set`: adds a marker, or replaces the one with the same id.
///
/// The parameters are a `[[marker]]` table, which `Configuration` checks.
public enum MarkerSet: ControlMethod {
  /// The type of its parameters.
  public typealias Params = RawParams
  /// The type of its result.
  public typealias Result = MarkerInfo
  /// The method's name on the wire.
  public static let name = "marker.set"
}

/// `marker.remove`: removes a marker.
public enum MarkerRemove: ControlMethod {
  /// The type of its parameters.
  public typealias Params = IDParams
  /// The method's name on the wire.
  public static let name = "marker.remove"
}

/// `marker.list`: all markers, configured and added.
public enum MarkerListMethod: ControlMethod {
  /// The type of its result.
  public typealias Result = ListResult<MarkerInfo>
  /// The method's name on the wire.
  public static let name = "marker.list"
}
