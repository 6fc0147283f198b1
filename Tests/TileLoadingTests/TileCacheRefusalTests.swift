import MapGeometry
import Testing
import TileLoading

/// The kernel has no memory for a tile although the cache's limit leaves room.
@Suite struct TileCacheRefusalTests {
  private let size = 256 * 256 * 4

  @Test func itIsCountedAndMemoryThatIsThereAgainIsUsed() throws {
    let cache = TileCache(limit: 64 << 20)
    #expect(cache.refusals == 0)
    cache.setMapping { _ in nil }
    for _ in 0..<3 { #expect(cache.reserve(size, standing: .needed) == nil) }
    #expect(cache.refusals == 3)
    #expect(cache.stats.bytes == 0)
    cache.setMapping(nil)
    let memory = try #require(cache.reserve(size, standing: .needed))
    #expect(cache.refusals == 3)
    cache.cancel(memory, bytes: size)
  }

  @Test func aFullCacheIsNone() throws {
    let cache = TileCache(limit: size)
    let memory = try #require(cache.reserve(size, standing: .needed))
    #expect(cache.reserve(size, standing: .needed) == nil)
    #expect(cache.reserve(2 * size, standing: .needed) == nil)
    #expect(cache.reserve(-1, standing: .needed) == nil)
    #expect(cache.refusals == 0)
    cache.cancel(memory, bytes: size)
  }
}
