import Configuration
import EventLoop
import Inputs
import MapGeometry
import MapOverlays
import MapScene
import TestSupport
import Testing

@testable import Kiosk

@Suite struct FollowTests {
  private func bench(_ set: (inout Configuration) -> Void = { _ in }) throws -> Bench {
    try Bench([], width: 400, height: 300) {
      $0.view.zoom = 15
      set(&$0)
    }
  }

  private let places = [
    GeoPoint(lat: 46.02, lon: 7.75), GeoPoint(lat: 46.0205, lon: 7.7507),
    GeoPoint(lat: 46.021, lon: 7.7514),
  ]

  private func fix(_ n: Int, heading: Double? = nil, speed: Double? = nil) -> Fix {
    Fix(place: places[n], heading: heading, speed: speed)
  }

  /// Takes a fix and lets everything come to rest.
  private func take(_ fix: Fix, _ bench: Bench) throws {
    bench.kiosk.take(fix, from: .socket)
    try rest(bench)
  }

  private func rest(_ bench: Bench) throws {
    bench.loop.runOnce(timeout: 0)
    while bench.kiosk.view.isMoving || bench.kiosk.dotMoves {
      bench.loop.runOnce(timeout: 5_000_000)
    }
  }

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

  // MARK: Heading up

  @Test func theHeadingIsUpAndHeldAtStandstill() throws {
    let bench = try bench { $0.position.headingUp = true }
    try take(fix(0, heading: 350, speed: 10), bench)
    #expect(bench.kiosk.view.current.bearing == 350)
    bench.kiosk.take(fix(1, heading: 20, speed: 10), from: .socket)
    // The short way, over north.
    while bench.kiosk.view.isMoving || bench.kiosk.dotMoves || bench.kiosk.frames.isChanged {
      bench.loop.runOnce(timeout: 5_000_000)
      let bearing = bench.kiosk.view.current.bearing
      #expect(bearing >= 349.9 || bearing <= 20.1)
    }
    #expect(bench.kiosk.view.current.bearing == 20)
    try take(fix(1, heading: 200, speed: 0.2), bench)
    #expect(bench.kiosk.view.current.bearing == 20)
    #expect(bench.kiosk.goal.bearing == 20)
  }

  @Test(arguments: [Action.northUp, .rotateLeft])
  func turningTheMapStopsTheHeadingFromBeingUpUntilItIsFollowedAnew(_ action: Action) throws {
    let bench = try bench { $0.position.headingUp = true }
    try take(fix(0, heading: 90, speed: 10), bench)
    #expect(bench.kiosk.press(action) == nil)
    try rest(bench)
    let bearing: Double = action == .northUp ? 0 : 75
    #expect(bench.kiosk.view.current.bearing == bearing)
    #expect(bench.kiosk.isFollowing)
    try take(fix(1, heading: 120, speed: 10), bench)
    #expect(bench.kiosk.view.current.bearing == bearing)
    #expect(bench.kiosk.view.current.center == places[1])
    bench.kiosk.home(animate: true)
    try rest(bench)
    #expect(bench.kiosk.view.current.bearing == 120)
  }

  @Test func withoutHeadingUpTheMapIsNotTurned() throws {
    let bench = try bench()
    try take(fix(0, heading: 90, speed: 10), bench)
    #expect(bench.kiosk.view.current.bearing == 0)
  }

  // MARK: What it costs

  @Test func aUnitThatStandsCostsNoFrame() throws {
    let bench = try bench()
    try take(fix(0), bench)
    try bench.settle()
    let frames = bench.display.frame
    for _ in 0..<5 { try take(fix(0), bench) }
    #expect(bench.display.frame == frames)
    // Only the time after which it is lost is awaited.
    #expect(bench.kiosk.frames.dotTimer?.isArmed != true)
    #expect(bench.kiosk.view.position.lostTimer?.isArmed == true)
  }

  @Test func whatMovesLessThanCanBeSeenCostsNoFrames() throws {
    let bench = try bench { $0.view.zoom = 2 }
    try take(fix(0), bench)
    try bench.settle()
    let frames = bench.display.frame
    for n in [1, 2, 1] { try take(fix(n), bench) }
    // 70 m are a thousandth of a pixel there.
    #expect(bench.display.frame == frames)
    #expect(bench.kiosk.view.current.center == places[1])
  }

  @Test func aDotBeyondTheScreenCostsNoFrame() throws {
    let bench = try bench { $0.position.follow = false }
    try take(fix(0), bench)
    try bench.settle()
    let frames = bench.display.frame
    for n in [1, 2, 0] { try take(fix(n), bench) }
    #expect(bench.display.frame == frames)
  }

  @Test func aFixDoesNotWakeASleepingDisplay() throws {
    let bench = try bench()
    try take(fix(0), bench)
    bench.kiosk.sleep()
    let frames = bench.display.frame
    for n in [1, 2] { try take(fix(n), bench) }
    #expect(bench.kiosk.isAsleep)
    #expect(bench.display.frame == frames)
    #expect(bench.kiosk.goal.center == places[2])
    bench.kiosk.wake()
    try rest(bench)
    #expect(bench.display.frame > frames)
    #expect(bench.kiosk.view.current.center == places[2])
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

  /// Each time the loop goes to sleep while the dot slides, its next step is on its way: a frame at the
  /// display's next beat, or a timer for the moment at which there is something new to see.
  @Test func whileTheDotSlidesEveryBeatThatShowsSomethingNewIsUsed() throws {
    let bench = try Bench([], width: 400, height: 300, beat: true) {
      $0.view.zoom = 18
      $0.position.headingUp = true
    }
    let kiosk = bench.kiosk
    try take(fix(0, heading: 80, speed: 10), bench)
    kiosk.take(fix(1, heading: 100, speed: 10), from: .socket)
    while kiosk.view.position.nextStep == nil { bench.loop.runOnce(timeout: 1_000_000_000) }
    var looks = 0
    while let due = kiosk.view.position.nextStep {
      looks += 1
      let isOnItsWay = !bench.display.isReady
      let isTimed =
        kiosk.frames.dotTimer?.isArmed == true && kiosk.frames.dotTimer?.deadline == due
      #expect(isOnItsWay || isTimed)
      bench.loop.runOnce(timeout: 1_000_000_000)
    }
    #expect(looks > 3)
    #expect(kiosk.view.current.center == places[1])
    #expect(kiosk.view.current.bearing == 100)
  }

  @Test func aDriveWithItsHeadingUpIsShownAtThirtyFramesASecondAndMore() throws {
    let bench = try bench { $0.position.headingUp = true }
    let kiosk = bench.kiosk
    // At 50 km/h: 13.9 m each second.
    let step = 13.9 / WebMercator.metersPerPoint(lat: places[0].lat, zoom: 15)
    var view = kiosk.goal
    view.center = places[0]
    view.bearing = 77
    var now = EventLoop.now()
    for n in 0..<10 {
      let place = view.panned(dx: 0, dy: -Double(n) * step).center
      kiosk.view.position.take(
        Fix(place: place, heading: 77, speed: 13.9), from: .socket, now: now)
      kiosk.view.follow(now)
      kiosk.view.advance(to: now)
      let end = now + 1_000_000_000
      while n > 0, now < end {
        // What the kiosk does at each beat, by the clock of the drive.
        let due = try #require(kiosk.view.position.nextStep)
        // At first the map turns to the heading, which is drawn at every beat.
        #expect(kiosk.view.isMoving || due - now <= 1_000_000_000 / 30)
        now = min(due, end)
        kiosk.view.follow(now)
        kiosk.view.advance(to: now)
      }
      now = end
    }
  }

  // MARK: What is drawn

  @Test func theDotIsLargeAndStandsInTheMiddleWithARing() throws {
    let bench = try bench()
    try take(fix(0), bench)
    try bench.settle()
    let picture = try bench.picture()
    #expect(picture[200, 150] == 0xFF1A_73E8)
    let ring = (0..<400).filter { picture[$0, 150] == 0xFFFF_FFFF }
    let dot = (0..<400).filter { picture[$0, 150] == 0xFF1A_73E8 }
    #expect((ring.last ?? 0) - (ring.first ?? 0) >= 22)
    #expect(dot.count >= 16)
    #expect(ring.contains { $0 < dot[0] } && ring.contains { $0 > dot[dot.count - 1] })
  }

  @Test func aLostFixIsGreyWithItsAgeBesideIt() throws {
    let bench = try bench()
    try take(fix(0), bench)
    try bench.settle()
    #expect(bench.kiosk.positionInfo.state == "fix")
    bench.kiosk.view.position.take(
      fix(0), from: .socket, now: EventLoop.now() - 65_000_000_000)
    bench.kiosk.changed()
    try bench.settle()
    #expect(bench.kiosk.positionInfo.state == "lost")
    #expect(bench.kiosk.overMap.placedPosition?.age == "1 min")
    #expect(bench.kiosk.overMap.sprites(on: .position).count == 2)
    #expect(try bench.picture()[200, 150] == 0xFF80_868B)
    // Counted on each minute.
    #expect(bench.kiosk.view.position.lostTimer?.isArmed == true)
    try take(fix(0), bench)
    #expect(bench.kiosk.overMap.sprites(on: .position).count == 1)
  }

  @Test func theAgeOfALostFixGivesWayToAMarker() throws {
    let bench = try bench()
    bench.kiosk.view.position.take(
      fix(0), from: .socket, now: EventLoop.now() - 65_000_000_000)
    try bench.settle()
    func age() throws -> PixelRect {
      try #require(bench.kiosk.overMap.sprites(on: .position).last).rect
    }
    let right = try age()
    #expect(right.x > 200)
    let place = bench.kiosk.goal.panned(dx: 40, dy: 0).center
    _ = try bench.kiosk.setMarker(
      ["id": "a", "lat": .double(place.lat), "lon": .double(place.lon)])
    try bench.settle()
    #expect(try age().maxX < 200)
    #expect(bench.kiosk.removeMarker("a"))
    try bench.settle()
    #expect(try age() == right)
  }

  @Test func theArrowPointsWhereTheHeadingIsOnTheScreen() throws {
    let bench = try bench()
    try take(fix(0, heading: 90, speed: 9), bench)
    try bench.settle()
    let picture = try bench.picture()
    let blue = { (x: Int, y: Int) in picture[x, y] == 0xFF1A_73E8 }
    #expect(blue(216, 150))
    #expect(!blue(184, 150) && !blue(200, 134) && !blue(200, 166))
  }

  @Test func theCircleIsAsLargeAsTheAccuracy() throws {
    let bench = try bench()
    var certain = fix(0)
    let metres = WebMercator.metersPerPoint(lat: places[0].lat, zoom: 15)
    certain.accuracy = 100 * metres
    try take(certain, bench)
    #expect(bench.kiosk.overMap.sprites(on: .accuracy).map(\.image.width) == [205])
    // A larger one is a dotted line, one that reaches beyond the screen nothing.
    certain.accuracy = 180 * metres
    try take(certain, bench)
    let dots = bench.kiosk.overMap.sprites(on: .accuracy)
    #expect(dots.count > 20 && dots.count < 90)
    for dot in dots {
      let (dx, dy) = (Double(dot.x + 3 - 200), Double(dot.y + 3 - 150))
      #expect(abs((dx * dx + dy * dy).squareRoot() - 180) < 2)
    }
    certain.accuracy = 5000 * metres
    try take(certain, bench)
    #expect(bench.kiosk.overMap.sprites(on: .accuracy).isEmpty)
    certain.accuracy = 3 * metres
    try take(certain, bench)
    #expect(bench.kiosk.overMap.sprites(on: .accuracy).isEmpty)
  }

  @Test func theTrackIsDotsThatStandApart() throws {
    let bench = try bench()
    let start = bench.kiosk.goal
    for n in 0..<400 {
      let place = start.panned(dx: Double(n) * 3, dy: Double(n % 7)).center
      bench.kiosk.take(Fix(place: place), from: .socket)
    }
    try rest(bench)
    let dots = bench.kiosk.overMap.sprites(on: .track)
    #expect(dots.count > 10 && dots.count <= CrumbChoice.most)
    for (a, b) in zip(dots, dots.dropFirst()) {
      let (dx, dy) = (Double(a.x - b.x), Double(a.y - b.y))
      #expect((dx * dx + dy * dy).squareRoot() > 6.5)
    }
    var without = bench.kiosk.configuration
    without.position.track = false
    bench.kiosk.apply(without)
    try rest(bench)
    #expect(bench.kiosk.overMap.sprites(on: .track).isEmpty)
    #expect(bench.kiosk.view.position.track.count == 0)
  }

  @Test func aMovedDotLeavesNothingBehind() throws {
    let bench = try bench {
      $0.position.follow = false
      $0.position.track = false
      $0.view.center = GeoPoint(lat: 46.0205, lon: 7.7507)
    }
    try bench.settle()
    for n in [0, 1, 2, 1] { try take(fix(n, heading: Double(n) * 100, speed: 9), bench) }
    try bench.settle()
    let moved = try bench.picture()
    bench.kiosk.pipeline.scene.invalidate()
    bench.kiosk.changed()
    try bench.settle()
    #expect(try bench.picture() == moved)
  }
}
