import Configuration
import EventLoop
import Inputs
import MapGeometry
import Testing

@testable import Kiosk

/// A view that follows the position: what pauses it and what resumes it.
@Suite struct FollowTests: FollowCase {
  @Test func theViewFollowsFromTheFirstFix() throws {
    let bench = try bench()
    try take(fix(0), bench)
    #expect(bench.kiosk.isFollowing)
    #expect(bench.kiosk.view.current.center == places[0])
    #expect(bench.kiosk.goal.center == places[0])
    try take(fix(1), bench)
    #expect(bench.kiosk.view.current.center == places[1])
    #expect(bench.kiosk.view.current.zoom == 15)
  }

  @Test func withoutFollowingTheViewStays() throws {
    let bench = try bench { $0.position.follow = false }
    let before = bench.kiosk.view.current
    try take(fix(0), bench)
    #expect(!bench.kiosk.isFollowing)
    #expect(bench.kiosk.view.current == before)
  }

  @Test(arguments: [Action.panLeft, .panUp])
  func panningPausesAndHomeResumes(_ pan: Action) throws {
    let bench = try bench { $0.view.center = GeoPoint(lat: 10, lon: 10) }
    try take(fix(0), bench)
    #expect(bench.kiosk.press(pan) == nil)
    try rest(bench)
    let there = bench.kiosk.view.current
    #expect(there.center != places[0])
    try take(fix(1), bench)
    #expect(!bench.kiosk.isFollowing)
    #expect(bench.kiosk.view.current == there)
    bench.kiosk.home(animate: true)
    try rest(bench)
    #expect(bench.kiosk.isFollowing)
    #expect(bench.kiosk.view.current.center == places[1])
    try take(fix(2), bench)
    #expect(bench.kiosk.view.current.center == places[2])
  }

  @Test func aViewThatIsSetElsewhereAFingerAndAHeldButtonPauseToo() throws {
    let ways: [(Kiosk) -> Void] = [
      { $0.pan(dx: 10, dy: 0, animate: false) },
      {
        $0.handle(.began)
        $0.handle(.moved(dx: 30, dy: 0))
      },
      {
        $0.handle(
          ButtonEvent(origin: "a", action: .panRight, phase: .hold, time: EventLoop.now()))
        $0.endHolds()
      },
      { $0.fit(GeoBounds(west: 7, south: 46, east: 8, north: 47), padding: 0) },
    ]
    for way in ways {
      let bench = try bench()
      try take(fix(0), bench)
      way(bench.kiosk)
      #expect(!bench.kiosk.isFollowing)
    }
  }

  @Test func zoomingKeepsFollowing() throws {
    let ways: [(Kiosk) -> Void] = [
      { _ = $0.press(.zoomIn) },
      { $0.zoom(by: 1, about: (10, 10), animate: true) },
      { $0.zoom(by: 1, about: (10, 10), animate: false) },
      { $0.handle(.doubleTapped(x: 350, y: 20)) },
      { $0.handle(.pinched(factor: 2, x: 100, y: 20, dx: 5, dy: 9)) },
    ]
    for way in ways {
      let bench = try bench()
      try take(fix(0), bench)
      way(bench.kiosk)
      try rest(bench)
      #expect(bench.kiosk.isFollowing)
      #expect(bench.kiosk.view.current.zoom == 16)
      #expect(bench.kiosk.view.current.center == places[0])
    }
  }

  @Test func theFollowActionToggles() throws {
    let bench = try bench()
    #expect(bench.kiosk.press(.follow)?.hasPrefix("no position is known") == true)
    try take(fix(0), bench)
    #expect(bench.kiosk.press(.follow) == nil)
    #expect(!bench.kiosk.isFollowing)
    try take(fix(1), bench)
    #expect(bench.kiosk.view.current.center == places[0])
    #expect(bench.kiosk.press(.follow) == nil)
    try rest(bench)
    #expect(bench.kiosk.view.current.center == places[1])
  }

  @Test func theFollowActionAwaitsTheFirstFixOfAReceiver() throws {
    let bench = try bench { $0.position.gpsd = "localhost:1" }
    let before = bench.kiosk.view.current
    #expect(bench.kiosk.press(.follow) == nil)
    try take(fix(0), bench)
    #expect(bench.kiosk.view.current == before)
  }

  @Test func homeWithoutAPositionIsTheConfiguredView() throws {
    let bench = try bench()
    bench.kiosk.pan(dx: 100, dy: 0, animate: false)
    bench.kiosk.home(animate: false)
    #expect(bench.kiosk.view.current.center == GeoPoint(lat: 0, lon: 0))
    try take(fix(0), bench)
    #expect(bench.kiosk.view.current.center == places[0])
  }

  @Test func aFixDoesNotCountAsSomebodyBeingThere() throws {
    let bench = try bench { $0.view.homeAfter = 60 }
    try take(fix(0), bench)
    #expect(bench.kiosk.view.homeTimer?.isArmed != true)
  }

  @Test func afterAWhileTheFirstZoomIsBackAboutThePosition() throws {
    let bench = try bench { $0.view.homeAfter = 0.05 }
    try take(fix(0), bench)
    _ = bench.kiosk.press(.zoomOut)
    try rest(bench)
    #expect(bench.run { bench.kiosk.goal.zoom == 15 })
    try rest(bench)
    #expect(bench.kiosk.isFollowing)
    #expect(bench.kiosk.view.current.center == places[0])
  }

  @Test func aReloadTakesOverWhatIsToBeFollowed() throws {
    let bench = try bench()
    try take(fix(0), bench)
    var new = bench.kiosk.configuration
    new.position.follow = false
    bench.kiosk.apply(new)
    #expect(!bench.kiosk.isFollowing)
    new.position.follow = true
    new.position.headingUp = true
    bench.kiosk.apply(new)
    try take(fix(1, heading: 45, speed: 4), bench)
    #expect(bench.kiosk.view.current.center == places[1])
    #expect(bench.kiosk.view.current.bearing == 45)
  }
}
