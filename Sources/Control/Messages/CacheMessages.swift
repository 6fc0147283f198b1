/// The cache of decoded tiles: the result of every `cache.` method. Counts are since the start.
public struct CacheStats: ControlMessage, Equatable {
  /// Bytes of decoded pixels now, their limit, and the lowest limit that can be set.
  public var bytes, limit, floor: Int
  /// Counts: decoded tiles in the cache; look-ups that found a tile (`hits`) and that did not
  /// (`misses`); tiles evicted; tiles decoded; tiles whose bytes could not be decoded.
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

  /// Reads what the daemon sent. Unknown members are ignored.
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

/// `cache.resize`: the new limit. One below the floor is raised to the floor.
public struct CacheResizeParams: ControlMessage, Equatable {
  /// The new limit in bytes, 0 to 1 TiB.
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

/// `cache.stats`: how full the tile cache is, and how well it works.
public enum CacheStatsMethod: ControlMethod {
  /// The type of its result.
  public typealias Result = CacheStats
  /// The method's name on the wire.
  public static let name = "cache.stats"
}

/// `cache.resize`: sets the limit of the tile cache. Tiles beyond it are evicted.
public enum CacheResize: ControlMethod {
  /// The type of its parameters.
  public typealias Params = CacheResizeParams
  /// The type of its result.
  public typealias Result = CacheStats
  /// The method's name on the wire.
  public static let name = "cache.resize"
}

/// `cache.clear`: drops every decoded tile. What the view shows is decoded again.
public enum CacheClear: ControlMethod {
  /// The type of its result.
  public typealias Result = CacheStats
  /// The method's name on the wire.
  public static let name = "cache.clear"
}
