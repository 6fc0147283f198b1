/// `overlay.select`: which line of which overlay.
public struct SelectParams: ControlMessage, Equatable {
  /// The overlay's name.
  public var name: String
  /// The index of a line among the overlay's features, from 0; nil: the line nearest to the centre
  /// of the view, or the one called `featureName`.
  public var feature: Int?
  /// The name of a line, as in `feature` of `notice.set`; nil: the line is chosen another way.
  public var featureName: String?

  /// Creates the value. Units and ranges are those of its properties.
  public init(name: String, feature: Int? = nil, featureName: String? = nil) {
    self.name = name
    self.feature = feature
    self.featureName = featureName
  }

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["name", "feature"])
    name = try r.need("name", r.string("name"))
    if let text = r.value("feature")?.string {
      guard !text.isEmpty else { throw .parameter("feature", "\"feature\" is an empty name") }
      featureName = text
      return
    }
    do throws(ControlError) {
      feature = try r.integer("feature", in: 0...Int(Int32.max))
    } catch {
      throw .parameter("feature", "\"feature\" must be a feature's index, from 0, or its name")
    }
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    if let featureName { return ["name": .string(name), "feature": .string(featureName)] }
    guard let feature else { return ["name": .string(name)] }
    return ["name": .string(name), "feature": .int(Int64(feature))]
  }
}

/// The selected line; with nothing selected, all its members are null.
public struct SelectionInfo: ControlMessage, Equatable {
  /// The overlay's name.
  public var overlay: String?
  /// The index of the line's first feature.
  public var feature: Int?
  /// The line's name.
  public var name: String?
  /// The length in metres.
  public var length: Double?
  /// The total climb in metres. This and the next three are nil for a line without elevations.
  public var ascent: Double?
  /// All descending together in metres.
  public var descent: Double?
  /// The lowest elevation in metres.
  public var lowest: Double?
  /// The highest elevation in metres.
  public var highest: Double?
  /// How long the way takes in seconds; nil: no time is shown.
  public var seconds: Double?
  /// How far along the line the position is, in metres; nil: it is not near.
  public var along: Double?
  /// Whether a notice closes it; nil: nothing is selected.
  public var isClosed: Bool?
  /// The properties on its card.
  public var properties: [String: String] = [:]

  /// Creates the value for no selection.
  public init() {}

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is of another type.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    overlay = try r.string("overlay")
    feature = try r.integer("feature")
    name = try r.string("name")
    length = try r.number("length")
    ascent = try r.number("ascent")
    descent = try r.number("descent")
    lowest = try r.number("lowest")
    highest = try r.number("highest")
    seconds = try r.number("seconds")
    along = try r.number("along")
    isClosed = try r.bool("closed")
    for member in json["properties"]?.object?.members ?? [] {
      properties[member.key] = member.value.string
    }
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    // To a tenth; numbers that are too large to have one stay as they are.
    func number(_ value: Double?) -> JSON {
      value.map { .double(abs($0) < 1e14 ? ($0 * 10).rounded() / 10 : $0) } ?? .null
    }
    var all = JSONObject()
    for (key, value) in properties.sorted(by: { $0.key < $1.key }) { all[key] = .string(value) }
    return [
      "overlay": .optional(overlay), "feature": .optional(feature), "name": .optional(name),
      "length": number(length), "ascent": number(ascent), "descent": number(descent),
      "lowest": number(lowest), "highest": number(highest), "seconds": number(seconds),
      "along": number(along), "closed": .optional(isClosed), "properties": .object(all),
    ]
  }
}

/// `overlay.select`: selects a line, as a tap on it would.
public enum OverlaySelect: ControlMethod {
  /// The type of its parameters.
  public typealias Params = SelectParams
  /// The type of its result.
  public typealias Result = SelectionInfo
  /// The method's name on the wire.
  public static let name = "overlay.select"
}

/// `selection.get`: the selected line.
public enum SelectionGet: ControlMethod {
  /// The type of its parameters.
  public typealias Params = NoParams
  /// The type of its result.
  public typealias Result = SelectionInfo
  /// The method's name on the wire.
  public static let name = "selection.get"
}

/// `selection.clear`: selects nothing, and closes the card.
public enum SelectionClear: ControlMethod {
  /// The type of its parameters.
  public typealias Params = NoParams
  /// The type of its result.
  public typealias Result = SelectionInfo
  /// The method's name on the wire.
  public static let name = "selection.clear"
}
