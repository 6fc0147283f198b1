import MapGeometry
import TileSources

extension TileLoader {
  /// One tile that a view wants.
  public struct Request: Sendable, Equatable {
    /// Where the tile goes in the cache.
    public var key: TileKey
    /// The tile's address.
    public var tile: TileID
    /// 0; or how many levels below the tile its descendants lie that are reduced to make it.
    public var levels: Int
    /// The tile's edge in pixels.
    public var edge: Int
    /// What it may displace in the cache.
    public var standing: TileStanding

    /// How many levels below a tile its descendants may lie: 4^3 of them make one.
    public static let maxLevels = 3

    /// Whether there is such a tile to be made: an edge of 1 to 4096 pixels, 0 to `maxLevels`
    /// levels, and at least a pixel for each descendant.
    var isPossible: Bool {
      (1...4096).contains(edge) && (0...Request.maxLevels).contains(levels) && edge >> levels > 0
    }

    /// A request for one tile.
    ///
    /// - Parameters:
    ///   - key: where it goes in the cache.
    ///   - tile: its address.
    ///   - levels: 0 ... `maxLevels`.
    ///   - edge: 1 ... 4096 pixels.
    ///   - standing: what it may displace.
    public init(key: TileKey, tile: TileID, levels: Int, edge: Int, standing: TileStanding) {
      self.key = key
      self.tile = tile
      self.levels = levels
      self.edge = edge
      self.standing = standing
    }
  }

  /// What happened since the last `collect`.
  public enum Event: Sendable {
    /// A source was opened.
    case opened(source: Int, SourceInfo, problems: [SourceError])
    /// A source could not be opened.
    case openFailed(source: Int, SourceError)
    /// A tile arrived in the cache after decoding for that long.
    case decoded(TileKey, nanoseconds: Int)
    /// A tile is known to be unavailable.
    case missing(TileKey)
    /// A tile will come later, or can be asked for now.
    case awaited(TileKey)
    /// A tile is there but broken. Told once, however often it is asked for again.
    case tileError(source: Int, TileError)
    /// A tile that had failed is there after all: where it is on the screen, that is to be drawn
    /// again.
    case returned(TileKey)
    /// Another file took the place of the one that the source was opened on. It gives no tiles any
    /// more; it is to be set again.
    case replaced(source: Int)
    /// No tile of the source is known to fail any more.
    case recovered(source: Int)
  }

  /// The figures of the loader.
  public struct Stats: Sendable, Equatable {
    /// Tiles that were decoded or drawn.
    public var decodes = 0
    /// Tiles that could not be.
    public var decodeErrors = 0
    /// Tiles that are being read or decoded.
    public var inFlight = 0
  }
}
