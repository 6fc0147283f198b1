import MapGeometry
import MapScene
import TestSupport
import Testing
import TileSources

@testable import Kiosk

/// New tiles of the base map wait a moment for the overlays over them.
@Suite struct NewCellKioskTests {
  private static var layers: [SourceSpec] {
    var layers = Bundled.sources
    (layers[1].role, layers[1].opacity) = (.overlay, 0.5)
    return layers
  }

  /// A view of zoom 3 whose overlay is held, and in which tiles of zoom 2 stand in. Returns the
  /// view's bench, what lets the overlay go, and the picture of the stand-ins.
  private func standIns() throws -> (bench: Bench, hold: Hold, picture: Picture) {
    let bench = try Bench(Self.layers)
    let hold = bench.hold(Self.layers[1], at: 1)
    try bench.show(GeoPoint(lat: 45, lon: 10), 2)
    #expect(bench.run { bench.kiosk.pipeline.loader.isIdle })
    hold.hold { $0.z == 3 }
    var view = bench.kiosk.goal
    view.zoom = 3
    let before = bench.display.frame
    bench.kiosk.go(to: view, animate: false)
    #expect(bench.run { bench.display.frame > before })
    return (bench, hold, bench.panel())
  }

  private func waits(_ bench: Bench) -> Bool {
    bench.kiosk.pipeline.scene.lastUpdate.waitsUntil != nil
  }

  /// Whether every cell has its tile of the base map.
  private func hasBase(_ bench: Bench) -> Bool {
    var tiles: [BaseTile] = []
    return bench.kiosk.pipeline.scene.collectBaseTiles(into: &tiles, withRing: false)
  }

  @Test func baseAndOverlayAppearTogether() throws {
    let (bench, hold, standIns) = try standIns()
    defer { hold.release() }
    #expect(bench.run { waits(bench) })
    #expect(bench.panel() == standIns)
    #expect(bench.kiosk.frames.overlayTimer?.isArmed == true)
    hold.release()
    try bench.settle()
    #expect(bench.kiosk.frames.overlayTimer?.isArmed == false)
    let truth = try Bench(Self.layers)
    try truth.show(GeoPoint(lat: 45, lon: 10), 3)
    #expect(bench.panel() == truth.panel())
  }

  @Test func theBaseIsShownSoonThoughTheOverlayDoesNotCome() throws {
    let (bench, hold, standIns) = try standIns()
    defer { hold.release() }
    #expect(bench.run { waits(bench) })
    #expect(bench.run { !waits(bench) && hasBase(bench) })
    #expect(!bench.kiosk.pipeline.scene.isComplete)
    #expect(bench.panel() != standIns)
    // Then nothing is due, although the overlay is still awaited.
    #expect(bench.kiosk.frames.overlayTimer?.isArmed == false)
    let frame = bench.display.frame
    bench.drain()
    #expect(bench.display.frame == frame)
  }

  @Test func nothingWaitsWhileNobodySeesThePicture() throws {
    let (bench, hold, _) = try standIns()
    defer { hold.release() }
    bench.kiosk.sleep()
    #expect(bench.run { hasBase(bench) })
    #expect(!waits(bench))
    #expect(bench.kiosk.frames.overlayTimer?.isArmed != true)
  }

  @Test func onlySourcesWithoutAnotherProgramAreLocal() {
    let locations: [(SourceSpec.Location, Bool)] = [
      (.path("/a.pmtiles"), true), (.paths(["/a.pmtiles", "/b.pmtiles"]), true),
      (.url("file:///a/{z}/{x}/{y}.png"), true), (.url("https://a.org/{z}/{x}/{y}.png"), false),
      (.url("http://a.org/a.pmtiles"), false), (.provider("/run/a.sock"), false),
    ]
    for (location, isLocal) in locations {
      let spec = SourceSpec(name: "a", location: location)
      let entry = SourceEntry(spec, index: 0, origin: .configuration)
      #expect(entry.scene.isLocal == isLocal, "\(spec.locationText)")
    }
  }
}
