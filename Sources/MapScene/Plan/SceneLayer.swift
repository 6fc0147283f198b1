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
  /// Its tiles are drawn: where there is none, nothing is missing.
  public var isDrawn = false
  /// The number under which the cache still holds tiles of what this took the place of (the same map in
  /// other colours, the file before it changed): they stand in until this one's come.
  public var former: Int?

  public init(index: Int, tileSize: Int = 256, levels: ClosedRange<Int>?, failed: Bool = false) {
    self.index = index
    self.tileSize = tileSize
    self.levels = levels
    self.failed = failed
  }

  /// Whether both show the same in the end; what stands in until then makes no difference.
  public static func == (a: SceneSource, b: SceneSource) -> Bool {
    a.index == b.index && a.tileSize == b.tileSize && a.levels == b.levels && a.failed == b.failed
      && a.isDrawn == b.isDrawn
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
  /// At lower zooms of the view the layer is not there.
  public var minZoom: Double

  public init(chain: [SceneSource], opacity: Double = 1, isBase: Bool, minZoom: Double = 0) {
    self.chain = chain
    self.opacity = opacity
    self.isBase = isBase
    self.minZoom = minZoom
  }
}
