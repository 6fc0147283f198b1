/// The health of one part, as `status` shows it.
public struct HealthItem: ControlMessage, Equatable {
  /// "configuration", "display", "source:topo", …
  public var what: String
  /// "ok", "warning" or "error".
  public var state: String
  /// Seconds since 1970, in UTC; nil if no clock could be trusted then.
  public var since: Double?
  /// What is wrong and what would help; nil if all is well.
  public var detail: String?

  /// Creates the value. Units and ranges are those of its properties.
  public init(what: String, state: String, since: Double? = nil, detail: String? = nil) {
    self.what = what
    self.state = state
    self.since = since
    self.detail = detail
  }

  /// Reads what the daemon sent. Unknown members are left out.
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

/// The display as `status` shows it.
public struct DisplayInfo: ControlMessage, Equatable {
  /// "drm", "fbdev" or "headless".
  public var backend: String
  /// The device file: "/dev/dri/card0"; nil where there is none.
  public var device: String?
  /// The connector: "HDMI-A-1"; nil where the backend has none.
  public var connector: String?
  /// "1280x720@60"; nil without a panel.
  public var mode: String?
  /// Pixels of the view, mounting rotation undone.
  public var width, height: Int
  /// "xrgb8888" or "rgb565".
  public var format: String
  /// The mounting, clockwise: 0, 90, 180 or 270.
  public var rotation: Int
  /// Pixels a point.
  public var scale: Int
  /// "on" or "off".
  public var power: String
  /// Whether what is drawn reaches a panel: false without a monitor, and when headless.
  public var isConnected: Bool

  /// Creates the value. Units and ranges are those of its properties.
  public init(
    backend: String, device: String? = nil, connector: String? = nil, mode: String? = nil,
    width: Int, height: Int, format: String, rotation: Int = 0, scale: Int = 1,
    power: String = "on", isConnected: Bool = true
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
  }

  /// Reads what the daemon sent. Unknown members are left out.
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
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    [
      "backend": .string(backend), "device": .optional(device), "connector": .optional(connector),
      "mode": .optional(mode), "width": .int(Int64(width)), "height": .int(Int64(height)),
      "format": .string(format), "rotation": .int(Int64(rotation)), "scale": .int(Int64(scale)),
      "power": .string(power), "connected": .bool(isConnected),
    ]
  }
}

/// How the daemon is.
public struct StatusResult: ControlMessage, Equatable {
  /// The release: "1.2.0".
  public var version: String
  /// Seconds since the start.
  public var uptime: Double
  /// The daemon's process.
  public var pid: Int
  /// nil while there is none.
  public var display: DisplayInfo?
  /// The base source in use; nil if there is none.
  public var source: SourceStatus?
  /// What is shown.
  public var view: ViewState
  /// As `position.get` gives it; null without one.
  public var position: JSON
  /// What the tile cache holds.
  public var cache: CacheStats
  /// Everything that can be well or not, each with its state.
  public var health: [HealthItem]

  /// Creates the value. Units and ranges are those of its properties.
  public init(
    version: String, uptime: Double, pid: Int, display: DisplayInfo?, source: SourceStatus?,
    view: ViewState, position: JSON = .null, cache: CacheStats, health: [HealthItem]
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
  }

  /// Reads what the daemon sent. Unknown members are left out.
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
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    [
      "version": .string(version), "uptime": .double(uptime), "pid": .int(Int64(pid)),
      "display": display?.json ?? .null, "source": source?.json ?? .null, "view": view.json,
      "position": position, "cache": cache.json, "health": .array(health.map { $0.json }),
    ]
  }
}

/// `status`: how the daemon is: display, source, view, position, cache and health.
public enum Status: ControlMethod {
  /// What it answers.
  public typealias Result = StatusResult
  /// Its name on the wire.
  public static let name = "status"
}
