import EventLoop
import Inputs
import MapGeometry
import Testing

@testable import Kiosk

/// What a position that moves costs: the frames that show something new, and no others.
@Suite struct FollowCostTests: FollowCase {
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

  /// Each time the loop goes to sleep while the dot slides, its next step is on its way: a frame at
  /// the display's next beat, or a timer for the moment at which there is something new to see.
  @Test func whileTheDotSlidesEveryBeatThatShowsSomethingNewIsUsed() throws {
    let bench = try Bench([], width: 400, height: 300, beat: true) {
      $0.view.zoom = 18
      $0.position.headingUp = true
    }
    let kiosk = bench.kiosk
    // Where the thread was held up for the whole slide there is nothing to look at: once more.
    for _ in 0..<20 where kiosk.view.position.nextStep == nil {
      try take(fix(0, heading: 80, speed: 10), bench)
      kiosk.take(fix(1, heading: 100, speed: 10), from: .socket)
      while kiosk.view.position.nextStep == nil, kiosk.view.current.center != places[1] {
        bench.loop.runOnce(timeout: 1_000_000_000)
      }
    }
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
      kiosk.view.takeFix(
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
}
