import MapGeometry
import MapLabels
import MapScene
import TileLoading

/// The labels of a view whose tiles do not fit into the cache together.
///
/// Such a view is drawn in parts, and the tiles of finished parts are evicted. If labels were
/// placed for whatever tiles are in the cache, they would change with every part, force a redraw
/// and never settle. So the labels of all tiles seen are kept while the view stays, and placed
/// again only when new tiles appear.
struct HeldLabels {
  /// The most bytes that are kept; further tiles have no labels.
  static let limit = 2 << 20

  private struct Place: Hashable {
    var tile: TileID
    var world: Int
  }

  private var view: Viewport?
  private var labels: [Place: TileLabels] = [:]
  /// The tiles, in the order in which they were seen. Others may have their slots in the cache.
  private(set) var tiles: [BaseTile] = []
  /// Bytes that are kept.
  private(set) var bytes = 0

  /// Forgets everything.
  mutating func removeAll() {
    if view != nil { self = HeldLabels() }
  }

  /// Adds the tiles of one part, if they are of the view's own level. Stand-ins are skipped,
  /// because the proper tiles will replace them.
  mutating func add(_ present: [BaseTile], level: Int, _ view: Viewport, _ cache: TileCache) {
    if view != self.view {
      self = HeldLabels()
      self.view = view
    }
    for tile in present where tile.tile.z == level {
      let place = Place(tile: tile.tile, world: tile.world)
      guard labels[place] == nil else { continue }
      let found = cache.companion(tile.slot) as? TileLabels ?? .empty
      guard bytes + found.bytes <= Self.limit else { continue }
      bytes += found.bytes
      labels[place] = found
      tiles.append(tile)
    }
  }

  /// The labels of a tile that was seen.
  func labels(of tile: BaseTile) -> TileLabels? {
    labels[Place(tile: tile.tile, world: tile.world)]
  }
}
