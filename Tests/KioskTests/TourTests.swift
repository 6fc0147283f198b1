import EventLoop
import Inputs
import MapGeometry
import TestSupport
import Testing

@testable import Configuration
@testable import Kiosk

/// The path of a flight.
@Suite struct FlightPathTests {
  private func view(_ lat: Double, _ lon: Double, _ zoom: Double) -> Viewport {
    Viewport(center: GeoPoint(lat: lat, lon: lon), zoom: zoom, width: 800, height: 480)
  }

  @Test func aFlightBeginsAndEndsAtItsViews() {
    let (a, b) = (view(46, 7, 14), view(48, 11, 12))
    let path = FlightPath(from: a, to: b)
    for (t, end) in [(0.0, a), (1.0, b)] {
      let (place, zoom) = path.at(t)
      let at = WebMercator.unproject(place)
      #expect(abs(zoom - end.zoom) < 1e-9)
      #expect(abs(at.lat - end.center.lat) < 1e-9)
      #expect(abs(at.lon - end.center.lon) < 1e-9)
    }
  }

  @Test func aLongWayZoomsOutAndIn() {
    let path = FlightPath(from: view(46, 7, 14), to: view(46, 17, 14))
    let middle = path.at(0.5)
    #expect(middle.zoom < 9)
    var zooms = (0...20).map { path.at(Double($0) / 20).zoom }
    let top = zooms.firstIndex(of: zooms.min() ?? 0) ?? 0
    #expect((9...11).contains(top))
    zooms.removeFirst(top)
    #expect(zooms == zooms.sorted())
  }

  /// The paper's figure of merit: the picture moves at one speed, which counts panning by the width
  /// of the view and zooming by its logarithm.
  @Test func thePictureMovesAtOneSpeed() {
    let path = FlightPath(from: view(46, 7, 13), to: view(46, 8.5, 11))
    var speeds: [Double] = []
    let n = 400
    for i in 0..<n {
      let (a, b) = (path.at(Double(i) / Double(n)), path.at(Double(i + 1) / Double(n)))
      let width = 800 / WebMercator.worldSize(zoom: (a.zoom + b.zoom) / 2)
      let rho = FlightPath.curvature
      let pan = rho * rho * abs(b.place.x - a.place.x) / width
      let zoom = (b.zoom - a.zoom) * 0.693_147_18
      speeds.append((pan * pan + zoom * zoom).squareRoot() / rho)
    }
    let most = speeds.max() ?? 0
    let least = speeds.min() ?? 0
    #expect(most / least < 1.02)
  }

  @Test func aShortWayIsShortAndAcrossTheDatelineToo() {
    #expect(FlightPath(from: view(46, 7, 14), to: view(46, 7, 14)).duration == 0)
    let path = FlightPath(from: view(0, 179, 6), to: view(0, -179, 6))
    #expect(abs(path.at(0.5).place.x - 1) < 1e-9)
    #expect(path.duration <= FlightPath.seconds.most)
  }

  @Test(arguments: [0.0, 24.0]) func noFlightIsEndless(_ zoom: Double) {
    let path = FlightPath(from: view(85, -180, zoom), to: view(-85, 0, 24 - zoom))
    #expect(path.duration > 0 && path.duration <= FlightPath.seconds.most)
    for n in 0...10 {
      let (place, zoom) = path.at(Double(n) / 10)
      #expect(place.x.isFinite && place.y.isFinite && zoom.isFinite)
    }
  }
}

/// The tour of a running kiosk.
@Suite struct TourTests: MarkerCase {
  private func touring(_ set: (inout Configuration) -> Void = { _ in }) throws -> Bench {
    try bench {
      var (a, b) = (
        Configuration.TourStop(center: GeoPoint(lat: 41, lon: 12)),
        Configuration.TourStop(center: GeoPoint(lat: 40, lon: 10))
      )
      (a.zoom, a.caption, a.captions) = (6, "The valley", ["de": "Das Tal"])
      (b.zoom, b.seconds) = (5, 20)
      $0.tour = [a, b]
      $0.view.tourAfter = 300
      set(&$0)
    }
  }

  /// Lets the time come for the tour to begin or to go on, and the flight be over.
  private func step(_ bench: Bench) throws {
    bench.kiosk.outbox.add(.tourDue)
    bench.loop.runOnce(timeout: 0)
    bench.kiosk.view.finish()
    bench.kiosk.changed()
    try bench.settle()
  }

  @Test func theTourFliesFromPlaceToPlaceAndAround() throws {
    let bench = try touring()
    try bench.settle()
    #expect(bench.kiosk.tour.timer?.isArmed == true)
    bench.kiosk.outbox.add(.tourDue)
    bench.loop.runOnce(timeout: 0)
    #expect(bench.kiosk.view.isMoving)
    #expect(bench.kiosk.overMap.caption == "The valley")
    #expect(bench.kiosk.goal.center == GeoPoint(lat: 41, lon: 12))
    bench.kiosk.view.finish()
    try step(bench)
    #expect(bench.kiosk.goal.center == GeoPoint(lat: 40, lon: 10))
    #expect(bench.kiosk.overMap.caption.isEmpty)
    try step(bench)
    #expect(bench.kiosk.goal.center == GeoPoint(lat: 41, lon: 12))
    // At rest nothing is drawn.
    let frames = bench.kiosk.presentedFrames
    try bench.settle()
    #expect(bench.kiosk.presentedFrames == frames)
  }

  @Test func theCaptionIsBesideThePinOfHereFromTheBeginningOfTheFlight() throws {
    let bench = try touring()
    try bench.settle()
    // Where the caption would stand once the view is there.
    var there = bench.kiosk.goal
    (there.center, there.zoom) = (GeoPoint(lat: 41, lon: 12), 6)
    let place = WebMercator.unproject(there.world(x: 200, y: 280))
    _ = try bench.kiosk.setMarker([
      "id": "here", "lat": .double(place.lat), "lon": .double(place.lon),
    ])
    try bench.settle()
    let over = bench.kiosk.overMap
    bench.kiosk.outbox.add(.tourDue)
    for _ in 0..<20 where over.plates.isEmpty { bench.loop.runOnce(timeout: 1_000_000) }
    let first = try #require(over.plates.first)
    bench.kiosk.view.finish()
    bench.kiosk.changed()
    try bench.settle()
    #expect(over.plates == [first])
    let pin = try #require(over.heresShown(in: bench.kiosk.shownView).first)
    #expect(!first.intersects(pin))
    #expect(first.y > 200)
  }

  @Test func anyPressEndsItAndDoesNothingElse() throws {
    let bench = try touring()
    try step(bench)
    let place = bench.kiosk.goal.center
    #expect(bench.kiosk.press(.panLeft) == nil)
    #expect(!bench.kiosk.tour.isRunning)
    #expect(bench.kiosk.overMap.caption.isEmpty)
    #expect(bench.kiosk.goal.center == place)
    // It begins to wait anew, and the next press counts.
    #expect(bench.kiosk.tour.timer?.isArmed == true)
    _ = bench.kiosk.press(.panLeft)
    #expect(bench.kiosk.goal.center != place)
  }

  @Test func aTouchEndsIt() throws {
    let bench = try touring()
    try step(bench)
    bench.kiosk.handle(TouchEvent.began)
    #expect(!bench.kiosk.tour.isRunning)
  }

  @Test func aCallThatMovesTheViewEndsItAndThatViewStays() throws {
    let bench = try touring()
    try step(bench)
    var view = bench.kiosk.goal
    view.center = GeoPoint(lat: 1, lon: 1)
    bench.kiosk.go(to: view, animate: false)
    #expect(!bench.kiosk.tour.isRunning)
    #expect(abs(bench.kiosk.goal.center.lat - 1) < 1e-9)
  }

  @Test func sourcesAndOverlaysAreAsBeforeWhenItEnds() throws {
    let bench = try touring {
      var other = MosaicTests.spec(Self.tiles)
      other.name = "other"
      $0.sources.append(other)
      $0.tour[0].source = "other"
      $0.tour[0].overlays = ["b"]
    }
    for name in ["a", "b"] {
      _ = try bench.kiosk.addOverlay(
        [
          "name": .string(name),
          "geojson": #"{"type":"Point","coordinates":[11,41]}"#,
        ], trusted: true)
    }
    _ = bench.kiosk.showOverlay("b", false)
    let first = bench.kiosk.activeSource
    func shown() -> [String] { bench.kiosk.overlays.filter(\.isShown).map(\.name) }
    try step(bench)
    #expect(bench.kiosk.activeSource == "other")
    #expect(shown() == ["b"])
    _ = bench.kiosk.press(.none)
    #expect(bench.kiosk.activeSource == first)
    #expect(shown() == ["a"])
  }

  @Test func aPlaceThatNamesNoneHasTheSourceAndOverlaysOfBeforeTheTour() throws {
    let bench = try touring {
      var other = MosaicTests.spec(Self.tiles)
      other.name = "other"
      $0.sources.append(other)
      $0.tour[0].source = "other"
      $0.tour[0].overlays = ["b"]
    }
    for name in ["a", "b"] {
      _ = try bench.kiosk.addOverlay(
        ["name": .string(name), "geojson": #"{"type":"Point","coordinates":[11,41]}"#],
        trusted: true)
    }
    _ = bench.kiosk.showOverlay("b", false)
    let first = bench.kiosk.activeSource
    func shown() -> [String] { bench.kiosk.overlays.filter(\.isShown).map(\.name) }
    for _ in 0..<2 {
      try step(bench)
      #expect(bench.kiosk.activeSource == "other" && shown() == ["b"])
      try step(bench)
      #expect(bench.kiosk.activeSource == first && shown() == ["a"])
    }
  }

  @Test func whatOthersChangeMeanwhileStaysWhenItEnds() throws {
    let bench = try touring { $0.tour[0].overlays = ["b"] }
    func add(_ name: String) throws {
      _ = try bench.kiosk.addOverlay(
        [
          "name": .string(name),
          "geojson": #"{"type":"Point","coordinates":[11,41]}"#,
        ], trusted: true)
    }
    for name in ["a", "b", "c"] { try add(name) }
    _ = bench.kiosk.showOverlay("b", false)
    func shown() -> [String] { bench.kiosk.overlays.filter(\.isShown).map(\.name) }
    try step(bench)
    #expect(shown() == ["b"])
    // Over the socket: one that the tour hid is shown, another is new.
    _ = bench.kiosk.showOverlay("c", true)
    try add("d")
    func saved() -> [String] {
      bench.kiosk.overlays.filter { bench.kiosk.tour.former($0.name, isShown: $0.isShown) }
        .map(\.name)
    }
    #expect(saved() == ["a", "c", "d"])
    // The tour goes around, and hides them again.
    try step(bench)
    try step(bench)
    #expect(shown() == ["b"])
    #expect(saved() == ["a", "c", "d"])
    _ = bench.kiosk.press(.none)
    #expect(shown() == ["a", "c", "d"])
  }

  @Test func aReloadWithoutATourEndsItAndTheReturnHomeIsDueAgain() throws {
    let bench = try touring { $0.view.homeAfter = 60 }
    try step(bench)
    bench.kiosk.view.homeTimer?.cancel()
    var new = bench.kiosk.configuration
    new.view.tourAfter = nil
    bench.kiosk.apply(new)
    #expect(!bench.kiosk.tour.isRunning)
    #expect(bench.kiosk.tour.timer?.isArmed == false)
    #expect(bench.kiosk.view.homeTimer?.isArmed == true)
  }

  @Test func aReloadThatChangesOnlyTheWaitLeavesItGoing() throws {
    let bench = try touring()
    try step(bench)
    var new = bench.kiosk.configuration
    new.view.tourAfter = 600
    bench.kiosk.apply(new)
    #expect(bench.kiosk.tour.isRunning)
  }

  @Test func litAgainOverTheSocketItGoesOn() throws {
    let bench = try touring()
    try step(bench)
    bench.kiosk.sleep()
    // Its time comes in the dark, and nothing happens.
    bench.kiosk.tour.timer?.cancel()
    bench.kiosk.outbox.add(.tourDue)
    bench.loop.runOnce(timeout: 0)
    #expect(bench.kiosk.tour.timer?.isArmed == false)
    bench.kiosk.wake()
    #expect(bench.kiosk.tour.isRunning)
    #expect(bench.kiosk.tour.timer?.isArmed == true)
  }

  /// Whatever else happens while it is waited for, its time comes.
  @Test func itIsStillWaitedForAfterTheViewMovedOrCameHome() throws {
    let bench = try touring { $0.view.homeAfter = 60 }
    try bench.settle()
    let moves: [(Kiosk) -> Void] = [
      { $0.go(to: $0.goal.panned(dx: 9, dy: 0), animate: false) },
      { _ = $0.press(.zoomIn) }, { $0.home(animate: false) }, { $0.outbox.add(.homeDue) },
      { _ = $0.use($0.activeSource ?? "") },
    ]
    for (i, move) in moves.enumerated() {
      move(bench.kiosk)
      try bench.settle()
      #expect(bench.kiosk.tour.timer?.isArmed == true, "\(i)")
    }
  }

  @Test func whoeverGoesHomeDelaysItButNotTheReturnHome() throws {
    let bench = try touring { $0.view.homeAfter = 60 }
    try bench.settle()
    let timer = try #require(bench.kiosk.tour.timer)
    // As if it had been waited for since long ago.
    let soon = EventLoop.now() + 200_000_000_000
    let cases: [(isUse: Bool, (Kiosk) -> Void)] = [
      (true, { $0.home(animate: false) }), (true, { $0.fit($0.goal.bounds, padding: 0) }),
      (false, { $0.outbox.add(.homeDue) }),
    ]
    for (isUse, move) in cases {
      timer.arm(at: soon)
      move(bench.kiosk)
      try bench.settle()
      #expect((timer.deadline > soon) == isUse)
    }
  }

  @Test func itBeginsAndHomeIsComeToWithNothingLeftOpen() throws {
    for due in [Changes.tourDue, .homeDue] {
      let bench = try touring {
        $0.view.homeAfter = 60
        $0.markers = [marker("mill", 40.98, 11.25)]
      }
      try bench.settle()
      #expect(bench.kiosk.press(.mapKey) == nil)
      #expect(bench.kiosk.overMap.isKeyAsked)
      bench.kiosk.outbox.add(due)
      bench.loop.runOnce(timeout: 0)
      #expect(!bench.kiosk.overMap.isKeyAsked)
    }
  }

  @Test func theReturnHomeDoesNotDisturbIt() throws {
    let bench = try touring { $0.view.homeAfter = 60 }
    try step(bench)
    bench.kiosk.outbox.add(.homeDue)
    try bench.settle()
    #expect(bench.kiosk.tour.isRunning)
  }

  @Test func asleepItDoesNotBegin() throws {
    let bench = try touring()
    try bench.settle()
    bench.kiosk.sleep()
    bench.kiosk.outbox.add(.tourDue)
    bench.loop.runOnce(timeout: 0)
    #expect(!bench.kiosk.tour.isRunning)
    _ = bench.kiosk.press(.none)
    #expect(bench.kiosk.tour.timer?.isArmed == true)
  }

  @Test func withoutPlacesOrATimeThereIsNone() throws {
    let none = try touring { $0.tour = [] }
    #expect(none.kiosk.tour.timer?.isArmed == false)
    let never = try touring { $0.view.tourAfter = nil }
    #expect(never.kiosk.tour.timer?.isArmed == false)
  }

  @Test func theStateIsThatBeforeTheTour() throws {
    let bench = try touring()
    try bench.settle()
    let before = bench.kiosk.savedState
    try step(bench)
    #expect(bench.kiosk.savedState == before)
  }
}
