import MapGeometry
import MapLabels
import MapScene
import TileLoading

/// The labels of a view whose tiles do not fit into the cache together.
///
/// Such a view is drawn in parts, and tiles of parts that are done give way to others. Labels that
/// were placed for what happens to be in the cache would change with every part, have parts drawn
/// again for it, and so never come to rest. So the labels of all tiles are kept as long as the view
/// stays, and are placed again only for tiles that were not seen before.
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

  /// Adds what a part of the view shows, of the view's own level: stand-ins are left out, because
  /// others take their place.
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
