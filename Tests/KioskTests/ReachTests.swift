import Inputs
import MapGeometry
import MapOverlays
import TestSupport
import Testing

@testable import Configuration
@testable import Kiosk
@testable import MapOverlays

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

  @Test func selectTurnsThePagesOfTheOpenCalloutAndClosesItAfterTheLast() throws {
    let bench = try bench()
    let text = (1...400).map { "Word\($0)" }.joined(separator: " ")
    _ = try bench.kiosk.setMarker([
      "id": "near", "lat": 40.98, "lon": 11.3, "label": "Near", "text": .string(text),
    ])
    try bench.settle()
    _ = bench.kiosk.press(.selectNext)
    #expect(bench.kiosk.press(.select) == nil)
    try bench.settle()
    let pages = try #require(bench.kiosk.overMap.markers.callout).pages
    #expect(pages > 1)
    for page in 1..<pages {
      let before = bench.panel()
      #expect(bench.kiosk.press(.select) == nil)
      try bench.settle()
      #expect(bench.kiosk.overMap.markerSelected == "near")
      #expect(bench.kiosk.overMap.markers.callout?.page == page)
      #expect(bench.panel() != before)
    }
    #expect(bench.kiosk.press(.select) == nil)
    #expect(bench.kiosk.overMap.markerSelected == nil)
    // The next time it begins with the first page.
    _ = bench.kiosk.press(.select)
    try bench.settle()
    #expect(bench.kiosk.overMap.markers.callout?.page == 0)
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

  /// A kiosk with a legend of buttons along the lower edge, and markers at these points of its
  /// screen.
  private func bench(
    at places: KeyValuePairs<String, (x: Double, y: Double)>,
    _ set: (inout Configuration) -> Void = { _ in }
  ) throws -> Bench {
    let bench = try bench(width: 800, height: 480) {
      $0.hud.buttons = true
      $0.gpio.buttons = [Action.selectNext, .select, .back].enumerated().map {
        .init(line: .offset($0), action: $1, hold: .nothing)
      }
      set(&$0)
    }
    try bench.settle()
    let view = bench.kiosk.shownView
    for (id, at) in places {
      let place = WebMercator.unproject(view.world(x: at.x, y: at.y))
      _ = try bench.kiosk.setMarker([
        "id": .string(id), "lat": .double(place.lat), "lon": .double(place.lon),
        "label": .string(id), "text": "Open from May to October",
      ])
    }
    try bench.settle()
    return bench
  }

  /// Whether the ring of the focus is on the screen, and no plate covers any of it.
  private func isRingSeen(_ bench: Bench) throws -> Bool {
    let ring = try #require(bench.kiosk.overMap.sprites(on: .focus).first).rect
    let screen = PixelRect(x: 0, y: 0, width: 800, height: 480)
    return ring.intersection(screen) == ring
      && !bench.kiosk.overMap.plates.contains { $0.intersects(ring) }
  }

  @Test func theMapMovesAsLittleAsPossibleToShowTheRingAndStays() throws {
    let bench = try bench(at: ["near": (400, 250), "low": (300, 460)])
    let before = bench.kiosk.goal
    let legend = try #require(bench.kiosk.overMap.plates.map(\.y).max())
    #expect(legend < 460)
    _ = bench.kiosk.press(.selectNext)
    try bench.settle()
    #expect(try isRingSeen(bench))
    #expect(bench.kiosk.goal == before)
    _ = bench.kiosk.press(.selectNext)
    try bench.settle()
    #expect(bench.kiosk.overMap.focus == .marker("low"))
    #expect(try isRingSeen(bench))
    let ring = try #require(bench.kiosk.overMap.sprites(on: .focus).first).rect
    #expect(legend - ring.maxY <= 8)
    let after = bench.kiosk.goal
    #expect(after.center.lon == before.center.lon && after.zoom == before.zoom)
    _ = bench.kiosk.press(.back)
    try bench.settle()
    #expect(bench.kiosk.overMap.focus == nil)
    #expect(bench.kiosk.goal == after)
  }

  /// In the view that shows `low` beside the legend, `high` is off the screen.
  private let column: KeyValuePairs<String, (x: Double, y: Double)> = [
    "middle": (400, 245), "low": (400, 455), "high": (400, 10),
  ]

  @Test func theOrderStaysWhileTheMapMovesForTheFocus() throws {
    let bench = try bench(at: column)
    var all: [MarkerLayer.Hit?] = []
    for _ in 0..<5 {
      #expect(bench.kiosk.press(.selectNext) == nil)
      try bench.settle()
      all.append(bench.kiosk.overMap.focus)
      #expect(try isRingSeen(bench))
    }
    #expect(all == ["middle", "low", "high", "middle", "low"].map { .marker($0) })
  }

  @Test func whereTheMapComesToRestDoesNotDependOnThePaceOfThePresses() throws {
    let (quick, slow) = (try bench(at: column), try bench(at: column))
    for action in [Action.selectNext, .selectNext, .selectNext, .select, .selectNext, .selectNext] {
      #expect(quick.kiosk.press(action) == nil)
      #expect(slow.kiosk.press(action) == nil)
      try slow.settle()
      #expect(quick.kiosk.goal == slow.kiosk.goal, "\(action)")
      #expect(quick.kiosk.overMap.focus == slow.kiosk.overMap.focus)
    }
    try quick.settle()
    #expect(try isRingSeen(quick))
    #expect(quick.kiosk.shownView == slow.kiosk.shownView)
  }

  @Test func theMarkersThatSelectOpensStayInOrderWhileTheirCalloutsMoveTheMap() throws {
    let bench = try bench(at: column)
    var all: [String?] = []
    for _ in 0..<3 {
      #expect(bench.kiosk.press(.select) == nil)
      try bench.settle()
      all.append(bench.kiosk.overMap.markerSelected)
    }
    #expect(all == ["middle", "low", "high"])
  }

  @Test func whoeverMovesTheMapBeginsAnotherRound() throws {
    let bench = try bench(at: ["a": (400, 240), "b": (520, 240), "c": (200, 240)])
    _ = bench.kiosk.press(.selectNext)
    try bench.settle()
    #expect(bench.kiosk.overMap.focus == .marker("a"))
    bench.kiosk.pan(dx: 100, dy: 0, animate: false)
    try bench.settle()
    // From the new centre outwards: b, a, c.
    _ = bench.kiosk.press(.selectNext)
    #expect(bench.kiosk.overMap.focus == .marker("c"))
  }

  @Test func aMarkerThatComesIsReachedAfterTheOthersOfTheRound() throws {
    let bench = try bench(at: ["a": (400, 240), "b": (520, 240)])
    _ = bench.kiosk.press(.selectNext)
    let place = WebMercator.unproject(bench.kiosk.shownView.world(x: 300, y: 240))
    _ = try bench.kiosk.setMarker([
      "id": "c", "lat": .double(place.lat), "lon": .double(place.lon),
    ])
    var all: [MarkerLayer.Hit?] = []
    for _ in 0..<4 {
      _ = bench.kiosk.press(.selectNext)
      all.append(bench.kiosk.overMap.focus)
    }
    #expect(all == ["b", "a", "c", "b"].map { .marker($0) })
  }

  @Test func theRingIsSeenBesideAMapKeyAlsoOnceTheCalloutIsClosed() throws {
    let bench = try bench(at: ["near": (400, 250)]) { $0.hud.mapKey = true }
    let key = try #require(bench.kiosk.overMap.panelRect)
    let place = WebMercator.unproject(
      bench.kiosk.shownView.world(x: Double(key.x + 20), y: Double(key.y + key.height / 2)))
    _ = try bench.kiosk.setMarker([
      "id": "under", "lat": .double(place.lat), "lon": .double(place.lon), "label": "Hut",
    ])
    try bench.settle()
    for action in [Action.selectNext, .selectNext, .select, .back] {
      #expect(bench.kiosk.press(action) == nil)
      try bench.settle()
      if action != .select { #expect(try isRingSeen(bench)) }
    }
    #expect(bench.kiosk.overMap.focus == .marker("under"))
  }

  @Test func theMapMovesOnWhereOtherPlatesAreInTheWayInTheNewView() throws {
    let bench = try bench(at: ["a": (400, 240)])
    let start = bench.kiosk.goal
    var looks = 0
    bench.kiosk.reveal { _ in
      looks += 1
      return looks == 1 ? (30, 0) : looks == 2 ? (0, -20) : nil
    }
    #expect(looks == 3)
    #expect(bench.kiosk.goal == start.panned(dx: -30, dy: 0).panned(dx: 0, dy: 20))
    // Plates that never agree with a view do not keep the map moving.
    try bench.settle()
    let before = bench.kiosk.goal
    bench.kiosk.reveal { _ in (4, 0) }
    let moved = before.screen(bench.kiosk.goal.center)
    #expect(abs(400 - moved.x - 12) < 0.5)
  }

  @Test func aFollowedPositionKeepsTheViewOfTheFocus() throws {
    let bench = try bench(at: ["low": (300, 460)])
    bench.kiosk.take(Fix(place: bench.kiosk.goal.center), from: .socket)
    try bench.settle()
    try #require(bench.kiosk.view.position.isFollowing)
    let before = bench.kiosk.goal
    _ = bench.kiosk.press(.selectNext)
    #expect(bench.kiosk.overMap.focus == .marker("low"))
    #expect(bench.kiosk.goal == before && bench.kiosk.view.position.isFollowing)
  }

  @Test func theShortestMovementBringsTheRingOutFromUnderThePlates() {
    let screen = PixelRect(x: 0, y: 0, width: 60, height: 40)
    let plates = [
      PixelRect(x: 0, y: 32, width: 60, height: 8), PixelRect(x: 0, y: 8, width: 20, height: 20),
      PixelRect(x: 36, y: 0, width: 24, height: 10),
    ]
    for (x, y) in [(4, 12), (10, 26), (40, 30), (50, 2), (-6, 10), (57, 36), (16, -4), (30, 14)] {
      let ring = PixelRect(x: x, y: y, width: 6, height: 6)
      func isSeen(_ dx: Int, _ dy: Int, _ gap: Int) -> Bool {
        let rect = PixelRect(
          x: x + dx - gap, y: y + dy - gap, width: 6 + 2 * gap, height: 6 + 2 * gap)
        return rect.intersection(screen) == rect && !plates.contains { $0.intersects(rect) }
      }
      let shift = FocusRoom.shift(ring, gap: 1, on: screen, clearOf: plates)
      if isSeen(0, 0, 0) {
        #expect(shift == nil)
        continue
      }
      var least = Int.max
      for dx in -64...64 {
        for dy in -44...44 where isSeen(dx, dy, 1) { least = min(least, dx * dx + dy * dy) }
      }
      #expect(shift.map { $0.x * $0.x + $0.y * $0.y } == least, "\(x), \(y)")
      #expect(shift.map { isSeen($0.x, $0.y, 1) } == true)
    }
  }

  @Test func wherePlatesLeaveNoRoomTheRingIsAtLeastOnTheScreen() {
    let screen = PixelRect(x: 0, y: 0, width: 60, height: 40)
    func shift(_ x: Int) -> (x: Int, y: Int)? {
      FocusRoom.shift(
        PixelRect(x: x, y: 10, width: 6, height: 6), gap: 1, on: screen, clearOf: [screen])
    }
    #expect(shift(20) == nil)
    #expect(shift(-6).map { $0 == (7, 0) } == true)
  }

  @Test func withNothingOnTheScreenTheReasonIsGiven() throws {
    let bench = try bench()
    try bench.show(GeoPoint(lat: -40, lon: -120), 5)
    #expect(bench.kiosk.press(.selectNext)?.isEmpty == false)
  }
}
