/// `stats`: performance and memory. Counts are since the start; a percentile is nil while there are
/// no samples.
public struct StatsResult: ControlMessage, Equatable {
  /// The frames that were drawn.
  public struct Frames: Equatable, Sendable {
    /// Frames handed to the display.
    public var presented = 0
    /// Frames that missed their refresh.
    public var late = 0
    /// Milliseconds from the beginning of a frame's work to its hand-over.
    public var p50, p99, p999: Double?
    /// All counts 0.
    public init() {}
  }

  /// The tiles that were decoded.
  public struct Decode: Equatable, Sendable {
    /// How many.
    public var count = 0
    /// Milliseconds a tile.
    public var p50, p99: Double?
    /// All counts 0.
    public init() {}
  }

  /// The presses that changed the picture.
  public struct Input: Equatable, Sendable {
    /// How many.
    public var count = 0
    /// Milliseconds from a press to the frame that shows its effect.
    public var pressToFrameP50, pressToFrameP99: Double?
    /// All counts 0.
    public init() {}
  }

  /// The threads that open and read sources.
  public struct Readers: Equatable, Sendable {
    /// How many there are.
    public var threads = 0
    /// Sources that wait for one.
    public var waiting = 0
    /// The most that there can be.
    public var limit = 0
    /// All counts 0.
    public init() {}
  }

  /// How many sources there are.
  public struct Sources: Equatable, Sendable {
    /// All of them, configured and added.
    public var count = 0
    /// Those that were added over the socket.
    public var added = 0
    /// The most sources that can be added over the socket.
    public var addedLimit = 0
    /// All counts 0.
    public init() {}
  }

  /// What one part of the daemon takes.
  public struct Memory: Equatable, Sendable {
    /// "cache", "overlays", "display", "clients", …
    public var owner: String
    /// Bytes at this moment.
    public var bytes: Int

    /// `bytes` that `owner` takes.
    public init(_ owner: String, _ bytes: Int) {
      self.owner = owner
      self.bytes = bytes
    }
  }

  /// Frames: how many, and how fast.
  public var frames = Frames()
  /// Decoding: how many tiles, and how fast.
  public var decode = Decode()
  /// Inputs: how many, and how soon they were seen.
  public var input = Input()
  /// The threads that open and read sources.
  public var readers = Readers()
  /// What takes memory, and how much.
  public var memory: [Memory] = []
  /// How many sources there are.
  public var sources = Sources()
  /// How often the loop woke.
  public var wakeups = 0

  /// All counts 0.
  public init() {}

  /// Reads what the daemon sent. Unknown members are left out.
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
    }
    if let value = r.value("decode") {
      let r = try ParamReader(result: value)
      decode.count = try r.integer("count") ?? 0
      decode.p50 = try r.number("p50_ms")
      decode.p99 = try r.number("p99_ms")
    }
    if let value = r.value("input") {
      let r = try ParamReader(result: value)
      input.count = try r.integer("count") ?? 0
      input.pressToFrameP50 = try r.number("press_to_frame_p50_ms")
      input.pressToFrameP99 = try r.number("p99_ms")
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
    if let value = r.value("sources") {
      let r = try ParamReader(result: value)
      sources.count = try r.integer("count") ?? 0
      sources.added = try r.integer("added") ?? 0
      sources.addedLimit = try r.integer("added_limit") ?? 0
    }
    wakeups = try r.integer("wakeups") ?? 0
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    var owners = JSONObject()
    for entry in memory { owners[entry.owner] = .int(Int64(entry.bytes)) }
    return [
      "frames": [
        "presented": .int(Int64(frames.presented)), "late": .int(Int64(frames.late)),
        "p50_ms": .optional(frames.p50), "p99_ms": .optional(frames.p99),
        "p999_ms": .optional(frames.p999),
      ],
      "decode": [
        "count": .int(Int64(decode.count)), "p50_ms": .optional(decode.p50),
        "p99_ms": .optional(decode.p99),
      ],
      "input": [
        "count": .int(Int64(input.count)),
        "press_to_frame_p50_ms": .optional(input.pressToFrameP50),
        "p99_ms": .optional(input.pressToFrameP99),
      ],
      "readers": [
        "threads": .int(Int64(readers.threads)), "waiting": .int(Int64(readers.waiting)),
        "limit": .int(Int64(readers.limit)),
      ],
      "memory": .object(owners),
      "sources": [
        "count": .int(Int64(sources.count)), "added": .int(Int64(sources.added)),
        "added_limit": .int(Int64(sources.addedLimit)),
      ],
      "wakeups": .int(Int64(wakeups)),
    ]
  }
}

/// `stats`: how fast it runs, and what it needs.
public enum Stats: ControlMethod {
  /// What it answers.
  public typealias Result = StatsResult
  /// Its name on the wire.
  public static let name = "stats"
}
