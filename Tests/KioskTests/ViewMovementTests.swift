import MapGeometry
import TestSupport
import Testing

@testable import Kiosk

@Suite struct ViewMovementTests {
  private static let view = Viewport(
    center: GeoPoint(lat: 0, lon: 0), zoom: 10, bearing: 0, width: 800, height: 480, scale: 1)
  private let second: UInt64 = 1_000_000_000

  /// Where the view's centre is, in points east and south of where it was at first.
  private func way(_ controller: ViewMotion) -> (x: Double, y: Double) {
    let (a, b) = (
      WebMercator.project(Self.view.center), WebMercator.project(controller.current.center)
    )
    let size = WebMercator.worldSize(zoom: 10)
    return ((b.x - a.x) * size, (b.y - a.y) * size)
  }

  @Test func aHeldButtonPansFasterAndFasterUpToALimit() {
    var controller = ViewMotion(Self.view)
    controller.setDrive(x: 1, y: 0, now: 0)
    var steps: [Double] = []
    var before = 0.0
    for n in 1...10 {
      _ = controller.advance(to: UInt64(n) * second / 2)
      steps.append(way(controller).x - before)
      before = way(controller).x
    }
    for i in 1..<steps.count { #expect(steps[i] >= steps[i - 1] - 1e-6) }
    #expect(steps[1] > steps[0])
    // At full speed: 2.4 shorter sides a second.
    #expect(abs(steps[9] - 480 * 2.4 / 2) < 1e-3)
    #expect(abs(way(controller).y) < 1e-6)
  }

  @Test func howOftenFramesAreDrawnDoesNotChangeTheWay() {
    var (often, rare) = (ViewMotion(Self.view), ViewMotion(Self.view))
    often.setDrive(x: 0, y: 1, now: 0)
    rare.setDrive(x: 0, y: 1, now: 0)
    for n in 1...300 { _ = often.advance(to: UInt64(n) * second / 100) }
    _ = rare.advance(to: 3 * second)
    #expect(abs(way(often).y - way(rare).y) < 1e-6)
  }

  @Test func aReleasedButtonStopsTheViewWhereItIs() {
    var controller = ViewMotion(Self.view)
    controller.setDrive(x: -1, y: 0, now: 0)
    _ = controller.advance(to: second)
    let there = controller.current
    controller.setDrive(x: 0, y: 0, now: second + 1)
    #expect(!controller.isMoving)
    #expect(controller.advance(to: 2 * second) == false)
    #expect(controller.current == there)
    #expect(controller.goal == there)
  }

  @Test func twoHeldButtonsPanDiagonallyAtTheSameSpeed() {
    var (one, two) = (ViewMotion(Self.view), ViewMotion(Self.view))
    one.setDrive(x: 1, y: 0, now: 0)
    two.setDrive(x: 1, y: 1, now: 0)
    _ = one.advance(to: second)
    _ = two.advance(to: second)
    let (a, b) = (way(one).x, way(two))
    #expect(abs(b.x - b.y) < 1e-6)
    #expect(abs(a - (b.x * b.x + b.y * b.y).squareRoot()) < 1e-6)
  }

  @Test func aFlingStartsAtTheFingersSpeedAndRunsOut() {
    var controller = ViewMotion(Self.view)
    controller.fling(vx: 1000, vy: 0, now: 0)
    #expect(controller.isMoving)
    _ = controller.advance(to: second / 1000)
    #expect(abs(way(controller).x - 1) < 0.02)
    var before = way(controller).x
    for n in 2...1800 {
      _ = controller.advance(to: UInt64(n) * second / 1000)
      let now = way(controller).x
      #expect(now >= before - 1e-9)
      before = now
    }
    _ = controller.advance(to: 2 * second)
    #expect(!controller.isMoving)
    #expect(abs(way(controller).x - 325) < 1e-3)
  }

  @Test func aMovementCanBeStoppedWhereItIs() {
    var controller = ViewMotion(Self.view)
    controller.fling(vx: 1000, vy: 500, now: 0)
    _ = controller.advance(to: second / 10)
    let there = controller.current
    controller.stop()
    #expect(!controller.isMoving)
    #expect(controller.goal == there)
  }

  @Test func aMovementGoesOnWhoseFirstStepIsLessThanAPixel() throws {
    let tiles = MosaicTests.spec(TestData.fixtures + "/tiles/osm")
    let bench = try Bench([tiles], width: 400, height: 300) {
      $0.view.center = GeoPoint(lat: 40.98, lon: 11.25)
      $0.view.zoom = 5
    }
    try bench.settle()
    while !bench.kiosk.pipeline.loader.isIdle { bench.loop.runOnce(timeout: 1_000_000_000) }
    let before = bench.kiosk.presentedFrames
    bench.kiosk.pan(dx: 100, dy: 0, animate: true)
    bench.loop.runOnce(timeout: 0)
    // Nothing but the kiosk itself wakes the loop.
    #expect(bench.run { !bench.kiosk.view.isMoving }, "the movement stands still")
    #expect(bench.kiosk.presentedFrames > before)
  }
}
