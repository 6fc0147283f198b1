import Inputs
import MapGeometry
import TestSupport
import Testing

@testable import Configuration
@testable import Kiosk

/// Three buttons reach everything: next, select, back.
@Suite struct ReachTests: MarkerCase {
  private func bench() throws -> Bench {
    let bench = try bench(width: 800, height: 480) {
      $0.markers = [
        marker("near", 40.98, 11.3, "Near", "Text"), marker("far", 41.4, 19, "Far", "Text"),
      ]
    }
    try bench.settle()
    return bench
  }

  @Test func theFocusGoesFromTheNearestOutwardsAndAroundAndIsSeen() throws {
    let bench = try bench()
    let plain = bench.panel()
    #expect(bench.kiosk.press(.selectNext) == nil)
    try bench.settle()
    #expect(bench.kiosk.overMap.focus == .marker("near"))
    #expect(bench.kiosk.overMap.sprites(on: .focus).count == 1)
    #expect(bench.panel() != plain)
    _ = bench.kiosk.press(.selectNext)
    #expect(bench.kiosk.overMap.focus == .marker("far"))
    _ = bench.kiosk.press(.selectNext)
    #expect(bench.kiosk.overMap.focus == .marker("near"))
  }

  @Test func selectOpensWhatTheFocusIsOnAndBackClosesOneThingAfterAnother() throws {
    let bench = try bench()
    _ = bench.kiosk.press(.panLeft)
    _ = bench.kiosk.press(.panRight)
    try bench.settle()
    _ = bench.kiosk.press(.selectNext)
    _ = bench.kiosk.press(.selectNext)
    #expect(bench.kiosk.press(.select) == nil)
    try bench.settle()
    #expect(bench.kiosk.overMap.markerSelected == "far")
    #expect(bench.kiosk.overMap.sprites(on: .focus).isEmpty)
    _ = bench.kiosk.press(.back)
    try bench.settle()
    #expect(bench.kiosk.overMap.markerSelected == nil)
    #expect(bench.kiosk.overMap.sprites(on: .focus).count == 1)
    _ = bench.kiosk.press(.back)
    try bench.settle()
    #expect(bench.kiosk.overMap.focus == nil)
    // With nothing open, it leads home.
    _ = bench.kiosk.press(.zoomIn)
    try bench.settle()
    _ = bench.kiosk.press(.back)
    try bench.settle()
    #expect(bench.kiosk.goal.zoom == 5)
  }

  @Test func withoutAFocusSelectStepsThroughTheMarkers() throws {
    let bench = try bench()
    _ = bench.kiosk.press(.select)
    #expect(bench.kiosk.overMap.markerSelected == "near")
    _ = bench.kiosk.press(.select)
    #expect(bench.kiosk.overMap.markerSelected == "far")
  }

  @Test func theFocusGoesOnFromAnOpenCallout() throws {
    let bench = try bench()
    _ = bench.kiosk.press(.select)
    _ = bench.kiosk.press(.selectNext)
    #expect(bench.kiosk.overMap.markerSelected == nil)
    #expect(bench.kiosk.overMap.focus == .marker("far"))
  }

  @Test func theFocusLeavesWithItsMarkerAndWithATouch() throws {
    let bench = try bench()
    _ = bench.kiosk.press(.selectNext)
    #expect(bench.kiosk.removeMarker("near"))
    try bench.settle()
    #expect(bench.kiosk.overMap.focus == nil)
    _ = bench.kiosk.press(.selectNext)
    #expect(bench.kiosk.overMap.focus == .marker("far"))
    bench.kiosk.handle(TouchEvent.tapped(x: 30, y: 30))
    try bench.settle()
    #expect(bench.kiosk.overMap.focus == nil)
  }

  @Test func withNothingOnTheScreenTheReasonIsGiven() throws {
    let bench = try bench()
    try bench.show(GeoPoint(lat: -40, lon: -120), 5)
    #expect(bench.kiosk.press(.selectNext)?.isEmpty == false)
  }
}
