/// `display.get` and `display.set`: the display, its power, brightness and theme, and which parts
/// of the HUD are shown.
public struct DisplayResult: ControlMessage, Equatable {
  /// The display's backend, mode, size and power.
  public var info: DisplayInfo
  /// The backlight's brightness in percent, 0 to 100; nil without a backlight.
  public var brightness: Int?
  /// The chosen theme: "day", "night" or "auto".
  public var theme: String
  /// Whether night colours are shown at the moment.
  public var isNight: Bool
  /// The present language, a BCP 47 tag.
  public var language = "en"
  /// Whether each part of the HUD is shown, by the parts' keys in `[hud]`.
  public var hud: [(name: String, isShown: Bool)]

  /// Creates the value. Units and ranges are those of its properties.
  public init(
    info: DisplayInfo, brightness: Int?, theme: String, isNight: Bool = false,
    hud: [(name: String, isShown: Bool)]
  ) {
    self.info = info
    self.brightness = brightness
    self.theme = theme
    self.isNight = isNight
    self.hud = hud
  }

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    info = try DisplayInfo(json)
    let r = try ParamReader(result: json)
    brightness = try r.integer("brightness")
    theme = try r.string("theme") ?? "day"
    isNight = try r.bool("night") ?? (theme == "night")
    language = try r.string("language") ?? "en"
    hud = []
    for (name, value) in r.value("hud")?.object?.members ?? [] {
      if let isShown = value.bool { hud.append((name, isShown)) }
    }
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    var object = info.json.object ?? [:]
    object["brightness"] = brightness.map { .int(Int64($0)) } ?? .null
    object["theme"] = .string(theme)
    object["night"] = .bool(isNight)
    object["language"] = .string(language)
    var parts: JSONObject = [:]
    for (name, isShown) in hud { parts[name] = .bool(isShown) }
    object["hud"] = .object(parts)
    return .object(object)
  }

  /// Whether both are the same JSON on the wire.
  public static func == (a: DisplayResult, b: DisplayResult) -> Bool { a.json == b.json }
}

/// `display.set`: what changes. Nil leaves a property as it is.
public struct DisplaySetParams: ControlMessage, Equatable {
  /// Whether the panel is lit; false puts it to sleep.
  public var isOn: Bool?
  /// The backlight's brightness in percent, 0 to 100.
  public var brightness: Int?
  /// The theme: "day", "night" or "auto".
  public var theme: String?
  /// One of `hud.languages`.
  public var language: String?
  /// Whether parts of the HUD are shown, by their keys in `[hud]`. Parts that are absent stay.
  public var hud: [String: Bool]

  /// The keys of the HUD's parts that can be shown and hidden.
  public static let hudParts = [
    "attribution", "scale_bar", "north", "zoom", "coordinates", "buttons", "toasts",
    "map_key",
  ]

  /// Creates the value. Units and ranges are those of its properties.
  public init(
    isOn: Bool? = nil, brightness: Int? = nil, theme: String? = nil, hud: [String: Bool] = [:]
  ) {
    self.isOn = isOn
    self.brightness = brightness
    self.theme = theme
    self.hud = hud
  }

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["power", "brightness", "theme", "language", "hud"])
    switch try r.string("power") {
    case nil: isOn = nil
    case "on": isOn = true
    case "off": isOn = false
    case let other?:
      throw .parameter("power", "\"power\" must be \"on\" or \"off\", not \"\(other)\"")
    }
    brightness = try r.integer("brightness", in: 0...100)
    theme = try r.string("theme")
    if let theme, !["day", "night", "auto"].contains(theme) {
      throw .parameter(
        "theme", "\"theme\" must be \"day\", \"night\" or \"auto\", not \"\(theme)\"")
    }
    language = try r.string("language")
    hud = [:]
    guard let parts = r.value("hud") else { return }
    guard parts.object != nil else {
      throw r.mistyped("hud", "an object of true and false by part", parts)
    }
    let h = try ParamReader(parts, DisplaySetParams.hudParts)
    for part in DisplaySetParams.hudParts {
      if let isShown = try h.bool(part) { hud[part] = isShown }
    }
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    var object: JSONObject = [:]
    if let isOn { object["power"] = .string(isOn ? "on" : "off") }
    if let brightness { object["brightness"] = .int(Int64(brightness)) }
    if let theme { object["theme"] = .string(theme) }
    if let language { object["language"] = .string(language) }
    if !hud.isEmpty {
      var parts: JSONObject = [:]
      for part in DisplaySetParams.hudParts where hud[part] != nil {
        parts[part] = .bool(hud[part] == true)
      }
      object["hud"] = .object(parts)
    }
    return .object(object)
  }
}

/// `display.get`: the display, its power, brightness, theme and HUD.
public enum DisplayGet: ControlMethod {
  /// The type of its result.
  public typealias Result = DisplayResult
  /// The method's name on the wire.
  public static let name = "display.get"
}

/// `display.set`: changes power, brightness, theme or parts of the HUD.
public enum DisplaySet: ControlMethod {
  /// The type of its parameters.
  public typealias Params = DisplaySetParams
  /// The type of its result.
  public typealias Result = DisplayResult
  /// The method's name on the wire.
  public static let name = "display.set"
}
