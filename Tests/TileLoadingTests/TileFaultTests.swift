import MapGeometry
import Testing
import TileSources

@testable import TileLoading

/// Parts of tiles that cannot be read or painted: the tile is shown, and the error names the file.
@Suite struct TileFaultTests {
  /// Tiles of which a part is broken: row 0 when it is read, row 1 when it is painted. In column 3
  /// there is nothing else.
  private final class Torn: DrawnSource {
    var info = SourceInfo(kind: "torn")
    let painter: any TilePainter = TornPainter()

    func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
      buffer.set([1])
      var payload = buffer.payload(format: .mvt)
      if id.y == 0 { payload.faults = [TileError(file: "read", tile: id, reason: "torn")] }
      return .payload(payload)
    }
  }

  private struct TornPainter: TilePainter {
    var needsPayload: Bool { true }

    func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
      -> PaintOutcome
    {
      if tile.y == 1 {
        target.faults.append(TileError(file: "painted", tile: .world, reason: "torn"))
      }
      return tile.x == 3 || target.clearedCanvas() == nil ? .nothing : .painted(.argb8888)
    }
  }

  @Test func theRestIsShown() {
    let (cache, missing) = (TileCache(limit: 1 << 20), MissingTiles())
    let loader = SynchronousLoader(cache: cache, missing: missing, opaque: .xrgb8888)
    loader.setSource(0, Torn(), name: "own")
    func load(_ id: TileID) -> Bool {
      loader.load(
        TileLoader.Request(
          key: TileKey(source: 0, tile: id), tile: id, levels: 0, edge: 16, standing: .needed))
    }
    #expect(load(tile(2, 0, 0)) && load(tile(2, 0, 1)) && load(tile(2, 0, 2)))
    for row in 0..<3 { #expect(cache.peek(TileKey(source: 0, tile: tile(2, 0, row))) != nil) }
    #expect(loader.errors.map(\.file) == ["read", "painted"])
    #expect(loader.errors.map(\.tile) == [tile(2, 0, 0), .world])
    #expect(load(tile(2, 3, 0)) && load(tile(2, 3, 1)) && load(tile(2, 3, 2)))
    #expect(loader.errors.map(\.file) == ["read", "painted", "read", "painted"])
    for row in 0..<3 {
      let found = missing.find(TileKey(source: 0, tile: tile(2, 3, row)))
      #expect(found?.failed == (row < 2))
    }
  }
}
