import MapGeometry
import TileSources

/// What a scene knows of a source.
public struct SceneSource: Sendable, Equatable {
  /// The source's number in the cache's keys.
  public var index: Int
  /// The tile's edge in points: 256 or 512.
  public var tileSize: Int
  /// The tile levels that the source holds; nil until it is open.
  public var levels: ClosedRange<Int>?
  /// Whether the source could not be opened, and so has no tiles.
  public var failed: Bool
  /// Whether its tiles are drawn rather than read. Cells without one do not count as missing.
  public var isDrawn = false
  /// Whether its tiles usually arrive within moments, because they are drawn here or read from a
  /// file. Tiles of the base wait for those of such overlays; see `Scene.update`.
  public var isLocal = false
  /// The cache number of the source that this one replaces: the same map in other colours, or from
  /// the file before it changed. That source's tiles stand in until the new ones arrive.
  public var former: Int?
  /// The cache number of the source before `former`, if that never became complete. Its tiles stand
  /// in where `former` has none.
  public var older: Int?

  /// Creates a source.
  ///
  /// - Parameters:
  ///   - index: The source's number in the cache's keys.
  ///   - tileSize: The tile's edge in points: 256 or 512.
  ///   - levels: The tile levels that it holds; nil until it is open.
  ///   - failed: Whether it could not be opened.
  public init(index: Int, tileSize: Int = 256, levels: ClosedRange<Int>?, failed: Bool = false) {
    self.index = index
    self.tileSize = tileSize
    self.levels = levels
    self.failed = failed
  }

  /// Whether both show the same once all tiles have arrived. Ignores `former`, `older` and
  /// `isLocal`.
  public static func == (a: SceneSource, b: SceneSource) -> Bool {
    a.index == b.index && a.tileSize == b.tileSize && a.levels == b.levels && a.failed == b.failed
      && a.isDrawn == b.isDrawn
  }

  /// How many levels shallower this source's tiles are than the grid: a 512-point tile covers two
  /// cells on a side.
  @inlinable var lift: Int { tileSize == 512 ? 1 : 0 }
}

/// A layer of tiles: a source with its fallbacks, and how they are drawn.
public struct SceneLayer: Sendable, Equatable {
  /// The most sources in a chain; fallbacks beyond are left out.
  public static let longestChain = 8

  /// The source and, where it has nothing, its fallbacks in order.
  public var chain: [SceneSource]
  /// The opacity with which it is drawn, 0 ... 1.
  public var opacity: Double
  /// Whether it is the bottom layer, which covers everything and shows a quiet cell where it has no
  /// tile.
  public var isBase: Bool
  /// The lowest zoom of the view at which the layer is shown.
  public var minZoom: Double
  /// Whether it lies above the labels of the base, which are sprites.
  public var isAboveLabels = false

  /// Creates a layer.
  ///
  /// - Parameters:
  ///   - chain: The source and its fallbacks, in order.
  ///   - opacity: The opacity, 0 ... 1.
  ///   - isBase: Whether it is the bottom layer, which covers everything.
  ///   - minZoom: The lowest zoom of the view at which the layer is shown.
  public init(chain: [SceneSource], opacity: Double = 1, isBase: Bool, minZoom: Double = 0) {
    self.chain = chain
    self.opacity = opacity
    self.isBase = isBase
    self.minZoom = minZoom
  }
}
