import Configuration
import Control
import Displays
import EventLoop
import Glibc
import Inputs
import MapGeometry
import Pixels
import TestSupport
import Testing
import TileLoading

@testable import Kiosk

/// What the kiosk does between its frames: what it tells, what it answers, how it ends.
@Suite struct LifeTests {
  private func bench(
    beat: Bool = false, _ set: (inout Configuration) -> Void = { _ in }
  ) throws -> Bench {
    try Bench([MosaicTests.spec(MosaicTests.small)], beat: beat, set)
  }

  @Test func aKioskThatIsDroppedBeforeItsLoopRunsLeavesNothingThatTraps() throws {
    let loop = try EventLoop()
    var configuration = Configuration()
    configuration.display.size = DisplaySize(width: 200, height: 100)
    configuration.display.sleepAfter = 0.001
    configuration.view.homeAfter = 0.001
    configuration.sources = [MosaicTests.spec(MosaicTests.small)]
    configuration.state.path = nil
    let display = HeadlessDisplay(
      width: 200, height: 100, format: .xrgb8888, rotation: .none, loop: loop)
    do {
      let kiosk = try Kiosk(
        configuration: configuration, loop: loop, makeScreen: { _, _ in FixedScreen(display) },
        font: { _ in nil })
      kiosk.take(Fix(place: GeoPoint(lat: 1, lon: 1)), from: .socket)
      kiosk.settle(timeout: 0) { _ in }
      kiosk.used()
    }
    // Its timers are due, its loader has opened the source, the display is ready.
    for _ in 0..<20 { loop.runOnce(timeout: 5_000_000) }
    #expect(display.frame == 0)
  }

  @Test func aSettleWithoutTimeFindsAPictureCompleteThatIs() throws {
    let bench = try bench(beat: true)
    try bench.settle()
    bench.kiosk.pan(dx: 1, dy: 0, animate: false)
    bench.loop.runOnce(timeout: 0)
    // That frame is drawn with all that it needs, and on its way to the panel.
    #expect(!bench.display.isReady && bench.kiosk.pipeline.scene.isComplete)
    var outcome: SettleOutcome?
    bench.kiosk.settle(timeout: 0) { outcome = $0 }
    while outcome == nil { bench.loop.runOnce(timeout: 1_000_000_000) }
    #expect(outcome?.complete == true)
  }

  @Test func aViewThatMovesByLessThanAPixelIsToldOnceAFrame() throws {
    let bench = try bench()
    try bench.settle()
    // Tiles that are loaded ahead have frames planned as well.
    while !bench.kiosk.pipeline.loader.isIdle { bench.loop.runOnce(timeout: 1_000_000_000) }
    var told = 0
    bench.kiosk.onEvent = { if case .view = $0 { told += 1 } }
    // Comes nearer and nearer for two seconds.
    bench.kiosk.handle(.began)
    bench.kiosk.handle(.ended(vx: 0.5, vy: 0))
    #expect(bench.kiosk.view.isMoving)
    let begun = EventLoop.now()
    // Subscribers that read wake the loop again and again.
    for _ in 0..<3000 { bench.loop.runOnce(timeout: 0) }
    let beats = Double(EventLoop.now() - begun) / 1e9 * bench.display.refreshRate
    #expect(told <= Int(beats) + 2)
    #expect(bench.kiosk.view.isMoving || beats > 60)
  }

  /// Flings the map until it rests, and draws as often as the loop comes round; `step` is called
  /// each time with how many frames there were. The frames that were late. A machine that has no
  /// time for three frames in two seconds is given more flings.
  private func lateFrames(
    rate: Double, _ step: (Bench, _ frames: Int) -> Void = { _, _ in }
  ) throws -> Int {
    let bench = try bench()
    try bench.settle()
    while !bench.kiosk.pipeline.loader.isIdle { bench.loop.runOnce(timeout: 1_000_000_000) }
    bench.display.rate = rate
    for _ in 0..<20 {
      let (first, late) = (bench.display.frame, bench.kiosk.lateFrames)
      bench.kiosk.handle(.began)
      bench.kiosk.handle(.ended(vx: 900, vy: 0))
      while bench.kiosk.view.isMoving {
        bench.kiosk.changed()
        bench.loop.runOnce(timeout: 0)
        step(bench, bench.display.frame - first)
      }
      if bench.display.frame - first > 2 { return bench.kiosk.lateFrames - late }
    }
    Issue.record("no fling had three frames")
    return 0
  }

  @Test func aMovementWhoseStepsFollowEachOtherHasNoLateFrame() throws {
    // A beat of ten seconds.
    #expect(try lateFrames(rate: 0.1) == 0)
  }

  @Test func aStepOfAMovementThatOtherWorkHoldsUpIsALateFrame() throws {
    var hasBlocked = false
    let late = try lateFrames(rate: 5) { bench, frames in
      guard frames == 2 else { return }
      hasBlocked = true
      // Three beats.
      bench.loop.timer { usleep(600_000) }.arm(after: 0)
    }
    #expect(hasBlocked && late > 0)
  }

  @Test func aFrameOfAMovementThatIsDrawnForLongerThanABeatIsLate() throws {
    var hasBlocked = false
    let late = try lateFrames(rate: 5) { bench, frames in
      bench.display.onBegin = {
        if frames == 2 {
          hasBlocked = true
          usleep(300_000)
        }
      }
    }
    #expect(hasBlocked && late > 0)
  }

  @Test func aViewThatRestsIsNotToldOf() throws {
    let bench = try bench()
    try bench.settle()
    var told = 0
    bench.kiosk.onEvent = { if case .view = $0 { told += 1 } }
    for _ in 0..<10 {
      bench.kiosk.changed()
      bench.loop.runOnce(timeout: 0)
    }
    #expect(told == 0)
  }

  @Test func theHUDThatWasAskedForOutlastsAReload() throws {
    let bench = try bench { $0.hud.scaleBar = true }
    let file = bench.kiosk.configuration
    bench.kiosk.showHud(["zoom": true, "scale_bar": false])
    bench.kiosk.apply(file)
    #expect(bench.kiosk.hud.zoom)
    #expect(!bench.kiosk.hud.scaleBar)
    // What somebody writes into the file since is meant.
    var edited = file
    edited.hud.scaleBar = false
    bench.kiosk.apply(edited)
    edited.hud.scaleBar = true
    bench.kiosk.apply(edited)
    #expect(bench.kiosk.hud.scaleBar && bench.kiosk.hud.zoom)
  }

  @Test func sourcesThatComeAndGoAreTold() throws {
    let bench = try bench()
    var told: [String] = []
    bench.kiosk.onEvent = {
      if case .source(let name, let change) = $0 { told.append("\(name) \(change.rawValue)") }
    }
    bench.kiosk.addSource("own") { .success(PlaceholderTests.PlainSource()) }
    #expect(bench.kiosk.use("own"))
    let first = bench.kiosk.sources[0].name
    bench.kiosk.removeSource("own")
    #expect(told == [])
    bench.loop.runOnce(timeout: 0)
    #expect(told == ["own added", "own used", "\(first) used", "own removed"])
  }

  /// The markers that are selected from now on.
  private func selections(_ bench: Bench) -> () -> [String] {
    var selected: [String] = []
    bench.kiosk.onEvent = {
      if case .marker(let id, .selected) = $0 { selected.append(id) }
    }
    return {
      bench.kiosk.outbox.announce()
      return selected
    }
  }

  @Test func aSelectRightAfterAMarkerWasSetFindsIt() throws {
    let bench = try bench()
    try bench.settle()
    _ = try bench.kiosk.setMarker(["id": "v", "lat": 0, "lon": 0, "text": "here"])
    let selected = selections(bench)
    #expect(bench.kiosk.press(.select) == nil)
    #expect(selected() == ["v"])
  }

  @Test func aSelectRightAfterAMarkerWentDoesNotFindIt() throws {
    let bench = try bench()
    _ = try bench.kiosk.setMarker(["id": "v", "lat": 0, "lon": 0])
    _ = try bench.kiosk.setMarker(["id": "w", "lat": 20, "lon": 20])
    try bench.settle()
    #expect(bench.kiosk.removeMarker("v"))
    let selected = selections(bench)
    #expect(bench.kiosk.press(.select) == nil)
    #expect(selected() == ["w"])
    #expect(bench.kiosk.removeMarker("w"))
    bench.kiosk.handle(.tapped(x: 400, y: 240))
    #expect(bench.kiosk.press(.select) != nil)
  }

  @Test func aTroubleBeganWhenItDidHoweverLateTheClockIsSet() {
    // A board without a battery: it is 2020 until the time comes from somewhere.
    var monotonic: UInt64 = 5_000_000_000
    var wall = 1_580_000_000.0
    let board = HealthBoard(monotonic: { monotonic }, wall: { wall })
    #expect(board.take([HealthNote(what: "gpsd", state: .warning, detail: "no")]))
    #expect(board.current.entries[0].since == 1_580_000_000)
    monotonic += 60_000_000_000
    wall = 1_790_000_000
    #expect(board.current.entries[0].since == 1_790_000_000 - 60)
  }

  @Test func aKioskAtRestDoesNotWake() throws {
    let bench = try bench { $0.state.path = nil }
    try bench.settle()
    while !bench.kiosk.pipeline.loader.isIdle { bench.loop.runOnce(timeout: 1_000_000_000) }
    #expect(bench.run { bench.kiosk.book.files.isQuiet })
    bench.drain()
    #expect(!bench.kiosk.frames.isChanged)
    // Nothing is armed: the loop would sleep for ever.
    #expect(!bench.isWoken(within: 4_000_000_000))
  }

  @Test func whatWasMissingIsAskedForAgainAfterAReload() throws {
    let bench = try bench()
    try bench.settle()
    let missing = bench.kiosk.pipeline.missing
    let tile = try #require(TileID(z: 9, x: 1, y: 1))
    missing.insert(
      TileKey(source: bench.kiosk.sources[0].index, tile: tile),
      MissingTiles.Entry(ancestorLevel: nil, failed: true))
    #expect(missing.count > 0)
    bench.kiosk.apply(bench.kiosk.configuration)
    #expect(missing.count == 0)
  }
}
