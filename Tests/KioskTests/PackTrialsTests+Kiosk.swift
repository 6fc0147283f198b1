import Configuration
import Displays
import EventLoop
import MapGeometry
import TestSupport
import Testing
import TileSources

@testable import Kiosk

extension PackTrialsTests {
  @Test func aPackWhoseLayerWentWhileItWasBeingOpenedIsCleared() throws {
    let loop = try EventLoop()
    let list = TrialList(OpeningsFile(file), time: 50_000_000)
    let trials = PackTrials(list, loop: loop, outbox: Outbox())
    try list.begin([a])
    trials.removed([a])
    while loop.runOnce(timeout: 200_000_000) {}
    #expect(isThere)
    list.opened([a])
    let end = EventLoop.now() + 20_000_000_000
    while isThere, EventLoop.now() < end { loop.runOnce(timeout: 10_000_000) }
    #expect(!isThere)
    // Then it rests.
    while loop.runOnce(timeout: 200_000_000) {}
    trials.close()
  }

  @Test func aYearOfOpeningsLeavesNothingBehind() throws {
    let loop = try EventLoop()
    let list = TrialList(OpeningsFile(file), time: 0)
    let trials = PackTrials(list, loop: loop, outbox: Outbox())
    try list.begin([a])
    // Were each telling to wrap the next one, the stack would end here.
    for _ in 0..<500_000 { list.opened([a]) }
    list.sweep()
    #expect(!isThere)
    trials.close()
  }

  @Test func theKioskNamesItAndShowsItAfterAWhile() throws {
    let pack = folder["pack.mbtiles"]
    try TilePacks.writeMBTiles(TilePacks.tiles(of: MosaicTests.small), to: pack)
    try namesAndShows(pack) {
      $0.sources = [SourceSpec(name: "pack", location: .path(pack))]
    } isOpen: {
      $0.sources[0].info != nil
    }
  }

  @Test func anOverlayOverWhichItCrashedIsReadLastAndAloneToo() throws {
    let file = try folder.write(
      #"{"type": "Point", "coordinates": [7, 46]}"#, to: "overlay.geojson")
    try namesAndShows(file) {
      $0.overlays = [
        Configuration.Overlay(
          name: "overlay", content: .file(file), level: .aboveLabels)
      ]
    } isOpen: {
      $0.overlays[0].info != nil
    }
  }

  @Test func aRefusedPackIsNotToldOnceItsSourceHasAnotherFile() throws {
    try TrialList(OpeningsFile(file), time: 0).begin([a])
    try crash()
    try TrialList(OpeningsFile(file), time: 0).begin([a])
    try crash()
    let (kiosk, run) = try kiosk {
      $0.sources = ["pack", "twin"].map { SourceSpec(name: $0, location: .path(a)) }
    }
    run { kiosk.problem != nil }
    #expect(kiosk.problem?.detail.contains(a) == true && kiosk.problem?.state == .error)
    var other = kiosk.configuration
    other.sources[0].location = .path(folder["other.mbtiles"])
    kiosk.apply(other)
    var rounds = 0
    run {
      rounds += 1
      return rounds > 10
    }
    // The other source still has it.
    #expect(kiosk.problem != nil)
    other.sources[1].location = .path(folder["other.mbtiles"])
    kiosk.apply(other)
    run { kiosk.problem == nil }
    #expect(kiosk.problem == nil)
    kiosk.close()
  }

  /// A kiosk with `set` names `suspect`, over which the program crashed before, and clears it when
  /// it proved good.
  private func namesAndShows(
    _ suspect: String, _ set: (inout Configuration) -> Void, isOpen: (Kiosk) -> Bool
  ) throws {
    try TrialList(OpeningsFile(file)).begin([suspect])
    try crash()
    let (kiosk, run) = try kiosk(set)
    run { kiosk.problem != nil }
    #expect(kiosk.problem?.detail.contains(suspect) == true && kiosk.problem?.state == .warning)
    #expect(!isOpen(kiosk))
    run { kiosk.problem == nil }
    #expect(kiosk.problem == nil)
    #expect(isOpen(kiosk))
    #expect(!isThere)
    kiosk.close()
  }

  /// A kiosk with `set`, and a function that runs it until something is so, but at most a minute.
  private func kiosk(
    _ set: (inout Configuration) -> Void
  ) throws -> (kiosk: Kiosk, run: (() -> Bool) -> Void) {
    let loop = try EventLoop()
    var configuration = Configuration()
    configuration.display.backend = .headless
    configuration.state.path = nil
    set(&configuration)
    let screen = FixedScreen(
      HeadlessDisplay(width: 320, height: 200, format: .xrgb8888, rotation: .none, loop: nil))
    let kiosk = try Kiosk(
      configuration: configuration, loop: loop, makeScreen: { _, _ in screen },
      openings: OpeningsFile(file),
      font: { _ in nil })
    return (
      kiosk,
      { isSo in
        let end = EventLoop.now() + 60_000_000_000
        while EventLoop.now() < end, !isSo() { loop.runOnce(timeout: 100_000_000) }
      }
    )
  }
}

extension Kiosk {
  /// What the health says of packs over which the program crashed.
  fileprivate var problem: Health.Entry? { health.entries.first { $0.what == "packs" } }
}
