import MapGeometry

/// A set of map tiles that can be asked for one tile at a time.
///
/// An own source conforms to this protocol and nothing else. A source is used by one thread at a time
/// (the one that reads for it), may block there, and need not be thread-safe. Tiles come back as the
/// encoded bytes that the source holds (PNG, JPEG, WebP); decoding them is not its work.
public protocol TileSource: AnyObject {
  /// What is known of the source since it was opened.
  var info: SourceInfo { get }

  /// The encoded bytes of the tile `id`, or nil where the source has none.
  ///
  /// - Throws: `TileError` with the file and the reason where the tile is there but cannot be read.
  func tile(at id: TileID) throws(TileError) -> [UInt8]?

  /// Fills `buffer` with the encoded bytes of the tile `id`; false where the source has none. What is in
  /// `buffer` then, or after an error, means nothing.
  ///
  /// This is what the loader asks. The default asks `tile(at:)`; a source that can read straight into
  /// the buffer should.
  func read(_ id: TileID, into buffer: TileBuffer) throws(TileError) -> Bool

  /// Whether the source holds the tile `id`. The default reads it; a source that can tell without
  /// reading should.
  func contains(_ id: TileID) throws(TileError) -> Bool

  /// Up to `limit` tiles that the source holds, as they come cheapest: for a check that looks at some.
  /// The default names none.
  func sampleTiles(upTo limit: Int) -> [TileID]

  /// What is wrong with the source although it opened: a pack of several that did not, a file that is
  /// cut off. Empty by default.
  var problems: [SourceError] { get }
}

extension TileSource {
  public func read(_ id: TileID, into buffer: TileBuffer) throws(TileError) -> Bool {
    guard let bytes = try tile(at: id) else { return false }
    buffer.set(bytes)
    return true
  }

  public func contains(_ id: TileID) throws(TileError) -> Bool { try tile(at: id) != nil }

  public func sampleTiles(upTo limit: Int) -> [TileID] { [] }

  public var problems: [SourceError] { [] }

  /// The deepest tile above `id` that covers it and that the source holds; nil where there is none
  /// down from `info.minZoom`.
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
  public var maxZoom: Int
  /// nil where the source does not say.
  public var bounds: GeoBounds?
  /// Where the source would have a map begin: centre and zoom (in view zooms), nil where it does not say.
  public var center: GeoPoint?
  public var centerZoom: Double?
  /// Plain text, HTML stripped; empty where the source does not say.
  public var attribution: String
  /// The tiles' edge in pixels as the first tile's header shows, nil while unknown.
  public var tilePixels: Int?
  /// The name that the source gives itself, plain text; empty where it gives none.
  public var title: String

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

/// Why one tile cannot be had although it should be there. Names the file and the tile.
public struct TileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file (or pack) that holds the tile.
  public var file: String
  public var tile: TileID
  /// What is wrong and, where it helps, what would be right.
  public var reason: String

  public init(file: String, tile: TileID, reason: String) {
    self.file = file
    self.tile = tile
    self.reason = reason
  }

  public var description: String { "\(file): tile \(tile): \(reason)" }
}

/// Why a source cannot be opened. Names the file.
public struct SourceError: Error, Sendable, Equatable, CustomStringConvertible {
  public var file: String
  /// What is wrong and what would be right.
  public var reason: String

  public init(file: String, reason: String) {
    self.file = file
    self.reason = reason
  }

  public var description: String { "\(file): \(reason)" }
}
