/// `stats`: performance and memory. Counts and maxima are since the start; a percentile or a
/// maximum is nil as long as there are no samples.
public struct StatsResult: ControlMessage, Equatable {
  /// Figures of the frames that were drawn.
  public struct Frames: Equatable, Sendable {
    /// The number of frames handed to the display.
    public var presented = 0
    /// The number of frames of a movement that missed their refresh.
    public var late = 0
    /// Percentiles (50, 99, 99.9) of the milliseconds from the start of a frame's work until it is
    /// handed over.
    public var p50, p99, p999: Double?
    /// The longest of these times.
    public var max: Double?
    /// Creates figures without samples.
    public init() {}
  }

  /// Figures of the tiles that were decoded.
  public struct Decode: Equatable, Sendable {
    /// The number of tiles.
    public var count = 0
    /// Percentiles (50, 99) of the milliseconds to decode a tile.
    public var p50, p99: Double?
    /// The longest of these times.
    public var max: Double?
    /// Creates figures without samples.
    public init() {}
  }

  /// Figures of the presses that changed the picture.
  public struct Input: Equatable, Sendable {
    /// The number of presses.
    public var count = 0
    /// Percentiles (50, 99) of the milliseconds from a press to the frame that shows its effect.
    public var pressToFrameP50, pressToFrameP99: Double?
    /// The longest of these times.
    public var pressToFrameMax: Double?
    /// Creates figures without samples.
    public init() {}
  }

  /// The threads that open and read sources.
  public struct Readers: Equatable, Sendable {
    /// The number of threads at this moment.
    public var threads = 0
    /// The number of sources that wait for a thread.
    public var waiting = 0
    /// The largest number of threads allowed.
    public var limit = 0
    /// Creates figures that are all 0.
    public init() {}
  }

  /// The number of sources.
  public struct Sources: Equatable, Sendable {
    /// All sources, configured and added.
    public var count = 0
    /// Sources that were added over the socket.
    public var added = 0
    /// How many sources may be added over the socket.
    public var addedLimit = 0
    /// Sources that were found on media.
    public var media = 0
    /// How many packs on media may be sources.
    public var mediaLimit = 0
    /// Creates figures that are all 0.
    public init() {}
  }

  /// The memory of one part of the daemon.
  public struct Memory: Equatable, Sendable {
    /// The part: "cache", "overlays", "display", "clients", …
    public var owner: String
    /// Its memory in bytes at this moment.
    public var bytes: Int

    /// Creates the figure of one part.
    public init(_ owner: String, _ bytes: Int) {
      self.owner = owner
      self.bytes = bytes
    }
  }

  /// The limit of something that the daemon keeps.
  public struct Limit: Equatable, Sendable {
    /// What is limited: "cache_bytes", "markers", …; if it ends in "_bytes", bytes, else a number.
    public var name: String
    /// The most that is kept of it.
    public var most: Int

    /// Creates the limit of one thing.
    public init(_ name: String, _ most: Int) {
      self.name = name
      self.most = most
    }
  }

  /// The clients of the control socket.
  public struct Clients: Equatable, Sendable {
    /// Clients that are connected.
    public var count = 0
    /// How many clients may be connected.
    public var limit = 0
    /// How many may be connected if the last of them are root's or the daemon's own user's.
    public var trustedLimit = 0
    /// Bytes of answers and events that clients have not read yet.
    public var unread = 0
    /// While more bytes than these are unread, answers of more than 64 KiB are refused, but not to
    /// root and the daemon's own user.
    public var unreadLimit = 0
    /// Creates figures that are all 0.
    public init() {}
  }

  /// Shortages of the system's memory.
  public struct Pressure: Equatable, Sendable {
    /// Where reports of shortages come from: "psi", "manager", "available" or "off".
    public var means = "off"
    /// How often memory was short.
    public var count = 0
    /// The cache's limit in bytes meanwhile; nil while memory is not short.
    public var limit: Int?
    /// Creates figures without a shortage.
    public init() {}
  }

  /// Figures of the frames that were drawn.
  public var frames = Frames()
  /// Figures of the tiles that were decoded.
  public var decode = Decode()
  /// Figures of the presses that changed the picture.
  public var input = Input()
  /// The threads that open and read sources.
  public var readers = Readers()
  /// The memory of each part of the daemon.
  public var memory: [Memory] = []
  /// The limits of what is kept. Those of threads, sources and clients are with their figures.
  public var limits: [Limit] = []
  /// The number of sources.
  public var sources = Sources()
  /// The clients of the control socket.
  public var clients = Clients()
  /// Shortages of the system's memory.
  public var pressure = Pressure()
  /// How often the event loop woke.
  public var wakeups = 0

  /// Creates figures that are all 0 or absent.
  public init() {}

  /// Reads what the daemon sent. Unknown members are ignored.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    if let value = r.value("frames") {
      let r = try ParamReader(result: value)
      frames.presented = try r.integer("presented") ?? 0
      frames.late = try r.integer("late") ?? 0
      frames.p50 = try r.number("p50_ms")
      frames.p99 = try r.number("p99_ms")
      frames.p999 = try r.number("p999_ms")
      frames.max = try r.number("max_ms")
    }
    if let value = r.value("decode") {
      let r = try ParamReader(result: value)
      decode.count = try r.integer("count") ?? 0
      decode.p50 = try r.number("p50_ms")
      decode.p99 = try r.number("p99_ms")
      decode.max = try r.number("max_ms")
    }
    if let value = r.value("input") {
      let r = try ParamReader(result: value)
      input.count = try r.integer("count") ?? 0
      input.pressToFrameP50 = try r.number("press_to_frame_p50_ms")
      input.pressToFrameP99 = try r.number("p99_ms")
      input.pressToFrameMax = try r.number("max_ms")
    }
    if let value = r.value("readers") {
      let r = try ParamReader(result: value)
      readers.threads = try r.integer("threads") ?? 0
      readers.waiting = try r.integer("waiting") ?? 0
      readers.limit = try r.integer("limit") ?? 0
    }
    for (owner, bytes) in r.value("memory")?.object?.members ?? [] {
      memory.append(Memory(owner, bytes.int.flatMap { Int(exactly: $0) } ?? 0))
    }
    for (name, most) in r.value("limits")?.object?.members ?? [] {
      limits.append(Limit(name, most.int.flatMap { Int(exactly: $0) } ?? 0))
    }
    if let value = r.value("sources") {
      let r = try ParamReader(result: value)
      sources.count = try r.integer("count") ?? 0
      sources.added = try r.integer("added") ?? 0
      sources.addedLimit = try r.integer("added_limit") ?? 0
      sources.media = try r.integer("media") ?? 0
      sources.mediaLimit = try r.integer("media_limit") ?? 0
    }
    if let value = r.value("clients") {
      let r = try ParamReader(result: value)
      clients.count = try r.integer("count") ?? 0
      clients.limit = try r.integer("limit") ?? 0
      clients.trustedLimit = try r.integer("trusted_limit") ?? 0
      clients.unread = try r.integer("unread_bytes") ?? 0
      clients.unreadLimit = try r.integer("unread_limit_bytes") ?? 0
    }
    if let value = r.value("pressure") {
      let r = try ParamReader(result: value)
      pressure.means = try r.string("means") ?? "off"
      pressure.count = try r.integer("count") ?? 0
      pressure.limit = try r.integer("limit")
    }
    wakeups = try r.integer("wakeups") ?? 0
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    var owners = JSONObject()
    for entry in memory { owners[entry.owner] = .int(Int64(entry.bytes)) }
    var most = JSONObject()
    for limit in limits { most[limit.name] = .int(Int64(limit.most)) }
    return [
      "frames": [
        "presented": .int(Int64(frames.presented)), "late": .int(Int64(frames.late)),
        "p50_ms": .optional(frames.p50), "p99_ms": .optional(frames.p99),
        "p999_ms": .optional(frames.p999), "max_ms": .optional(frames.max),
      ],
      "decode": [
        "count": .int(Int64(decode.count)), "p50_ms": .optional(decode.p50),
        "p99_ms": .optional(decode.p99), "max_ms": .optional(decode.max),
      ],
      "input": [
        "count": .int(Int64(input.count)),
        "press_to_frame_p50_ms": .optional(input.pressToFrameP50),
        "p99_ms": .optional(input.pressToFrameP99),
        "max_ms": .optional(input.pressToFrameMax),
      ],
      "readers": [
        "threads": .int(Int64(readers.threads)), "waiting": .int(Int64(readers.waiting)),
        "limit": .int(Int64(readers.limit)),
      ],
      "memory": .object(owners),
      "limits": .object(most),
      "sources": [
        "count": .int(Int64(sources.count)), "added": .int(Int64(sources.added)),
        "added_limit": .int(Int64(sources.addedLimit)),
        "media": .int(Int64(sources.media)), "media_limit": .int(Int64(sources.mediaLimit)),
      ],
      "clients": [
        "count": .int(Int64(clients.count)), "limit": .int(Int64(clients.limit)),
        "trusted_limit": .int(Int64(clients.trustedLimit)),
        "unread_bytes": .int(Int64(clients.unread)),
        "unread_limit_bytes": .int(Int64(clients.unreadLimit)),
      ],
      "pressure": [
        "means": .string(pressure.means), "count": .int(Int64(pressure.count)),
        "limit": .optional(pressure.limit),
      ],
      "wakeups": .int(Int64(wakeups)),
    ]
  }
}

/// `stats`: tells how fast the daemon is, and how much memory it needs.
public enum Stats: ControlMethod {
  /// The type of its result.
  public typealias Result = StatsResult
  /// The method's name on the wire.
  public static let name = "stats"
}
