/// A current problem, as `status` and the `health` event show it.
public struct HealthItem: ControlMessage, Equatable {
  /// What it concerns: "configuration", "display", "source topo", …
  public var what: String
  /// The severity: "warning" or "error".
  public var state: String
  /// When it began, in seconds since 1970 (UTC); nil if the daemon did not say.
  public var since: Double?
  /// What is wrong and what would help.
  public var detail: String?

  /// Creates the value. Units and ranges are those of its properties.
  public init(what: String, state: String, since: Double? = nil, detail: String? = nil) {
    self.what = what
    self.state = state
    self.since = since
    self.detail = detail
  }

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    what = try r.need("what", r.string("what"))
    state = try r.need("state", r.string("state"))
    since = try r.number("since")
    detail = try r.string("detail")
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    [
      "what": .string(what), "state": .string(state), "since": .optional(since),
      "detail": .optional(detail),
    ]
  }
}

/// The display, as `status` shows it.
public struct DisplayInfo: ControlMessage, Equatable {
  /// "drm", "fbdev" or "headless".
  public var backend: String
  /// The device file, "/dev/dri/card0"; nil if there is none.
  public var device: String?
  /// The connector, "HDMI-A-1"; nil if the backend has none.
  public var connector: String?
  /// The mode, "1280x720@60"; nil if the daemon did not say.
  public var mode: String?
  /// The view's size in pixels, with the mounting's rotation undone.
  public var width, height: Int
  /// The pixel format, "xrgb8888" or "rgb565".
  public var format: String
  /// The mounting in degrees clockwise: 0, 90, 180 or 270.
  public var rotation: Int
  /// Pixels per point.
  public var scale: Int
  /// "on", or "off" while the panel sleeps.
  public var power: String
  /// Whether a panel shows what is drawn; false without a monitor, and for the headless backend.
  public var isConnected: Bool
  /// The kinds of devices that are awaited while the picture is drawn in memory, "drm" or
  /// "drm, fbdev"; nil if none is.
  public var awaited: String?

  /// Creates the value. Units and ranges are those of its properties.
  public init(
    backend: String, device: String? = nil, connector: String? = nil, mode: String? = nil,
    width: Int, height: Int, format: String, rotation: Int = 0, scale: Int = 1,
    power: String = "on", isConnected: Bool = true, awaited: String? = nil
  ) {
    self.backend = backend
    self.device = device
    self.connector = connector
    self.mode = mode
    self.width = width
    self.height = height
    self.format = format
    self.rotation = rotation
    self.scale = scale
    self.power = power
    self.isConnected = isConnected
    self.awaited = awaited
  }

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    backend = try r.need("backend", r.string("backend"))
    device = try r.string("device")
    connector = try r.string("connector")
    mode = try r.string("mode")
    width = try r.need("width", r.integer("width"))
    height = try r.need("height", r.integer("height"))
    format = try r.string("format") ?? ""
    rotation = try r.integer("rotation") ?? 0
    scale = try r.integer("scale") ?? 1
    power = try r.string("power") ?? "on"
    isConnected = try r.bool("connected") ?? true
    awaited = try r.string("awaited")
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    [
      "backend": .string(backend), "device": .optional(device), "connector": .optional(connector),
      "mode": .optional(mode), "width": .int(Int64(width)), "height": .int(Int64(height)),
      "format": .string(format), "rotation": .int(Int64(rotation)), "scale": .int(Int64(scale)),
      "power": .string(power), "connected": .bool(isConnected),
      "awaited": .optional(awaited),
    ]
  }
}

/// `status`: the state of the daemon.
public struct StatusResult: ControlMessage, Equatable {
  /// The release, as semver.org has it: "1.2.0".
  public var version: String
  /// Seconds since the daemon started.
  public var uptime: Double
  /// The daemon's process ID.
  public var pid: Int
  /// The display; nil while there is none.
  public var display: DisplayInfo?
  /// The source that is the base map; nil if there is none.
  public var source: SourceStatus?
  /// The view, as `view.get` returns it.
  public var view: ViewState
  /// The position as `position.get` returns it; null if none is known or configured.
  public var position: JSON
  /// The figures of the tile cache.
  public var cache: CacheStats
  /// The current problems, in the order in which they began; empty if there are none.
  public var health: [HealthItem]
  /// How many GPIO lines the configuration names; nil if the daemon did not say.
  public var gpioLines: Int?
  /// How many keyboards, dials and touch screens are used; nil if the daemon did not say.
  public var inputDevices: Int?
  /// The file that keeps the state over a restart; empty if none does, nil if the daemon did not
  /// say.
  public var stateFile: String?

  /// Creates the value. Units and ranges are those of its properties.
  public init(
    version: String, uptime: Double, pid: Int, display: DisplayInfo?, source: SourceStatus?,
    view: ViewState, position: JSON = .null, cache: CacheStats, health: [HealthItem],
    gpioLines: Int? = nil, inputDevices: Int? = nil, stateFile: String? = nil
  ) {
    self.version = version
    self.uptime = uptime
    self.pid = pid
    self.display = display
    self.source = source
    self.view = view
    self.position = position
    self.cache = cache
    self.health = health
    self.gpioLines = gpioLines
    self.inputDevices = inputDevices
    self.stateFile = stateFile
  }

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    version = try r.need("version", r.string("version"))
    uptime = try r.need("uptime", r.number("uptime"))
    pid = try r.need("pid", r.integer("pid"))
    display = nil
    if let value = r.value("display") { display = try DisplayInfo(value) }
    source = nil
    if let value = r.value("source") { source = try SourceStatus(value) }
    view = try ViewState(try r.need("view", r.value("view")))
    position = r.value("position") ?? .null
    cache = try CacheStats(try r.need("cache", r.value("cache")))
    health = []
    for item in r.value("health")?.array ?? [] { health.append(try HealthItem(item)) }
    gpioLines = try r.integer("gpio_lines")
    inputDevices = try r.integer("input_devices")
    stateFile = try r.string("state_file")
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    var object: JSONObject = [
      "version": .string(version), "uptime": .double(uptime), "pid": .int(Int64(pid)),
      "display": display?.json ?? .null, "source": source?.json ?? .null, "view": view.json,
      "position": position, "cache": cache.json, "health": .array(health.map { $0.json }),
    ]
    if let gpioLines { object["gpio_lines"] = .int(Int64(gpioLines)) }
    if let inputDevices { object["input_devices"] = .int(Int64(inputDevices)) }
    if let stateFile { object["state_file"] = .string(stateFile) }
    return .object(object)
  }
}

/// `status`: tells the state of the display, source, view, position and cache, and the current
/// problems.
public enum Status: ControlMethod {
  /// The type of its result.
  public typealias Result = StatusResult
  /// The method's name on the wire.
  public static let name = "status"
}
