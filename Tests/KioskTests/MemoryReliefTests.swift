import EventLoop
import Glibc
import MapGeometry
import Platform
import Synchronization
import Testing
import TileSources

@testable import Kiosk

/// What a test knows of tiles that lack memory.
private final class Shortage: Sendable {
  private let state = Mutex((isThere: true, refused: 0))

  var refused: Int { state.withLock { $0.refused } }
  func end() { state.withLock { $0.isThere = false } }

  func refuses() -> Bool {
    state.withLock { state in
      if state.isThere { state.refused += 1 }
      return state.isThere
    }
  }
}

/// A source that has no memory for every other tile.
private final class StarvedSource: TileSource {
  private let source: any TileSource
  private let shortage: Shortage

  init(_ source: any TileSource, _ shortage: Shortage) {
    (self.source, self.shortage) = (source, shortage)
  }

  var info: SourceInfo { source.info }

  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    if id.x & 1 == 0, shortage.refuses() {
      var error = TileError(file: "pack", tile: id, reason: "no memory", isTransient: true)
      error.lacksMemory = true
      throw error
    }
    return try source.read(id, into: &buffer)
  }

  func contains(_ id: TileID) throws(TileError) -> Bool { try source.contains(id) }
}

/// What the kiosk gives up when memory is short, and that it gets it back.
@Suite struct MemoryReliefTests {
  private func bench(limit: Int = 64 << 20) throws -> Bench {
    try Bench([MosaicTests.spec(MosaicTests.small)], width: 320, height: 200) {
      $0.cache.memory = limit
    }
  }

  @Test func theCacheShrinksToItsFloorAndTheHealthSaysSo() throws {
    let bench = try bench()
    try bench.settle()
    let cache = bench.kiosk.pipeline.cache
    let floor = cache.floor
    #expect(floor < 16 << 20)
    bench.kiosk.memoryIsShort()
    #expect(cache.limit == 32 << 20)
    let entry = try #require(bench.kiosk.health.entries.first { $0.what == "memory" })
    #expect(entry.detail.contains("limited to 32 MiB instead of 64 MiB"), "\(entry.detail)")
    for _ in 0..<8 { bench.kiosk.memoryIsShort() }
    #expect(cache.limit == floor)
    #expect(bench.kiosk.memoryPressure.count == 9)
    // The picture is whole all the same.
    try bench.settle()
    let now = try #require(bench.kiosk.health.entries.first { $0.what == "memory" })
    #expect(now.detail.contains("the least that this display needs"), "\(now.detail)")
  }

  @Test func itIsGivenBackStepByStep() throws {
    let bench = try bench()
    let cache = bench.kiosk.pipeline.cache
    for _ in 0..<2 { bench.kiosk.memoryIsShort() }
    let least = cache.limit
    #expect(least == max(16 << 20, cache.floor))
    bench.kiosk.memoryIsCalm()
    #expect(cache.limit == 2 * least)
    bench.kiosk.memoryIsCalm()
    #expect(cache.limit == 64 << 20)
    #expect(bench.kiosk.memoryPressure.limit == nil)
    #expect(bench.kiosk.health.entries.isEmpty)
    bench.kiosk.memoryIsCalm()
    #expect(cache.limit == 64 << 20)
  }

  @Test func aSmallerLimitThatIsAskedForMeanwhileHolds() throws {
    let bench = try bench()
    let cache = bench.kiosk.pipeline.cache
    bench.kiosk.memoryIsShort()
    bench.kiosk.resizeCache(to: 24 << 20)
    #expect(cache.limit == max(24 << 20, cache.floor))
    bench.kiosk.memoryIsCalm()
    #expect(cache.limit == max(24 << 20, cache.floor))
    #expect(bench.kiosk.memoryPressure.limit == nil)
  }

  @Test func whatTheServiceManagerNamesIsListenedTo() throws {
    let path = "/tmp/waypost-relief-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    try #require(mkfifo(path, 0o600) == 0)
    defer { unlink(path) }
    let bench = try bench()
    bench.kiosk.watchMemory(MemoryPressure.Request(watch: path))
    #expect(bench.kiosk.memoryPressure.means == .manager)
    let fd = open(path, O_WRONLY | O_NONBLOCK)
    try #require(fd >= 0)
    defer { close(fd) }
    #expect(write(fd, "1", 1) == 1)
    #expect(bench.run { bench.kiosk.memoryPressure.count == 1 })
    #expect(bench.kiosk.pipeline.cache.limit == 32 << 20)
  }

  @Test func tilesForWhichTheSystemHasNoMemoryAreNamedAndAskedForAgain() throws {
    let bench = try bench()
    var lines: [String] = []
    bench.kiosk.onLog = { lines.append("\($1)") }
    let cache = bench.kiosk.pipeline.cache
    bench.kiosk.relief.setRetry(after: 10_000_000)
    cache.setMapping { _ in nil }
    #expect(bench.run { cache.refusals > 0 })
    bench.loop.runOnce(timeout: 0)
    let entry = try #require(bench.kiosk.health.entries.first { $0.what == "memory" })
    #expect(entry.detail.contains("no memory for tiles"), "\(entry.detail)")
    // Asked for again, which is still one shortage.
    let before = cache.refusals
    #expect(bench.run { cache.refusals > before })
    #expect(bench.kiosk.memoryPressure.count == 1)
    #expect(lines.filter { $0.hasPrefix("memory: there is some") }.isEmpty)
    cache.setMapping(nil)
    // Nobody moves the map or asks for anything.
    try bench.settle()
    #expect(
      bench.run {
        !bench.kiosk.health.entries.contains { $0.detail.contains("no memory for tiles") }
      })
    #expect(lines.filter { $0.hasPrefix("memory: there is some") }.count == 1)
  }

  @Test func whileATileLacksMemoryTheHealthStaysAndItIsAskedForByTheSameClock() throws {
    let bench = try bench()
    var lines: [String] = []
    bench.kiosk.onLog = { lines.append("\($1)") }
    func isNamed() -> Bool {
      bench.kiosk.health.entries.contains { $0.detail.contains("no memory for tiles") }
    }
    bench.kiosk.relief.setRetry(after: 5_000_000)
    let (spec, shortage) = (MosaicTests.spec(MosaicTests.small), Shortage())
    bench.kiosk.pipeline.loader.setSource(bench.kiosk.sources[0].index, name: spec.name) {
      do throws(SourceError) {
        return .success(StarvedSource(try spec.open(), shortage))
      } catch {
        return .failure(error)
      }
    }
    // The kiosk may have heard of the former source already.
    bench.kiosk.pipeline.loader.open(bench.kiosk.sources[0].index)
    #expect(bench.run { shortage.refused > 0 && isNamed() })
    // Asked for several times more, by nobody's request.
    let first = shortage.refused
    #expect(bench.run { shortage.refused >= 4 * first })
    bench.loop.runOnce(timeout: 0)
    #expect(isNamed())
    #expect(lines.filter { $0.hasPrefix("memory: there is some") }.isEmpty)
    #expect(bench.kiosk.memoryPressure.count == 1)
    shortage.end()
    #expect(bench.run { !isNamed() })
    #expect(lines.filter { $0.hasPrefix("memory: there is some") }.count == 1)
    try bench.settle()
  }

  @Test func memoryIsThereAgainOnceNoThreadIsRefusedAny() throws {
    let loop = try EventLoop()
    var isDue = false
    let relief = MemoryRelief(loop: loop) { isDue = true }
    relief.setRetry(after: 1_000_000)
    let (first, same) = (
      relief.take(refusals: 1, isBusy: false), relief.take(refusals: 1, isBusy: false)
    )
    #expect(first && !same && relief.isRefused)
    let end = EventLoop.now() + 60_000_000_000
    while !isDue, EventLoop.now() < end { loop.runOnce(timeout: 10_000_000) }
    let (asks, asksTwice) = (relief.takeDue(), relief.takeDue())
    #expect(asks && !asksTwice)
    // Tiles were asked for again: whether there is memory for them is not known yet.
    let early = relief.take(refusals: 1, isBusy: true)
    #expect(!early && relief.isRefused)
    let late = relief.take(refusals: 1, isBusy: false)
    #expect(late && !relief.isRefused)
  }

  @Test func memAvailableIsLookedAtWhenTilesAreLoaded() throws {
    let bench = try bench()
    bench.kiosk.watchMemory(
      MemoryPressure.Request(watch: nil), system: "/nonexistent", available: { 1 << 20 })
    #expect(bench.kiosk.memoryPressure.means == .available)
    try bench.settle()
    #expect(bench.kiosk.memoryPressure.count >= 1)
    #expect(bench.kiosk.health.entries.contains { $0.what == "memory" })
  }

  @Test func whatIsLoadedGivesTheCacheMoreOnlyAfterARest() throws {
    let bench = try bench()
    let available = Gate(1 << 20)
    bench.kiosk.watchMemory(
      MemoryPressure.Request(watch: nil), system: "/nonexistent",
      available: { available.locked { $0 } })
    bench.kiosk.checkMemory()
    let (relief, now) = (bench.kiosk.relief, EventLoop.now())
    #expect(relief.limit != nil)
    available.locked { $0 = 1 << 30 }
    let early = relief.isCalmAfterLoading(at: now + 2_000_000_000)
    let late = relief.isCalmAfterLoading(at: now + MemoryRelief.rest)
    #expect(!early && late)
    // Nothing is to be given back.
    for _ in 0..<8 { bench.kiosk.memoryIsCalm() }
    let rested = relief.isCalmAfterLoading(at: now + 2 * MemoryRelief.rest)
    #expect(!rested && relief.limit == nil)
  }

  @Test func memAvailableIsLookedAtAgainWhileTheMapIsStill() throws {
    let bench = try bench()
    let available = Gate(1 << 20)
    bench.kiosk.watchMemory(
      MemoryPressure.Request(watch: nil), system: "/nonexistent",
      available: { available.locked { $0 } })
    bench.kiosk.checkMemory()
    #expect(bench.kiosk.memoryPressure.count == 1)
    let now = EventLoop.now()
    bench.kiosk.memoryRested(at: now + MemoryRelief.rest)
    #expect(bench.kiosk.memoryPressure.count == 2)
    available.locked { $0 = 1 << 30 }
    for round in UInt64(2)...4 { bench.kiosk.memoryRested(at: now + round * MemoryRelief.rest) }
    #expect(bench.kiosk.memoryPressure.limit == nil)
    #expect(bench.kiosk.health.entries.isEmpty)
  }
}
