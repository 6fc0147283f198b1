/// The cache of decoded tiles: the result of every `cache.` method. Counts are since the start.
public struct CacheStats: ControlMessage, Equatable {
  /// Bytes of decoded pixels, now and at most, and the least that the limit can be.
  public var bytes, limit, floor: Int
  public var tiles, hits, misses, evictions, decodes, decodeErrors: Int

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

  public init(bytes: Int) { self.bytes = bytes }

  public init(_ json: JSON) throws(ControlError) {
    let r = try ParamReader(json, ["bytes"])
    bytes = try r.need("bytes", r.integer("bytes", in: 0...(1 << 40)))
  }

  public var json: JSON { ["bytes": .int(Int64(bytes))] }
}

public enum CacheStatsMethod: ControlMethod {
  public typealias Params = NoParams
  public typealias Result = CacheStats
  public static let name = "cache.stats"
}

public enum CacheResize: ControlMethod {
  public typealias Params = CacheResizeParams
  public typealias Result = CacheStats
  public static let name = "cache.resize"
}

public enum CacheClear: ControlMethod {
  public typealias Params = NoParams
  public typealias Result = CacheStats
  public static let name = "cache.clear"
}
