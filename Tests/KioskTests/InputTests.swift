import Configuration
import EventLoop
import Inputs
import MapGeometry
import TestSupport
import Testing

@testable import Kiosk

@Suite struct InputTests {
  private func bench(_ set: (inout Configuration) -> Void = { _ in }) throws -> Bench {
    try Bench([], width: 400, height: 300, set)
  }

  private func button(
    _ action: Action, _ phase: ButtonEvent.Phase, _ origin: String = "gpio 1"
  ) -> ButtonEvent {
    ButtonEvent(origin: origin, action: action, phase: phase, time: EventLoop.now())
  }

  /// Lets the loop run until the view is at rest.
  private func rest(_ bench: Bench) {
    bench.loop.runOnce(timeout: 0)
    while bench.kiosk.view.isMoving { bench.loop.runOnce(timeout: 1_000_000) }
  }

  @Test func aPressDoesTheButtonsAction() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    kiosk.handle(button(.zoomIn, .press))
    kiosk.handle(button(.zoomIn, .release))
    #expect(kiosk.goal.zoom == 4)
    rest(bench)
    #expect(kiosk.view.current.zoom == 4)
  }

  @Test func aHeldPanMovesUntilItIsReleased() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    kiosk.handle(button(.panRight, .press))
    rest(bench)
    let afterPress = kiosk.view.current.center.lon
    #expect(afterPress > 0)
    kiosk.handle(button(.panRight, .hold))
    #expect(kiosk.view.isDriven)
    while kiosk.view.current.center.lon < afterPress + 1 { bench.loop.runOnce(timeout: 1_000_000) }
    kiosk.handle(button(.panRight, .release))
    let there = kiosk.view.current
    bench.loop.runOnce(timeout: 0)
    #expect(!kiosk.view.isMoving)
    #expect(kiosk.view.current == there)
  }

  @Test func oppositeButtonsCancelEachOtherAndEachEndsByItself() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    kiosk.handle(button(.panRight, .hold, "a"))
    kiosk.handle(button(.panLeft, .hold, "b"))
    #expect(!kiosk.view.isDriven)
    kiosk.handle(button(.panLeft, .release, "b"))
    #expect(kiosk.view.isDriven)
    kiosk.handle(button(.panRight, .release, "a"))
    #expect(!kiosk.view.isDriven)
  }

  @Test func aPressBesideAHeldPanBendsItsWay() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    kiosk.handle(button(.panRight, .hold, "a"))
    kiosk.handle(button(.panDown, .press, "b"))
    #expect(kiosk.view.isDriven)
    while kiosk.view.motion.y == 0 { bench.loop.runOnce(timeout: 1_000_000) }
    let step = kiosk.view.motion
    #expect(step.x != 0 && abs(step.x - step.y) < 1e-6 * abs(step.y))
    kiosk.handle(button(.panDown, .release, "b"))
    #expect(kiosk.view.isDriven)
    kiosk.handle(button(.panRight, .release, "a"))
    #expect(!kiosk.view.isMoving)
  }

  @Test func aZoomBesideAHeldPanIsDoneAndThePanGoesOn() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    kiosk.handle(button(.panRight, .hold, "a"))
    kiosk.handle(button(.zoomIn, .press, "b"))
    kiosk.handle(button(.zoomIn, .release, "b"))
    while !kiosk.view.isDriven { bench.loop.runOnce(timeout: 1_000_000) }
    #expect(kiosk.view.current.zoom == 4)
    kiosk.handle(button(.panRight, .release, "a"))
  }

  @Test func whatIsDownWhenTheScreenFallsAsleepMeansNothingUntilItWasUp() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    kiosk.handle(button(.panRight, .press, "a"))
    kiosk.handle(TouchEvent.began)
    kiosk.sleep()
    kiosk.handle(button(.panRight, .hold, "a"))
    kiosk.handle(button(.panRight, .release, "a"))
    kiosk.handle(TouchEvent.moved(dx: 1, dy: 0))
    kiosk.handle(TouchEvent.ended(vx: 0, vy: 0))
    #expect(kiosk.isAsleep)
    kiosk.handle(TouchEvent.began)
    kiosk.handle(TouchEvent.ended(vx: 0, vy: 0))
    #expect(!kiosk.isAsleep)
    let before = kiosk.goal
    kiosk.handle(TouchEvent.began)
    kiosk.handle(TouchEvent.moved(dx: 50, dy: 0))
    #expect(kiosk.goal != before)
  }

  @Test func whileAsleepAMovementIsOverAtOnce() throws {
    let bench = try bench()
    bench.kiosk.sleep()
    bench.kiosk.pan(dx: 100, dy: 0, animate: true)
    bench.loop.runOnce(timeout: 0)
    #expect(!bench.kiosk.view.isMoving)
    #expect(bench.kiosk.view.current == bench.kiosk.goal)
  }

  @Test func anInputThatChangesNothingIsNotAnsweredByALaterFrame() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    bench.loop.runOnce(timeout: 0)
    kiosk.handle(button(.none, .press))
    bench.loop.runOnce(timeout: 0)
    let count = kiosk.inputTimes.count
    kiosk.setNotice("a notice")
    bench.loop.runOnce(timeout: 0)
    #expect(kiosk.inputTimes.count == count)
  }

  @Test func whileAsleepTheFirstPressOnlyWakes() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    kiosk.sleep()
    #expect(kiosk.isAsleep)
    kiosk.handle(button(.zoomIn, .press))
    kiosk.handle(button(.zoomIn, .hold))
    kiosk.handle(button(.zoomIn, .release))
    #expect(!kiosk.isAsleep)
    #expect(kiosk.goal.zoom == 3)
    kiosk.handle(button(.zoomIn, .press))
    #expect(kiosk.goal.zoom == 4)
  }

  @Test func whileAsleepTheFirstTouchOnlyWakes() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    kiosk.sleep()
    let before = kiosk.goal
    kiosk.handle(TouchEvent.began)
    kiosk.handle(TouchEvent.moved(dx: 50, dy: 0))
    kiosk.handle(TouchEvent.ended(vx: 900, vy: 0))
    #expect(!kiosk.isAsleep)
    #expect(kiosk.goal == before)
    kiosk.handle(TouchEvent.began)
    kiosk.handle(TouchEvent.moved(dx: 50, dy: 0))
    #expect(kiosk.goal != before)
  }

  @Test func theScreenSleepsWhenNobodyUsesIt() throws {
    let bench = try bench { $0.display.sleepAfter = 0.05 }
    while !bench.kiosk.isAsleep { bench.loop.runOnce(timeout: 1_000_000_000) }
    #expect(bench.kiosk.press(.panLeft) == nil)
    #expect(!bench.kiosk.isAsleep)
  }

  @Test func theMapFollowsTheFinger() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    let before = kiosk.goal
    kiosk.handle(TouchEvent.began)
    for _ in 0..<10 { kiosk.handle(TouchEvent.moved(dx: 4, dy: -3)) }
    let expected = before.panned(dx: -40, dy: 30)
    #expect(abs(kiosk.view.current.center.lon - expected.center.lon) < 1e-9)
    #expect(abs(kiosk.view.current.center.lat - expected.center.lat) < 1e-9)
    kiosk.handle(TouchEvent.ended(vx: 0, vy: 0))
    #expect(!kiosk.view.isMoving)
  }

  @Test func aFlickGoesOnInTheFingersDirection() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    kiosk.handle(TouchEvent.began)
    kiosk.handle(TouchEvent.ended(vx: -500, vy: 0))
    #expect(kiosk.view.isMoving)
    #expect(kiosk.goal.center.lon > 0)
    kiosk.handle(TouchEvent.began)
    #expect(!kiosk.view.isMoving)
  }

  @Test func aPinchZoomsAboutItsMiddleAndComesToRestOnAWholeZoom() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    let fixed = WebMercator.unproject(kiosk.goal.world(x: 100, y: 80))
    kiosk.handle(TouchEvent.began)
    kiosk.handle(TouchEvent.pinched(factor: 1.8, x: 100, y: 80, dx: 0, dy: 0))
    #expect(abs(kiosk.view.current.zoom - (3 + 0.847996906)) < 1e-6)
    kiosk.handle(TouchEvent.ended(vx: 0, vy: 0))
    rest(bench)
    #expect(kiosk.view.current.zoom == 4)
    let there = WebMercator.unproject(kiosk.view.current.world(x: 100, y: 80))
    #expect(abs(there.lat - fixed.lat) < 1e-6 && abs(there.lon - fixed.lon) < 1e-6)
  }

  @Test func aDoubleTapZoomsInWhereItWas() throws {
    let bench = try bench()
    let kiosk = bench.kiosk
    let fixed = WebMercator.unproject(kiosk.goal.world(x: 300, y: 100))
    kiosk.handle(TouchEvent.doubleTapped(x: 300, y: 100))
    rest(bench)
    #expect(kiosk.view.current.zoom == 4)
    let there = WebMercator.unproject(kiosk.view.current.world(x: 300, y: 100))
    #expect(abs(there.lat - fixed.lat) < 1e-6 && abs(there.lon - fixed.lon) < 1e-6)
  }
}
