import MapGeometry

/// A set of map tiles that can be asked for one tile at a time.
///
/// A source of your own conforms to this protocol and nothing else. A source is used by one thread
/// at a time (the one that reads for it), may block there, and need not be thread-safe. Tiles come
/// back as the encoded bytes that the source holds, with their format; decoding them is not its
/// work.
public protocol TileSource: AnyObject {
  /// What is known of the source since it was opened.
  var info: SourceInfo { get }

  /// Reads one tile: fills `buffer` with its encoded bytes and hands them out with
  /// `buffer.payload()`.
  ///
  /// - Parameters:
  ///   - id: the tile.
  ///   - buffer: memory to read into, most often that of an earlier tile. What is left in it where
  ///     no payload is handed out means nothing.
  /// - Returns: the payload; `.nothing` where the source has no such tile; `.later` where it will
  ///   know later.
  /// - Throws: `TileError` with the file and the reason where the tile is there but cannot be read.
  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead

  /// Whether the source holds the tile `id`. The default reads it; a source that can tell without
  /// reading should.
  ///
  /// - Throws: `TileError` where that cannot be told.
  func contains(_ id: TileID) throws(TileError) -> Bool

  /// Up to `limit` tiles that the source holds, as they come cheapest: for a check that looks at
  /// some. The default names none.
  func sampleTiles(upTo limit: Int) -> [TileID]

  /// Whether another file has taken the place of the one that was opened, as when a pack is
  /// replaced by a newer one. Every tile that the source gave is stale then, and it has to be
  /// reopened. False where the file is merely gone, and by default. Costs a look at the file system.
  var isReplaced: Bool { get }

  /// What is wrong with the source although it opened: a pack of several that did not, a file that
  /// is cut off. Empty by default.
  var problems: [SourceError] { get }
}

extension TileSource {
  /// Reads one tile into memory of its own.
  ///
  /// - Parameter id: the tile.
  /// - Returns: what `read(_:into:)` gives.
  /// - Throws: `TileError` where the tile is there but cannot be read.
  public func read(_ id: TileID) throws(TileError) -> TileRead {
    var buffer = TileBuffer()
    return try read(id, into: &buffer)
  }

  /// The encoded bytes of one tile, copied: for tools and tests.
  ///
  /// - Parameter id: the tile.
  /// - Returns: nil where the source has none, or has none yet.
  /// - Throws: `TileError` where the tile is there but cannot be read.
  public func tile(at id: TileID) throws(TileError) -> [UInt8]? {
    guard case .payload(let payload) = try read(id) else { return nil }
    return [UInt8](payload.bytes)
  }

  /// Whether the source holds the tile `id`.
  ///
  /// - Throws: `TileError` where that cannot be told.
  public func contains(_ id: TileID) throws(TileError) -> Bool {
    guard case .payload = try read(id) else { return false }
    return true
  }

  /// No tiles.
  public func sampleTiles(upTo limit: Int) -> [TileID] { [] }

  /// Nothing is wrong.
  public var problems: [SourceError] { [] }

  /// No file can be replaced.
  public var isReplaced: Bool { false }

  /// The deepest tile above `id` that covers it and that the source holds; nil where there is none
  /// down from `info.minZoom`.
  ///
  /// - Throws: `TileError` where that cannot be told.
  public func nearestAncestor(of id: TileID) throws(TileError) -> TileID? {
    // Between a source's deepest level and `id` there is nothing to ask for.
    var level = min(id.z - 1, info.maxZoom)
    while level >= max(info.minZoom, 0), let ancestor = id.ancestor(atLevel: level) {
      if try contains(ancestor) { return ancestor }
      level -= 1
    }
    return nil
  }
}

/// What a source says of itself once it is open.
public struct SourceInfo: Sendable, Equatable {
  /// "mbtiles", "pmtiles", "directory", "template", "packs" or a word of an own source.
  public var kind: String
  /// What the tiles are, as their bytes show ("png", "jpeg", "webp", "mvt"), nil while unknown.
  public var format: String?
  /// Tile levels, as the pack says or holds.
  public var minZoom: Int
  /// The deepest level.
  public var maxZoom: Int
  /// nil where the source does not say.
  public var bounds: GeoBounds?
  /// Where the source would have a map begin: centre and zoom (in view zooms), nil where it does
  /// not say.
  public var center: GeoPoint?
  /// The zoom of a view at `center`, in view zooms; nil where the source does not say.
  public var centerZoom: Double?
  /// Plain text, HTML stripped; empty where the source does not say.
  public var attribution: String
  /// The tiles' edge in pixels as the first tile's header shows, nil while unknown.
  public var tilePixels: Int?
  /// The name that the source gives itself, plain text; empty where it gives none.
  public var title: String

  /// What a source says; all but its kind may be left out.
  public init(
    kind: String, format: String? = nil, minZoom: Int = 0, maxZoom: Int = 22,
    bounds: GeoBounds? = nil, center: GeoPoint? = nil, centerZoom: Double? = nil,
    attribution: String = "", tilePixels: Int? = nil, title: String = ""
  ) {
    self.kind = kind
    self.format = format
    self.minZoom = minZoom
    self.maxZoom = maxZoom
    self.bounds = bounds
    self.center = center
    self.centerZoom = centerZoom
    self.attribution = attribution
    self.tilePixels = tilePixels
    self.title = title
  }
}

/// Why a tile that should be there cannot be read. Names the file and the tile.
public struct TileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file (or pack) that holds the tile.
  public var file: String
  /// The tile that was asked for.
  public var tile: TileID
  /// What is wrong and, where it helps, what would be right.
  public var reason: String
  /// Whether the tile may be readable later without anybody changing the configuration: its medium
  /// has gone, a writer has the pack locked, descriptors have run out. False for a tile that is
  /// broken as it is.
  public var isTransient: Bool

  /// An error of one tile.
  public init(file: String, tile: TileID, reason: String, isTransient: Bool = false) {
    self.file = file
    self.tile = tile
    self.reason = reason
    self.isTransient = isTransient
  }

  /// File, tile and reason.
  public var description: String { "\(file): tile \(tile): \(reason)" }
}

/// Why a source cannot be opened. Names the file.
public struct SourceError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file or folder, or the template.
  public var file: String
  /// What is wrong and what would be right.
  public var reason: String
  /// Whether the source may open later without anybody changing the configuration: its file or
  /// medium is not there, or is busy. False for a file that is wrong as it is.
  public var isTransient: Bool

  /// An error of a whole source.
  public init(file: String, reason: String, isTransient: Bool = false) {
    self.file = file
    self.reason = reason
    self.isTransient = isTransient
  }

  /// File and reason.
  public var description: String { "\(file): \(reason)" }
}
