import Inputs
import MapGeometry
import MapOverlays
import TestSupport
import Testing

@testable import Configuration
@testable import Kiosk

/// Fingers on the plates over the map: a slot of the legend does what its button does, and nothing
/// under a plate is touched.
@Suite struct PlateTouchTests: MarkerCase {
  /// Three slots, each a third of the screen's width.
  private func bench(_ set: (inout Configuration) -> Void = { _ in }) throws -> Bench {
    let bench = try bench(width: 800, height: 480) {
      $0.hud.buttons = true
      $0.gpio.buttons = [
        .init(line: .offset(1), action: .zoomIn, hold: .repeating),
        .init(line: .offset(2), action: .selectNext, hold: .action(.themeToggle)),
        .init(line: .offset(3), action: .panRight, hold: .repeating),
      ]
      $0.markers = [marker("near", 40.98, 11.3), marker("far", 41.4, 19)]
      set(&$0)
    }
    try bench.settle()
    return bench
  }

  /// What a screen reports of a finger that rests at a place and leaves.
  private func hold(_ bench: Bench, _ x: Double, _ y: Double, _ meanwhile: () -> Void = {}) {
    bench.kiosk.handle(TouchEvent.began)
    bench.kiosk.handle(TouchEvent.held(x: x, y: y))
    meanwhile()
    bench.kiosk.handle(TouchEvent.ended(vx: 0, vy: 0))
  }

  @Test func aTapOnASlotDoesWhatPressingItsButtonDoes() throws {
    let bench = try bench()
    bench.kiosk.handle(TouchEvent.tapped(x: 100, y: 460))
    #expect(bench.kiosk.goal.zoom == 6)
    bench.kiosk.handle(TouchEvent.tapped(x: 400, y: 460))
    #expect(bench.kiosk.overMap.focus != nil)
    let before = bench.kiosk.goal.center.lon
    bench.kiosk.handle(TouchEvent.tapped(x: 799, y: 479))
    #expect(bench.kiosk.goal.center.lon > before)
    #expect(bench.kiosk.overMap.focus != nil)
  }

  @Test func twoQuickTapsOnASlotAreTwoPresses() throws {
    let bench = try bench()
    bench.kiosk.handle(TouchEvent.tapped(x: 400, y: 460))
    bench.kiosk.handle(TouchEvent.doubleTapped(x: 400, y: 460))
    #expect(bench.kiosk.overMap.focus == .marker("far"))
    #expect(bench.kiosk.goal.zoom == 5)
  }

  @Test func aFingerThatRestsOnASlotDoesWhatHoldingItsButtonDoes() throws {
    let bench = try bench()
    let before = bench.kiosk.goal
    hold(bench, 400, 460) {
      #expect(bench.kiosk.theme.isNight)
      // It moves the map no more.
      bench.kiosk.handle(TouchEvent.moved(dx: 50, dy: 0))
    }
    #expect(bench.kiosk.goal == before)
    #expect(bench.kiosk.overMap.focus == nil)
    // The next touch does.
    bench.kiosk.handle(TouchEvent.began)
    bench.kiosk.handle(TouchEvent.moved(dx: 50, dy: 0))
    #expect(bench.kiosk.goal != before)
  }

  @Test func aZoomOrPanLastsAsLongAsTheFinger() throws {
    let bench = try bench()
    hold(bench, 100, 460) {
      #expect(bench.kiosk.goal.zoom == 6)
      #expect(bench.kiosk.inputs.nextZoom() == .zoomIn)
    }
    #expect(bench.kiosk.inputs.nextZoom() == nil)
    hold(bench, 700, 460) { #expect(bench.kiosk.view.isDriven) }
    #expect(!bench.kiosk.view.isDriven)
    #expect(!bench.kiosk.inputs.isHeld)
  }

  @Test func aSlotWithoutAHoldIsPressedByAFingerThatRests() throws {
    let bench = try bench {
      $0.gpio.buttons = [.init(line: .offset(1), action: .selectNext, hold: .nothing)]
    }
    hold(bench, 400, 460)
    #expect(bench.kiosk.overMap.focus == .marker("near"))
    // On the map it does nothing.
    hold(bench, 400, 240)
    #expect(bench.kiosk.overMap.focus == .marker("near"))
  }

  @Test func aScreenThatFellAsleepUnderAFingerWakesWithTheNext() throws {
    let bench = try bench {
      $0.gpio.buttons = [.init(line: .offset(1), action: .panRight, hold: .repeating)]
    }
    hold(bench, 400, 460) { bench.kiosk.sleep() }
    #expect(bench.kiosk.isAsleep && !bench.kiosk.inputs.isHeld)
    bench.kiosk.handle(TouchEvent.began)
    bench.kiosk.handle(TouchEvent.ended(vx: 0, vy: 0))
    #expect(!bench.kiosk.isAsleep)
    hold(bench, 400, 460) { #expect(bench.kiosk.view.isDriven) }
  }

  /// What a screen reports of a tap.
  private func tap(_ bench: Bench, _ x: Double, _ y: Double) {
    bench.kiosk.handle(TouchEvent.began)
    bench.kiosk.handle(TouchEvent.ended(vx: 0, vy: 0))
    bench.kiosk.handle(TouchEvent.tapped(x: x, y: y))
  }

  @Test func theTapThatWakesTheScreenDoesNothingElse() throws {
    let bench = try bench()
    bench.kiosk.sleep()
    tap(bench, 100, 460)
    #expect(!bench.kiosk.isAsleep)
    #expect(bench.kiosk.goal.zoom == 5)
    tap(bench, 100, 460)
    #expect(bench.kiosk.goal.zoom == 6)
  }

  @Test func aTapThatDarkensTheScreenIsOverAndTheNextOneOnlyWakes() throws {
    let bench = try bench {
      $0.gpio.buttons = [.init(line: .offset(1), action: .sleep, hold: .nothing)]
    }
    for _ in 0..<2 {
      tap(bench, 400, 460)
      #expect(bench.kiosk.isAsleep)
      tap(bench, 400, 460)
      #expect(!bench.kiosk.isAsleep)
    }
  }

  @Test func whatAPlateHidesIsNotTouched() throws {
    let line = """
      {"type": "Feature", "properties": {"name": "Way"}, "geometry":
      {"type": "LineString", "coordinates": [[28.4, 30], [28.4, 50]]}}
      """
    let bench = try bench {
      $0.overlays = [.init(name: "ways", content: .geoJSON(line), level: .aboveRoads)]
      $0.hud.attribution = true
      $0.sources[0].attribution = "© somebody"
    }
    // The line is under the legend and the attribution.
    let top = try #require(bench.kiosk.overMap.plates.map(\.y).min())
    for y in [Double(top) + 8, 460] {
      bench.kiosk.handle(TouchEvent.tapped(x: 790, y: y))
      bench.kiosk.handle(TouchEvent.doubleTapped(x: 790, y: y))
      #expect(bench.kiosk.selection.line == nil)
      #expect(bench.kiosk.goal.zoom == 5)
      try bench.show(GeoPoint(lat: 40.98, lon: 11.25), 5)
    }
    bench.kiosk.handle(TouchEvent.tapped(x: 790, y: 240))
    #expect(bench.kiosk.selection.line != nil)
  }

  @Test func aTapOnTheCompassTurnsTheMapNorthUp() throws {
    let bench = try bench { $0.hud.north = true }
    try bench.show(GeoPoint(lat: 40.98, lon: 11.25), 5, bearing: 30)
    bench.kiosk.handle(TouchEvent.tapped(x: 760, y: 40))
    #expect(bench.kiosk.goal.bearing == 0)
  }

  @Test func aTapOnTheMessageThatThereIsNoMapLeadsHome() throws {
    let bench = try bench { $0.hud.toasts = true }
    try bench.show(GeoPoint(lat: -40, lon: -120), 5)
    #expect(bench.kiosk.overMap.nowhereCard != nil)
    bench.kiosk.handle(TouchEvent.tapped(x: 400, y: 212))
    #expect(abs(bench.kiosk.goal.center.lon - 11.25) < 0.01)
  }
}
