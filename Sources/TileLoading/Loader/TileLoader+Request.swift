import MapGeometry
import TileSources

extension TileLoader {
  /// Whether the main view waits for a tile that its plan needs to be complete.
  public var isNeeded: Bool { isNeeded(for: .main) }

  /// A tile that a view wants.
  public struct Request: Sendable, Equatable {
    /// The tile's key in the cache.
    public var key: TileKey
    /// The tile's address.
    public var tile: TileID
    /// 0, or how many levels below the tile its descendants lie that are reduced to make it.
    public var levels: Int
    /// The tile's edge in pixels.
    public var edge: Int
    /// The tile's standing. It may evict only tiles of a lower one.
    public var standing: TileStanding

    /// The most levels below a tile from which it is made; at 3, 4^3 tiles make one.
    public static let maxLevels = 3

    /// Whether the loader can make this tile: an edge of 1 to 4096 pixels, 0 to `maxLevels` levels,
    /// and at least one pixel for each descendant.
    var isPossible: Bool {
      (1...4096).contains(edge) && (0...Request.maxLevels).contains(levels) && edge >> levels > 0
    }

    /// Creates a request for one tile.
    ///
    /// - Parameters:
    ///   - key: The tile's key in the cache.
    ///   - tile: The tile's address.
    ///   - levels: 0 ... `maxLevels`; see `levels`.
    ///   - edge: The tile's edge in pixels, 1 ... 4096.
    ///   - standing: The tile's standing.
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
    /// A tile was painted into the cache; painting took that long.
    case decoded(TileKey, nanoseconds: Int)
    /// A tile is known to be unavailable.
    case missing(TileKey)
    /// A tile will come later, or a promised tile can be requested now.
    case awaited(TileKey)
    /// A tile exists but is broken.
    case tileError(TileKey, TileError)
    /// A tile that had failed was requested again, and failed again.
    case failedAgain(TileKey, TileError)
    /// A tile that had failed is available after all. If it is on the screen, draw that part again.
    case returned(TileKey)
    /// The source's file was replaced by another one. The source gives no more tiles until it is
    /// set again.
    case replaced(source: Int)
    /// The source is in trouble although its tiles come; nil: no longer.
    case trouble(source: Int, SourceError?)
    /// Failures of a source were forgotten that no view shows, but others are left.
    case forgotten(source: Int)
    /// No tile of the source is known to fail any more.
    case recovered(source: Int)
  }

  /// The figures of a loader. Counts are since it was created, but for `inFlight`.
  public struct Stats: Sendable, Equatable {
    /// The number of tiles decoded or drawn.
    public var decodes = 0
    /// The number of errors of tiles that could not be read, decoded or drawn.
    public var decodeErrors = 0
    /// The number of tiles being read, decoded or drawn.
    public var inFlight = 0
  }
}
