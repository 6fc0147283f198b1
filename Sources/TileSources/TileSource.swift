import MapGeometry
import Platform

/// A set of map tiles that are read one at a time.
///
/// To write your own source, conform to this protocol and nothing else. Only one thread at a time
/// uses a source: it may block there, and need not be thread-safe. A source returns the encoded
/// bytes of a tile with their format, and does not decode them.
public protocol TileSource: AnyObject {
  /// What is known of the source since it was opened.
  var info: SourceInfo { get }

  /// Reads a tile: fills `buffer` with its encoded bytes and returns `buffer.payload()`.
  ///
  /// - Parameters:
  ///   - id: The tile.
  ///   - buffer: The memory to read into, usually that of an earlier tile. Its contents do not
  ///     matter unless a payload is returned.
  /// - Returns: The payload; `.nothing` if the source has no such tile; `.later` if it does not
  ///   know yet.
  /// - Throws: `TileError` with the file and the reason if the tile exists but cannot be read.
  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead

  /// Whether the source has the tile `id`. The default reads it, so implement it if there is a
  /// cheaper way.
  ///
  /// - Throws: `TileError` if this cannot be determined.
  func contains(_ id: TileID) throws(TileError) -> Bool

  /// Up to `limit` tiles of the source, whichever are cheapest to find, for checks that look at a
  /// few. The default returns none.
  func sampleTiles(upTo limit: Int) -> [TileID]

  /// Whether another file has replaced the one that was opened, such as a newer pack. Every tile
  /// read so far is then stale, and the source must be opened again. False if the file is merely
  /// gone, and by default. Costs a look at the file system.
  var isReplaced: Bool { get }

  /// How many seconds a missing tile can be relied on to stay missing; nil, the default: until the
  /// source changes. A tile that is still wanted is then requested again.
  var missingLifetime: Int? { get }

  /// What is wrong with the source although it opened: one of several packs that did not, a file
  /// that is cut off. Empty by default.
  var problems: [SourceError] { get }
}

extension TileSource {
  /// Reads a tile into new memory.
  ///
  /// - Parameter id: The tile.
  /// - Returns: What `read(_:into:)` returns.
  /// - Throws: `TileError` if the tile exists but cannot be read.
  public func read(_ id: TileID) throws(TileError) -> TileRead {
    var buffer = TileBuffer()
    return try read(id, into: &buffer)
  }

  /// A copy of a tile's encoded bytes, for tools and tests.
  ///
  /// - Parameter id: The tile.
  /// - Returns: The bytes; nil if the source has none, or none yet.
  /// - Throws: `TileError` if the tile exists but cannot be read.
  public func tile(at id: TileID) throws(TileError) -> [UInt8]? {
    guard case .payload(let payload) = try read(id) else { return nil }
    return [UInt8](payload.bytes)
  }

  /// Whether the source has the tile `id`, found by reading it.
  ///
  /// - Throws: `TileError` if this cannot be determined.
  public func contains(_ id: TileID) throws(TileError) -> Bool {
    guard case .payload = try read(id) else { return false }
    return true
  }

  /// Returns an empty list, the default.
  public func sampleTiles(upTo limit: Int) -> [TileID] { [] }

  /// Returns an empty list, the default.
  public var problems: [SourceError] { [] }

  /// Returns nil, the default.
  public var missingLifetime: Int? { nil }

  /// Returns false, the default.
  public var isReplaced: Bool { false }

  /// The deepest ancestor of `id` that the source has, not above `info.minZoom`; nil: there is
  /// none.
  ///
  /// - Throws: `TileError` if this cannot be determined.
  public func nearestAncestor(of id: TileID) throws(TileError) -> TileID? {
    // Levels deeper than the source's deepest have no tiles.
    var level = min(id.z - 1, info.maxZoom)
    while level >= max(info.minZoom, 0), let ancestor = id.ancestor(atLevel: level) {
      if try contains(ancestor) { return ancestor }
      level -= 1
    }
    return nil
  }
}

/// A source that may tell, while it is open, of trouble that costs none of its tiles: its provider
/// cannot keep them, say.
package protocol TroubledSource: TileSource {
  /// Calls `action` with the trouble, at once if there is some, and with nil once it is over; on
  /// any thread, about once a second at most.
  func whenTroubled(_ action: @escaping @Sendable (SourceError?) -> Void)
}

/// What an open source says of itself.
public struct SourceInfo: Sendable, Equatable {
  /// "mbtiles", "pmtiles", "directory", "template", "packs", "provider", or a name that your own
  /// source chooses.
  public var kind: String
  /// The tiles' format as their bytes show: "png", "jpeg", "webp" or "mvt"; nil: unknown.
  public var format: String?
  /// The shallowest tile level, as the pack states or contains.
  public var minZoom: Int
  /// The deepest tile level, as the pack states or contains.
  public var maxZoom: Int
  /// The area that the tiles cover; nil if the source does not say.
  public var bounds: GeoBounds?
  /// The centre of the view to show first; nil if the source does not say.
  public var center: GeoPoint?
  /// The zoom of the view to show first, as a view's zoom; nil if the source does not say.
  public var centerZoom: Double?
  /// The attribution as plain text; empty if the source does not say.
  public var attribution: String
  /// The tiles' edge in pixels, from the first tile's header; nil: unknown.
  public var tilePixels: Int?
  /// The source's own name as plain text; empty if it has none.
  public var title: String
  /// The names of a vector map's layers, as the pack states them; empty if it does not, and for
  /// pictures.
  public var vectorLayers: [String] = []
  /// How a vector map is drawn; nil for pictures.
  public var drawing: VectorDrawing?

  /// Creates the info of a source. Only its kind is required.
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

/// How a vector map is drawn.
public struct VectorDrawing: Sendable, Equatable {
  /// The schema of its layers; nil: none that is known, or not known yet.
  public var schema: VectorSchema?
  /// The style: "trailhead" or a file's path.
  public var style: String
  /// The language of its names (BCP 47); nil: as written at the place.
  public var language: String?
  /// The files that its style names: those of sprite sheets and of packs of pictures, absolute
  /// paths. Some may not be there.
  public var files: [String] = []
  /// The layers that some of its tiles have, where it does not state any.
  public var layers: [String] = []
  /// What its first tile shows, where nothing was known of its layers; nil: they were known.
  public var learned: LearnedLayers?
  /// The names of sources of pictures that its style's layers draw, whether there are such or not.
  public var pictures: [String] = []
  /// The sources of pictures that could not be opened, or not fully, for a reason that may pass.
  public var missing: [SourceSpec] = []

  /// Creates the facts of a map that is drawn.
  public init(schema: VectorSchema?, style: String, language: String?) {
    self.schema = schema
    self.style = style
    self.language = language
  }
}

/// The schema and the layers of a map that states none, once its first tile was drawn. Any thread
/// may use it.
public final class LearnedLayers: Sendable, Equatable {
  private let state = Lock<(schema: VectorSchema, layers: [String])?>(nil)

  /// Nothing is known yet.
  public init() {}

  /// The schema; nil: not known yet.
  public var schema: VectorSchema? { state.withLock { $0?.schema } }

  /// The layers of the first tile; none: not known yet.
  public var layers: [String] { state.withLock { $0?.layers ?? [] } }

  /// Notes what the first tile has.
  public func learn(_ schema: VectorSchema, _ layers: [String]) {
    state.withLock { $0 = (schema, layers) }
  }

  /// Whether both are of the same map.
  public static func == (a: LearnedLayers, b: LearnedLayers) -> Bool { a === b }
}

extension SourceInfo {
  /// The levels of the tiles that views ask for. A vector map's tiles have 512 points and are drawn
  /// as four of 256 one level deeper, and beyond its deepest level from parts of that level's. More
  /// than `mostDrawnBeyond` levels beyond it, the tiles of that level are enlarged.
  public var tileLevels: ClosedRange<Int> { tileLevels(from: minZoom, to: maxZoom) }

  /// The same where the map's own levels are `low` to `high`.
  public func tileLevels(from low: Int, to high: Int) -> ClosedRange<Int> {
    guard drawing != nil else { return low...max(low, high) }
    // A tile of level 0 is drawn as a whole as well.
    let first = low <= 0 ? 0 : min(low + 1, TileID.maxLevel)
    return first...max(first, min(high + SourceInfo.mostDrawnBeyond, TileID.maxLevel))
  }

  /// How many levels beyond a vector map's deepest one parts of its tiles are drawn.
  public static let mostDrawnBeyond = 16
}

/// Why a tile that should exist cannot be read. Names the file and the tile.
public struct TileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file (or pack) that contains the tile.
  public var file: String
  /// The tile that was requested.
  public var tile: TileID
  /// What is wrong and, where it helps, what would be right.
  public var reason: String
  /// Whether the tile may become readable without a change of the configuration: its medium is
  /// gone, a writer has locked the pack, descriptors have run out. False if the tile itself is
  /// broken.
  public var isTransient: Bool
  /// Whether the system had no memory for the tile. Such an error is transient.
  public var lacksMemory = false

  /// Creates an error of one tile.
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
  /// Whether the source may open later without a change of the configuration: its file or medium is
  /// missing or busy. False if the file itself is wrong.
  public var isTransient: Bool

  /// Creates an error of a whole source.
  public init(file: String, reason: String, isTransient: Bool = false) {
    self.file = file
    self.reason = reason
    self.isTransient = isTransient
  }

  /// File and reason.
  public var description: String { "\(file): \(reason)" }
}
