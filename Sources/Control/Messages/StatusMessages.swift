/// What `status` shows of one thing that can be well or not.
public struct HealthItem: ControlMessage, Equatable {
  /// "configuration", "display", "source:topo", …
  public var what: String
  /// "ok", "warning" or "error".
  public var state: String
  /// Seconds since 1970, in UTC; nil if no clock could be trusted then.
  public var since: Double?
  /// What is wrong and what would help; nil if all is well.
  public var detail: String?

  public init(what: String, state: String, since: Double? = nil, detail: String? = nil) {
    self.what = what
    self.state = state
    self.since = since
    self.detail = detail
  }

  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    what = try r.need("what", r.string("what"))
    state = try r.need("state", r.string("state"))
    since = try r.number("since")
    detail = try r.string("detail")
  }

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
  public var device: String?
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

  public var json: JSON {
    [
      "backend": .string(backend), "device": .optional(device), "connector": .optional(connector),
      "mode": .optional(mode), "width": .int(Int64(width)), "height": .int(Int64(height)),
      "format": .string(format), "rotation": .int(Int64(rotation)), "scale": .int(Int64(scale)),
      "power": .string(power), "connected": .bool(isConnected),
    ]
  }
}

public struct StatusResult: ControlMessage, Equatable {
  public var version: String
  /// Seconds.
  public var uptime: Double
  public var pid: Int
  /// nil while there is none.
  public var display: DisplayInfo?
  /// The base source in use; nil if there is none.
  public var source: SourceStatus?
  public var view: ViewState
  /// As `position.get` gives it; null without one.
  public var position: JSON
  public var cache: CacheStats
  public var health: [HealthItem]

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

  public var json: JSON {
    [
      "version": .string(version), "uptime": .double(uptime), "pid": .int(Int64(pid)),
      "display": display?.json ?? .null, "source": source?.json ?? .null, "view": view.json,
      "position": position, "cache": cache.json, "health": .array(health.map { $0.json }),
    ]
  }
}

public enum Status: ControlMethod {
  public typealias Params = NoParams
  public typealias Result = StatusResult
  public static let name = "status"
}
