import EventLoop
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// Another map in the same view: one change on the screen, and nothing blank on the way.
@Suite struct SourceSwitchTests {
  /// A kiosk that shows one map and has another, whose tiles come when they are let go.
  private func bench() throws -> (Bench, Hold) {
    var other = MosaicTests.spec("/elsewhere")
    other.name = "other"
    let bench = try Bench([MosaicTests.spec("/nowhere"), other], width: 700, height: 500)
    // However slow the machine is; the limit has its own test.
    bench.kiosk.frames.setTimes(switch: 900_000_000_000)
    let hold = Hold()
    bench.kiosk.pipeline.loader.setSource(bench.kiosk.sources[0].index, name: "plain") {
      .success(PlaceholderTests.PlainSource())
    }
    bench.kiosk.pipeline.loader.setSource(bench.kiosk.sources[1].index, name: "other") {
      .success(HeldSource(PlaceholderTests.PlainSource(), hold))
    }
    try bench.show(GeoPoint(lat: 0, lon: 0), 4)
    #expect(bench.run { bench.kiosk.pipeline.loader.isIdle })
    hold.hold { _ in true }
    return (bench, hold)
  }

  @Test func theMapThatWasThereStaysUntilTheOtherOneIsWhole() throws {
    let (bench, hold) = try bench()
    defer { hold.release() }
    let (before, frame) = (bench.panel(), bench.display.frame)
    #expect(bench.kiosk.use("other"))
    bench.drain()
    for _ in 0..<3 {
      #expect(bench.releaseOne(hold) != nil)
      bench.drain()
    }
    #expect(bench.display.frame == frame)
    #expect(bench.panel() == before)
    hold.release()
    try bench.settle()
    #expect(bench.display.frame == frame + 1)
    #expect(bench.kiosk.frames.freeze == nil)
  }

  @Test func afterAMomentWhatIsThereIsShown() throws {
    let (bench, hold) = try bench()
    defer { hold.release() }
    let frame = bench.display.frame
    bench.kiosk.frames.setTimes(switch: 20_000_000)
    #expect(bench.kiosk.use("other"))
    #expect(bench.run { bench.display.frame > frame })
    #expect(!bench.kiosk.pipeline.scene.isComplete)
    #expect(bench.kiosk.frames.switchTime < bench.kiosk.frames.freezeTime)
  }

  @Test func aViewThatMovesDoesNotWaitForTheOtherMap() throws {
    let (bench, hold) = try bench()
    defer { hold.release() }
    let frame = bench.display.frame
    #expect(bench.kiosk.use("other"))
    bench.drain()
    bench.kiosk.pan(dx: 40, dy: 0, animate: false)
    bench.drain()
    #expect(bench.display.frame > frame)
  }

  @Test func whileItIsAwaitedTilesThatComeHaveNothingPlanned() throws {
    let (bench, hold) = try bench()
    defer { hold.release() }
    #expect(bench.kiosk.use("other"))
    bench.drain()
    #expect(bench.run { bench.kiosk.pipeline.loader.isNeeded })
    #expect(bench.releaseOne(hold) != nil)
    let decoded = bench.kiosk.pipeline.loader.stats.decodes
    // A plan asks the cache for every cell.
    let asked = bench.kiosk.pipeline.cache.stats.misses
    #expect(bench.run { bench.kiosk.pipeline.loader.stats.decodes > decoded })
    #expect(bench.kiosk.pipeline.cache.stats.misses == asked)
    hold.release()
    try bench.settle()
    #expect(!bench.kiosk.pipeline.loader.isNeeded)
  }
}
