import MapGeometry
import MapLabels
import Testing
import TileLoading
import TileSources

@testable import Kiosk
@testable import MapScene

/// The labels of a view whose tiles do not fit into the cache together are kept while it stays.
@Suite struct HeldLabelsTests {
  @Test func tilesThatWereSeenKeepTheirLabels() {
    let cache = TileCache(limit: 1 << 20)
    func view(_ zoom: Double) -> Viewport {
      Viewport(center: GeoPoint(lat: 0, lon: 0), zoom: zoom, width: 512, height: 512)
    }
    func tile(_ x: Int, z: Int = 4) -> BaseTile {
      BaseTile(tile: TileID(z: z, x: x, y: 0) ?? .world, world: 0, serial: 1, slot: -1)
    }
    var held = HeldLabels()
    held.add([tile(1), tile(2)], level: 4, view(4), cache)
    // Another part of the view, a stand-in, and a tile that was drawn again.
    held.add([tile(2), tile(3), tile(0, z: 3)], level: 4, view(4), cache)
    #expect(held.tiles.map(\.tile.x) == [1, 2, 3])
    let before = held.tiles
    held.add([tile(3)], level: 4, view(4), cache)
    #expect(held.tiles == before)
    #expect(held.labels(of: tile(1)) != nil && held.labels(of: tile(7)) == nil)
    held.add([tile(5)], level: 4, view(4.5), cache)
    #expect(held.tiles.map(\.tile.x) == [5])
    held.removeAll()
    #expect(held.tiles.isEmpty && held.bytes == 0)
  }
}
