import MapGeometry
import TileSources

/// A source as the scene sees it.
public struct SceneSource: Sendable, Equatable {
  /// Its number in the cache's keys.
  public var index: Int
  /// The tile's edge in points: 256 or 512.
  public var tileSize: Int
  /// Tile levels that the source holds; nil until it is open.
  public var levels: ClosedRange<Int>?
  /// The source cannot be opened: it has nothing.
  public var failed: Bool

  public init(index: Int, tileSize: Int = 256, levels: ClosedRange<Int>?, failed: Bool = false) {
    self.index = index
    self.tileSize = tileSize
    self.levels = levels
    self.failed = failed
  }

  /// How far the levels of this source lie above the grid's: a 512-point tile covers two cells a side.
  @inlinable var lift: Int { tileSize == 512 ? 1 : 0 }
}

/// One layer of tiles.
public struct SceneLayer: Sendable, Equatable {
  /// The source and, where it has nothing, its fallbacks in order.
  public var chain: [SceneSource]
  /// 0...1.
  public var opacity: Double
  /// The bottom layer: it covers everything, with a quiet cell where there is no tile.
  public var isBase: Bool

  public init(chain: [SceneSource], opacity: Double = 1, isBase: Bool) {
    self.chain = chain
    self.opacity = opacity
    self.isBase = isBase
  }
}
