import MapGeometry
import MapStyle
import Testing

@testable import VectorPainting

/// Painters that share a cache of parsed tiles.
@Suite struct SharedCacheTests {
  private func painter(_ cache: ParsedTileCache) throws -> VectorPainter {
    let json = """
      {"version":8,"sources":{},"layers":[
        {"id":"a","type":"background","paint":{"background-color":"#fff"}},
        {"id":"b","type":"fill","source":"s","source-layer":"water"}]}
      """
    return VectorPainter(style: try MapStyle(json: Array(json.utf8)), cache: cache)
  }

  private func paint(_ painter: VectorPainter, _ x: Int) throws {
    let id = try #require(TileID(z: 5, x: x, y: 3))
    var layer = TileWriter.Layer("water")
    layer.add(.polygon, [[0, 0, 9, 0, 9, 9]])
    _ = Painting(painter, layer.bytes, id: id)
  }

  /// What the tiles at these columns take that are kept. Arrays get more or less room of their own.
  private func bytes(of columns: Range<Int>, in cache: ParsedTileCache) -> [Int] {
    columns.compactMap { x in
      TileID(z: 5, x: x, y: 3).flatMap { cache.any($0)?.memoryBytes }
    }
  }

  @Test func theLimitsHoldForAllPaintersTogether() throws {
    let cache = ParsedTileCache(maximumTiles: 3)
    let (day, night) = (try painter(cache), try painter(cache))
    try paint(day, 1)
    let one = cache.bytes
    #expect(one > 0)
    try paint(night, 1)
    #expect(cache.bytes > one)
    for x in 2..<8 { try paint(night, x) }
    #expect(bytes(of: 1..<5, in: cache).isEmpty)
    let kept = bytes(of: 5..<8, in: cache)
    #expect(kept.count == 3)
    #expect(cache.bytes == kept.reduce(0, +))
  }

  @Test func theSameTileOfTwoPaintersIsKeptTwice() throws {
    let cache = ParsedTileCache()
    let (day, night) = (try painter(cache), try painter(cache))
    try paint(day, 1)
    let one = cache.bytes
    try paint(night, 1)
    let both = cache.bytes
    #expect(both > one)
    for _ in 0..<3 {
      try paint(day, 1)
      try paint(night, 1)
    }
    #expect(cache.bytes == both)
  }

  @Test func whatIsNotUsedBetweenTwoLooksIsFreed() throws {
    let cache = ParsedTileCache()
    let painter = try painter(cache)
    try paint(painter, 1)
    try paint(painter, 2)
    cache.age()
    try paint(painter, 2)
    cache.age()
    #expect(bytes(of: 1..<2, in: cache).isEmpty)
    #expect([cache.bytes] == bytes(of: 2..<3, in: cache))
    cache.age()
    #expect(cache.bytes == 0)
  }

  @Test func aPainterThatIsGoneLeavesNothing() throws {
    let cache = ParsedTileCache()
    try paint(try painter(cache), 1)
    #expect(cache.bytes == 0)
  }

  @Test func aTileWhoseQuartersAreAllPaintedIsNotKept() throws {
    let cache = ParsedTileCache()
    let painter = try painter(cache)
    try paint(painter, 1)
    let id = try #require(TileID(z: 5, x: 1, y: 3))
    let one = cache.bytes
    let tile = try #require(cache.any(id))
    for (column, row) in [(0, 0), (1, 0), (1, 0), (0, 1)] {
      let part = try #require(VectorTilePart(levels: 1, column: column, row: row))
      cache.finish(part, of: tile)
    }
    cache.finish(.whole, of: tile)
    #expect(cache.bytes == one)
    let last = try #require(VectorTilePart(levels: 1, column: 1, row: 1))
    cache.finish(last, of: tile)
    #expect(cache.bytes == 0)
  }
}
