import MapGeometry
import Pixels
import Synchronization
import Testing
import TileSources

@testable import TileLoading

private let second: UInt64 = 1_000_000_000

/// A switch of a test.
private final class Shortage: Sendable {
  private let state = Mutex(true)

  var isThere: Bool { state.withLock { $0 } }
  func end() { state.withLock { $0 = false } }
}

/// Paints nothing while memory is lacking.
private struct Starved: TilePainter {
  let shortage: Shortage
  var needsPayload: Bool { true }

  func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    if shortage.isThere { return .lacksMemory("there is no memory for it") }
    guard target.clearedCanvas() != nil else { return .needsAlphaRoom }
    return .painted(.argb8888)
  }
}

private final class StarvedSource: DrawnSource {
  let info = SourceInfo(kind: "starved", minZoom: 0, maxZoom: 24)
  let painter: any TilePainter
  init(_ shortage: Shortage) { painter = Starved(shortage: shortage) }
  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    .payload(TilePayload([1]))
  }
}

/// Lacks memory at first, and then paints for longer than a tile that nobody wants is given.
private final class Sluggish: TilePainter {
  private let attempts = Mutex(0)
  var needsPayload: Bool { true }

  func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    let isFirst = attempts.withLock { attempts in
      attempts += 1
      return attempts == 1
    }
    if isFirst { return .lacksMemory("there is no memory for it") }
    let end = ContinuousClock.now + .nanoseconds(3 * Int64(DecodePool.grace))
    while ContinuousClock.now < end { if target.isCancelled { return .cancelled } }
    guard target.clearedCanvas() != nil else { return .needsAlphaRoom }
    return .painted(.argb8888)
  }
}

private final class SluggishSource: DrawnSource {
  let info = SourceInfo(kind: "sluggish", minZoom: 0, maxZoom: 24)
  let painter: any TilePainter = Sluggish()
  func read(_ id: TileID, into buffer: inout TileBuffer) throws(TileError) -> TileRead {
    .payload(TilePayload([1]))
  }
}

/// Tiles for which the system has no memory beside their pixels.
@Suite struct LackingMemoryTests {
  private let a = tile(4, 3, 3)

  private func plan(_ rig: Rig, levels: Int = 0) {
    rig.cache.beginView()
    rig.missing.beginView()
    let key = TileKey(source: 0, tile: a)
    if rig.cache.hit(key) == nil, rig.missing.find(key) == nil {
      rig.want(rig.request(a, levels: levels))
    }
  }

  private func lacking(_ tile: TileID) -> TileError {
    var error = TileError(file: "pack", tile: tile, reason: "no memory", isTransient: true)
    error.lacksMemory = true
    return error
  }

  /// Lets the tile come after its wait, once memory is there.
  private func comesLater(_ rig: Rig, _ shortage: Shortage, levels: Int = 0) {
    #expect(rig.entry(a) == nil && rig.cache.refusals == 1)
    #expect(rig.tileErrors.first?.lacksMemory == true)
    plan(rig, levels: levels)
    // It has no time of its own: whoever watches the memory says when.
    #expect(rig.loader?.nextRetry == nil && rig.loader?.lacksMemory == true)
    rig.now += 600 * second
    rig.loader?.retryDue()
    #expect(rig.runUntilIdle())
    #expect(rig.cache.refusals == 1)
    _ = rig.loader?.retryLacking()
    #expect(rig.runUntilIdle())
    #expect(rig.cache.refusals == 2 && rig.loader?.lacksMemory == true)
    shortage.end()
    _ = rig.loader?.retryLacking()
    #expect(rig.runUntilIdle())
    #expect(rig.entry(a) != nil && rig.cache.refusals == 2)
    #expect(rig.loader?.lacksMemory == false)
    // Only the first time is told.
    #expect(rig.tileErrors.count == 1)
  }

  @Test func aTileThatCannotBeReadIsCountedAndAskedForAgain() {
    let (rig, shortage) = (Rig(), Shortage())
    rig.add(0) { tile throws(TileError) in
      if shortage.isThere { throw lacking(tile) }
      return flatPNG(0x00FF00)
    }
    plan(rig)
    #expect(rig.runUntilIdle())
    comesLater(rig, shortage)
  }

  @Test func aTileThatCannotBePaintedIsCountedAndAskedForAgain() {
    let (rig, shortage) = (Rig(), Shortage())
    rig.loader?.setSource(0, name: "starved") { .success(StarvedSource(shortage)) }
    plan(rig)
    #expect(rig.runUntilIdle())
    comesLater(rig, shortage)
  }

  @Test func aTileMadeOfSeveralIsNotKeptWithAHole() throws {
    let (rig, shortage) = (Rig(), Shortage())
    let missing = try #require(a.child(1, 0))
    rig.add(0) { tile throws(TileError) in
      if tile == missing, shortage.isThere { throw lacking(tile) }
      return flatPNG(0x00FF00)
    }
    plan(rig, levels: 1)
    #expect(rig.runUntilIdle())
    comesLater(rig, shortage, levels: 1)
  }

  @Test func aTileThatNoViewShowsAnyMoreIsAskedForWhenOneDoes() {
    let (rig, shortage) = (Rig(), Shortage())
    rig.add(0) { tile throws(TileError) in
      if shortage.isThere { throw lacking(tile) }
      return flatPNG(0x00FF00)
    }
    plan(rig)
    #expect(rig.runUntilIdle())
    // Another view, without the tile.
    rig.cache.beginView()
    rig.missing.beginView()
    #expect(rig.loader?.lacksMemory == false)
    let freed = rig.loader?.retryLacking()
    #expect(rig.runUntilIdle())
    #expect(rig.cache.refusals == 1 && freed == [0])
    shortage.end()
    plan(rig)
    #expect(rig.runUntilIdle())
    #expect(rig.entry(a) != nil)
  }

  @Test func aTileForWhichTheCacheBecameTooSmallIsForgotten() {
    let (rig, shortage) = (Rig(), Shortage())
    rig.add(0) { tile throws(TileError) in
      if shortage.isThere { throw lacking(tile) }
      return flatPNG(0x00FF00)
    }
    plan(rig)
    #expect(rig.runUntilIdle())
    #expect(rig.loader?.lacksMemory == true)
    shortage.end()
    let limit = rig.cache.limit
    rig.cache.resize(to: 1)
    let freed = rig.loader?.retryLacking()
    #expect(freed == [0] && rig.loader?.lacksMemory == false)
    rig.cache.resize(to: limit)
    plan(rig)
    #expect(rig.runUntilIdle())
    #expect(rig.entry(a) != nil)
  }

  @Test func aTileThatIsAskedForAgainIsNotGivenUpWhenAViewWantsOthers() {
    let rig = Rig()
    rig.loader?.setSource(0, name: "sluggish") { .success(SluggishSource()) }
    plan(rig)
    #expect(rig.runUntilIdle())
    #expect(rig.loader?.lacksMemory == true)
    _ = rig.loader?.retryLacking()
    // The view is planned again while the tile is painted. It requests no hole.
    let isIdle = rig.run { rig in
      plan(rig)
      rig.loader?.want([])
      return rig.loader?.isIdle ?? true
    }
    #expect(isIdle)
    #expect(rig.entry(a) != nil && rig.loader?.lacksMemory == false)
  }
}
