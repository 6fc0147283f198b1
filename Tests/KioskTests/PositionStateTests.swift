import Inputs
import MapGeometry
import Testing

@testable import Kiosk

@Suite struct PositionStateTests {
  private let second: UInt64 = 1_000_000_000
  private let start: UInt64 = 100_000_000_000

  /// A fix so many metres east and north of a place in the Alps.
  private func fix(
    _ east: Double, _ north: Double, heading: Double? = nil, speed: Double? = nil,
    accuracy: Double? = nil
  ) -> Fix {
    let place = GeoPoint(lat: 46 + north / 111_319.5, lon: 8 + east / (111_319.5 * 0.694658))
    return Fix(place: place, accuracy: accuracy, heading: heading, speed: speed)
  }

  /// Where the dot is, in metres east of the first place.
  private func east(_ state: PositionState, _ now: UInt64) -> Double {
    guard let place = state.pose(at: now)?.place else { return .nan }
    return (WebMercator.unproject(place).lon - 8) * 111_319.5 * 0.694658
  }

  /// A state that took a fix each second from `start` on.
  private func state(_ fixes: [Fix], _ source: PositionState.Source = .gpsd) -> PositionState {
    var state = PositionState()
    for (n, fix) in fixes.enumerated() {
      state.take(fix, from: source, now: start + UInt64(n) * second)
    }
    return state
  }

  @Test func withoutAFixNothingIsKnown() {
    let state = PositionState()
    #expect(state.pose(at: start) == nil)
    #expect(!state.isLost(at: start))
    #expect(!state.isSliding(at: start))
  }

  @Test func theFirstFixIsShownWhereItIs() {
    let state = state([fix(0, 0, heading: 30, speed: 5)])
    #expect(state.pose(at: start)?.heading == 30)
    #expect(!state.isSliding(at: start))
    #expect(state.endPlace == GeoPoint(lat: 46, lon: 8))
  }

  @Test func theDotSlidesEvenlyToANewFixAndComesToRest() {
    let state = state([fix(0, 0, speed: 10), fix(10, 0, speed: 10)])
    let now = start + second
    #expect(abs(east(state, now)) < 0.01)
    #expect(state.isSliding(at: now))
    var before = -1.0
    for tenth in 0...11 {
      let x = east(state, now + UInt64(tenth) * 100_000_000)
      #expect(x > before)
      before = x
    }
    #expect(!state.isSliding(at: now + 2 * second))
    #expect(abs(east(state, now + 2 * second) - 10) < 0.01)
    #expect(state.speed(at: now + 2 * second) == nil)
  }

  @Test func theDotNeverJumpsOrStopsWhileFixesComeEachSecond() {
    var state = PositionState()
    for n in 0..<10 {
      let now = start + UInt64(n) * second
      let before = east(state, now)
      state.take(fix(Double(n) * 20, 0, speed: 20), from: .gpsd, now: now)
      if n > 0 { #expect(abs(east(state, now) - before) < 1e-6) }
      if n > 0 { #expect(state.isSliding(at: now + second - 1)) }
    }
  }

  @Test func aFarPlaceIsShownAtOnce() {
    let state = state([fix(0, 0, speed: 10), fix(3000, 0, speed: 10)])
    #expect(!state.isSliding(at: start + second))
    #expect(abs(east(state, start + second) - 3000) < 1)
  }

  @Test func theWayOverTheDatelineIsTheShortOne() {
    var state = PositionState()
    let places = [179.9999, -179.9999]
    for (n, lon) in places.enumerated() {
      let fix = Fix(place: GeoPoint(lat: -17, lon: lon), speed: 10)
      state.take(fix, from: .gpsd, now: start + UInt64(n) * second)
    }
    #expect(state.isSliding(at: start + second))
    for tenth in 0...12 {
      let x = state.pose(at: start + second + UInt64(tenth) * 100_000_000)?.place.x ?? 0.5
      #expect(x >= 0 && x < 1)
      #expect(min(x, 1 - x) < 1e-6)
    }
  }

  @Test func theArrowTurnsTheShorterWay() {
    let state = state([fix(0, 0, heading: 350, speed: 10), fix(10, 0, heading: 20, speed: 10)])
    for tenth in 0...12 {
      let heading = state.pose(at: start + second + UInt64(tenth) * 100_000_000)?.heading ?? 180
      #expect(heading >= 350 || heading <= 20)
    }
    #expect(state.pose(at: start + 3 * second)?.heading == 20)
  }

  @Test func aUnitThatStandsKeepsItsPlaceAndHeading() {
    var wander = [fix(0, 0, heading: 90, speed: 5, accuracy: 12)]
    for n in 0..<20 {
      wander.append(
        fix(
          Double(n % 5) * 2 - 4, Double(n % 3) * 3 - 3, heading: Double(n * 77 % 360), speed: 0.3,
          accuracy: 12))
    }
    let state = state(wander)
    let end = start + 40 * second
    #expect(abs(east(state, end)) < 0.01)
    #expect(state.pose(at: end)?.heading == 90)
    #expect(!state.isSliding(at: start + 20 * second))
  }

  @Test func whoDriftsBeyondTheAccuracyIsMovedButNotTurned() {
    let state = state([
      fix(0, 0, heading: 90, speed: 5, accuracy: 5),
      fix(8, 0, heading: 200, speed: 0.3, accuracy: 5),
    ])
    #expect(abs(east(state, start + 9 * second) - 8) < 0.01)
    #expect(state.pose(at: start + 9 * second)?.heading == 90)
  }

  @Test func aReceiverWithoutSpeedMovesWhenItLeavesTheAccuracy() {
    let state = state([fix(0, 0), fix(6, 0), fix(-6, 0), fix(30, 0)])
    #expect(abs(east(state, start + 9 * second) - 30) < 0.01)
    // It went east.
    #expect(abs((state.pose(at: start + 9 * second)?.heading ?? 0) - 90) < 0.1)
    let still = self.state([fix(0, 0), fix(6, 0), fix(-6, 0)])
    #expect(abs(east(still, start + 9 * second)) < 0.01)
  }

  @Test func atFirstAStandingReceiversCourseMeansNothing() {
    #expect(state([fix(0, 0, heading: 77, speed: 0.1)]).pose(at: start)?.heading == nil)
    #expect(state([fix(0, 0, heading: 77)]).pose(at: start)?.heading == nil)
  }

  @Test func whatIsSaidOverTheSocketIsTakenAsItIsSaid() {
    let state = state([fix(0, 0, heading: 10), fix(2, 0, heading: 45)], .socket)
    #expect(abs(east(state, start + 9 * second) - 2) < 0.01)
    #expect(state.pose(at: start + 9 * second)?.heading == 45)
    #expect(self.state([fix(0, 0, heading: 45, speed: 0)], .socket).pose(at: start)?.heading == 45)
    let none = self.state([fix(0, 0, heading: 45), fix(2, 0)], .socket)
    #expect(none.pose(at: start + 9 * second)?.heading == nil)
  }

  @Test func aStandstillSaidOverTheSocketHoldsTheHeading() {
    let state = state(
      [fix(0, 0, heading: 10, speed: 9), fix(2, 0, heading: 45, speed: 0)], .socket)
    #expect(state.pose(at: start + 9 * second)?.heading == 10)
  }

  @Test func aFixThatStopsComingIsLostAfterFiveSeconds() {
    var state = state([fix(0, 0)])
    #expect(!state.isLost(at: start + 5 * second - 1))
    #expect(state.isLost(at: start + 5 * second))
    #expect(state.age(at: start + 12 * second) == 12)
    state.take(fix(0, 0), from: .gpsd, now: start + 12 * second)
    #expect(!state.isLost(at: start + 12 * second))
  }

  @Test(arguments: [
    (5.0, 5), (59.9, 59), (60, 60), (3599, 3540), (3600, 3600), (86_399, 82_800),
    (86_400, 86_400), (1e300, 999_993_600), (-3, 0),
  ])
  func anAgeIsToldInStepsOfItsLargestUnit(_ seconds: Double, _ told: Int) {
    #expect(PositionState.toldAge(seconds) == told)
  }

  @Test func severalReportsOfOneMomentDoNotMakeTheDotHurry() {
    var state = PositionState()
    for n in 0..<6 {
      let now = start + UInt64(n) * second
      state.take(fix(Double(n) * 10, 0, speed: 10), from: .gpsd, now: now)
      state.take(fix(Double(n) * 10, 0, speed: 10), from: .gpsd, now: now + 3_000_000)
    }
    #expect(state.isSliding(at: start + 6 * second - 1))
  }
}
