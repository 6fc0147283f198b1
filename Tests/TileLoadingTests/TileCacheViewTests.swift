import MapGeometry
import Pixels
import Synchronization
import Testing

@testable import TileLoading

private final class Labels: TileCompanion {
  let bytes: Int
  private let gone: @Sendable () -> Void
  init(_ bytes: Int, gone: @escaping @Sendable () -> Void = {}) {
    self.bytes = bytes
    self.gone = gone
  }
  deinit { gone() }
}

@Suite struct TileCacheViewTests {
  private let size = 16 * 16 * 4

  private func key(_ n: Int) -> TileKey { TileKey(source: 0, tile: tile(20, n, 7)) }

  @discardableResult
  private func add(
    _ cache: TileCache, _ n: Int, _ standing: TileStanding, for view: ViewID = .main,
    companion: (any TileCompanion)? = nil
  ) -> Bool {
    guard let buffer = cache.reserve(size, standing: standing) else { return false }
    cache.insert(
      key(n), buffer: buffer, bytes: size, edge: 16, format: .xrgb8888, standing: standing,
      for: view, companion: companion)
    return true
  }

  @Test func whatOneViewWantsOutlastsTheNextPlanOfAnother() throws {
    let other = try #require(ViewID(1))
    let cache = TileCache(limit: 2 * size)
    add(cache, 0, .shown, for: other)
    add(cache, 1, .shown)
    cache.beginView()
    // The main view shows nothing now, the other its tile still.
    #expect(add(cache, 2, .shown))
    #expect(cache.peek(key(0)) != nil && cache.peek(key(1)) == nil)
    cache.beginView(other)
    #expect(add(cache, 3, .shown))
    #expect(cache.peek(key(0)) == nil && cache.peek(key(2)) != nil)
    // The higher of two standings counts.
    let slot = try #require(cache.peek(key(2)))
    cache.raise(slot, to: .needed, for: other)
    cache.raise(slot, to: .ahead, for: other)
    cache.beginView()
    #expect(add(cache, 4, .needed) && !add(cache, 5, .needed))
    #expect(cache.peek(key(2)) != nil)
  }

  @Test(arguments: [-1, 4, .max, .min]) func thereAreFourViews(index: Int) {
    #expect(ViewID(index) == nil)
    #expect((0..<4).compactMap(ViewID.init).map(\.index) == [0, 1, 2, 3])
  }

  @Test func nothingIsEvictedForWhatCannotFit() throws {
    let cache = TileCache(limit: 8 * size)
    for n in 0..<4 { add(cache, n, .ahead) }
    // Larger than the limit.
    #expect(cache.reserve(8 * size + 1, standing: .needed) == nil)
    // More than what is left beside a buffer that is being decoded into.
    let buffer = try #require(cache.reserve(3 * size, standing: .needed))
    #expect(cache.reserve(6 * size, standing: .needed) == nil)
    // More than what stands lower.
    for n in 0..<3 {
      let slot = try #require(cache.peek(key(n)))
      cache.raise(slot, to: .shown)
    }
    #expect(cache.reserve(3 * size, standing: .shown) == nil)
    #expect(cache.stats.tiles == 4 && cache.stats.evictions == 0)
    // What fits takes no more than it needs.
    let next = try #require(cache.reserve(2 * size, standing: .shown))
    #expect(cache.stats.evictions == 1 && cache.peek(key(3)) == nil)
    cache.cancel(buffer, bytes: 3 * size)
    cache.cancel(next, bytes: 2 * size)
  }

  @Test func aCompanionTravelsWithItsTileAndCountsAsMemory() throws {
    let cache = TileCache(limit: 100 * size)
    let dropped = Mutex(0)
    add(cache, 0, .shown, companion: Labels(5000) { dropped.withLock { $0 += 1 } })
    add(cache, 1, .shown)
    #expect(cache.stats.bytes == 2 * size + 5000)
    let slot = try #require(cache.peek(key(0)))
    #expect((cache.companion(slot) as? Labels)?.bytes == 5000)
    let other = try #require(cache.peek(key(1)))
    #expect(cache.companion(other) == nil)
    // Another tile of that key has none.
    add(cache, 0, .shown)
    let next = try #require(cache.peek(key(0)))
    #expect(dropped.withLock { $0 } == 1)
    #expect(cache.companion(next) == nil)
    add(cache, 2, .shown, companion: Labels(5000) { dropped.withLock { $0 += 1 } })
    cache.clear()
    #expect(dropped.withLock { $0 } == 2)
    #expect(cache.stats.bytes == 0)
    // One that is too large is not kept.
    add(cache, 3, .shown, companion: Labels(TileCache.companionLimit + 1))
    add(cache, 4, .shown, companion: Labels(-1))
    #expect(cache.stats.bytes == 2 * size)
  }

  @Test func companionsKeepToTheLimitToo() {
    let cache = TileCache(limit: 10 * size)
    for n in 0..<50 {
      add(cache, n, .ahead, companion: Labels(3 * size))
      cache.beginView()
      #expect(cache.stats.bytes <= cache.limit)
    }
    #expect(cache.stats.tiles == 2)
  }

  @Test func aTileTakenOutByItsKeyLeavesTheOthers() {
    let cache = TileCache(limit: 10 * size)
    for n in 0..<3 { add(cache, n, .shown) }
    cache.remove(key(1))
    cache.remove(key(7))
    #expect(cache.peek(key(0)) != nil && cache.peek(key(1)) == nil && cache.stats.tiles == 2)
  }
}
