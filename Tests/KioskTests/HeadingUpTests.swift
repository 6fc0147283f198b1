import Configuration
import MapGeometry
import Testing

@testable import Kiosk

/// A map whose heading is up.
@Suite struct HeadingUpTests: FollowCase {
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
  func turningTheMapStopsTheHeadingFromBeingUpUntilItIsFollowedAgain(_ action: Action) throws {
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
}
