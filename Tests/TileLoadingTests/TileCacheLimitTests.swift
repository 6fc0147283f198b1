import MapGeometry
import Pixels
import TestSupport
import Testing

@testable import TileLoading

@Suite struct TileCacheLimitTests {
  private let size = 16 * 16 * 4

  private func key(_ n: Int, source: Int = 0) -> TileKey {
    TileKey(source: source, tile: TileID(z: 20, x: n, y: 7) ?? .world)
  }

  @discardableResult
  private func add(_ cache: TileCache, _ n: Int, _ standing: TileStanding, source: Int = 0) -> Bool
  {
    guard let buffer = cache.reserve(size, standing: standing) else { return false }
    cache.insert(
      key(n, source: source), buffer: buffer, bytes: size, edge: 16, format: .xrgb8888,
      standing: standing)
    return true
  }

  @Test func whateverHappensTheBytesStayWithinTheLimit() {
    var numbers = SeededNumbers(2)
    let cache = TileCache(limit: 64 << 10)
    var reserved: [(UnsafeMutableRawPointer, Int)] = []
    var reservedBytes = 0
    var wrong = 0
    for step in 0..<50_000 {
      switch numbers.integer(0...19) {
      case 0..<8:
        let bytes = [1024, 2048, 4096, 12345][numbers.integer(0...3)]
        let standing = TileStanding(rawValue: UInt8(numbers.integer(0...3))) ?? .needed
        if let buffer = cache.reserve(bytes, standing: standing) {
          // All of it is memory that can be written.
          buffer.storeBytes(of: 1, as: UInt8.self)
          (buffer + bytes - 1).storeBytes(of: 1, as: UInt8.self)
          reserved.append((buffer, bytes))
          reservedBytes += bytes
        }
      case 8..<14:
        if reserved.isEmpty { break }
        let (buffer, bytes) = reserved.remove(at: numbers.integer(0...reserved.count - 1))
        reservedBytes -= bytes
        cache.insert(
          key(numbers.integer(0...40), source: numbers.integer(0...2)), buffer: buffer,
          bytes: bytes, edge: 16, format: .argb8888, standing: .shown)
      case 14..<16:
        if let (buffer, bytes) = reserved.popLast() {
          reservedBytes -= bytes
          cache.cancel(buffer, bytes: bytes)
        }
      case 16: cache.beginView()
      case 17: cache.remove(source: numbers.integer(0...2))
      case 18 where step % 7 == 0: cache.resize(to: numbers.integer(0...96 << 10))
      case 19 where step % 11 == 0: cache.setFloor(numbers.integer(0...32 << 10))
      case 19 where step % 51 == 0: cache.clear()
      default:
        if let slot = cache.hit(key(numbers.integer(0...40))) { cache.raise(slot, to: .shown) }
      }
      let stats = cache.stats
      // Buffers that are being decoded into cannot be taken away when the limit shrinks.
      if stats.bytes > max(stats.limit, reservedBytes) { wrong += 1 }
      if stats.bytes < reservedBytes { wrong += 1 }
    }
    #expect(wrong == 0)
    #expect(cache.stats.evictions > 100)
    for (buffer, bytes) in reserved { cache.cancel(buffer, bytes: bytes) }
    cache.clear()
    #expect(cache.stats.bytes == 0 && cache.stats.tiles == 0)
  }

  @Test func aRequestTakesTheLeastRecentlyUsedOfTheLowestStanding() {
    let cache = TileCache(limit: 6 * size)
    for (n, standing) in [
      TileStanding.needed, .shown, .ahead, .ahead, .shown, .unwanted,
    ].enumerated() { #expect(add(cache, n, standing)) }
    _ = cache.hit(key(2))
    // 5 is unwanted; then of the tiles ahead 3, as 2 was used since; then 2.
    for (n, gone) in [(10, 5), (11, 3), (12, 2)] {
      #expect(add(cache, n, .shown))
      #expect(cache.peek(key(gone)) == nil)
      #expect(cache.stats.tiles == 6)
    }
    // What is shown does not give way to what is shown.
    #expect(!add(cache, 13, .shown))
    #expect(!add(cache, 13, .ahead))
    #expect(add(cache, 13, .needed))
    #expect(cache.peek(key(1)) == nil && cache.peek(key(0)) != nil)
    for n in 14...17 { #expect(add(cache, n, .needed)) }
    #expect(!add(cache, 18, .needed))
    // A new view wants none of them until it says so.
    cache.beginView()
    if let slot = cache.peek(key(0)) { cache.raise(slot, to: .ahead) }
    #expect(add(cache, 19, .ahead))
    #expect(cache.peek(key(0)) != nil)
  }

  @Test func theFloorIsKeptWhateverIsAsked() {
    let cache = TileCache(limit: 4 * size)
    cache.setFloor(10 * size)
    #expect(cache.limit == 10 * size && cache.requested == 4 * size)
    for n in 0..<10 { #expect(add(cache, n, .shown)) }
    cache.resize(to: 1)
    #expect(cache.stats.tiles == 10 && cache.stats.floor == 10 * size)
    cache.setFloor(3 * size)
    // The last three used remain.
    #expect(cache.stats.tiles == 3 && cache.stats.bytes == 3 * size)
    #expect(cache.peek(key(9)) != nil && cache.peek(key(6)) == nil)
    cache.resize(to: -5)
    cache.setFloor(.min)
    #expect(cache.limit == 0 && cache.stats.bytes == 0)
  }

  @Test(arguments: [0, -1, Int.min, Int.max, 1 << 62])
  func absurdSizesAreRefused(bytes: Int) {
    let cache = TileCache(limit: .max)
    #expect(add(cache, 1, .shown))
    #expect(cache.reserve(bytes, standing: .needed) == nil)
    #expect(cache.stats.bytes <= 2 * size)
  }

  @Test func aSourcesTilesAreDroppedAndOthersStay() {
    let cache = TileCache(limit: 100 * size)
    for n in 0..<20 { add(cache, n, .shown, source: n % 2) }
    cache.remove(source: 1)
    for n in 0..<20 { #expect((cache.peek(key(n, source: n % 2)) == nil) == (n % 2 == 1)) }
    cache.clear()
    #expect(cache.stats.tiles == 0 && cache.stats.bytes == 0)
  }

  @Test func hitsAndMissesAreCountedAndATilePutInAgainReplacesTheOld() {
    let cache = TileCache(limit: 100 * size)
    add(cache, 1, .shown)
    let before = cache.hit(key(1)).map { cache.entry($0).serial }
    add(cache, 1, .shown)
    let after = cache.hit(key(1)).map { cache.entry($0).serial }
    #expect(before != nil && after != nil && before != after)
    #expect(cache.hit(key(2)) == nil)
    #expect(cache.stats.hits == 2 && cache.stats.misses == 1 && cache.stats.tiles == 1)
    // The old one's buffer serves the next tile.
    let bytes = cache.stats.bytes
    add(cache, 3, .shown)
    #expect(cache.stats.bytes == bytes)
  }
}
