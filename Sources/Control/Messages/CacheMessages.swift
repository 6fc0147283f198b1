/// The cache of decoded tiles: the result of every `cache.` method. Counts are since the start.
public struct CacheStats: ControlMessage, Equatable {
  /// Bytes of decoded pixels, now and at most, and the least that the limit can be.
  public var bytes, limit, floor: Int
  /// Decoded tiles in the cache; look-ups that found one and that did not; tiles evicted; tiles
  /// decoded, and those whose bytes could not be.
  public var tiles, hits, misses, evictions, decodes, decodeErrors: Int

  /// Creates the value. Units and ranges are those of its properties.
  public init(
    bytes: Int, limit: Int, floor: Int, tiles: Int, hits: Int, misses: Int, evictions: Int,
    decodes: Int, decodeErrors: Int
  ) {
    self.bytes = bytes
    self.limit = limit
    self.floor = floor
    self.tiles = tiles
    self.hits = hits
    self.misses = misses
    self.evictions = evictions
    self.decodes = decodes
    self.decodeErrors = decodeErrors
  }

  /// Reads what the daemon sent. Unknown members are left out.
  ///
  /// - Throws: `ControlError`, naming the member that is missing or of another type.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(result: json)
    bytes = try r.need("bytes", r.integer("bytes"))
    limit = try r.need("limit", r.integer("limit"))
    floor = try r.need("floor", r.integer("floor"))
    tiles = try r.need("tiles", r.integer("tiles"))
    hits = try r.need("hits", r.integer("hits"))
    misses = try r.need("misses", r.integer("misses"))
    evictions = try r.need("evictions", r.integer("evictions"))
    decodes = try r.need("decodes", r.integer("decodes"))
    decodeErrors = try r.need("decode_errors", r.integer("decode_errors"))
  }

  /// The value as it goes over the wire.
  public var json: JSON {
    [
      "bytes": .int(Int64(bytes)), "limit": .int(Int64(limit)), "floor": .int(Int64(floor)),
      "tiles": .int(Int64(tiles)), "hits": .int(Int64(hits)), "misses": .int(Int64(misses)),
      "evictions": .int(Int64(evictions)), "decodes": .int(Int64(decodes)),
      "decode_errors": .int(Int64(decodeErrors)),
    ]
  }
}

/// `cache.resize`: the new limit. Below the floor it is raised to that.
public struct CacheResizeParams: ControlMessage, Equatable {
  /// 0 to 1 TiB.
  public var bytes: Int

  /// Creates the value. Units and ranges are those of its properties.
  public init(bytes: Int) { self.bytes = bytes }

  /// Reads and checks the parameters of a call.
  ///
  /// - Throws: `ControlError.invalidParams`, naming the parameter that is missing, unknown,
  ///   mistyped or out of range.
  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["bytes"])
    bytes = try r.need("bytes", r.integer("bytes", in: 0...(1 << 40)))
  }

  /// The value as it goes over the wire.
  public var json: JSON { ["bytes": .int(Int64(bytes))] }
}

/// `cache.stats`: what the tile cache holds, and how it fares.
public enum CacheStatsMethod: ControlMethod {
  /// What it answers.
  public typealias Result = CacheStats
  /// Its name on the wire.
  public static let name = "cache.stats"
}

/// `cache.resize`: sets the limit of the tile cache, and evicts tiles where it is lower now.
public enum CacheResize: ControlMethod {
  /// What it is called with.
  public typealias Params = CacheResizeParams
  /// What it answers.
  public typealias Result = CacheStats
  /// Its name on the wire.
  public static let name = "cache.resize"
}

/// `cache.clear`: drops every decoded tile. What the view shows is decoded again.
public enum CacheClear: ControlMethod {
  /// What it answers.
  public typealias Result = CacheStats
  /// Its name on the wire.
  public static let name = "cache.clear"
}
