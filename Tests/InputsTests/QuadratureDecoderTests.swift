import Inputs
import Testing

/// Both lines' levels through one cycle clockwise, after 00.
private let cycle: [(Bool, Bool)] = [(true, false), (true, true), (false, true), (false, false)]

private func turn(_ decoder: inout QuadratureDecoder, _ states: [(Bool, Bool)])
  -> [QuadratureDecoder.Step]
{
  states.compactMap { decoder.update(first: $0.0, second: $0.1) }
}

@Suite struct QuadratureDecoderTests {
  @Test func aCycleIsOneStepWhenItsDetentIsReached() {
    var decoder = QuadratureDecoder(first: false, second: false)
    #expect(turn(&decoder, Array(cycle.prefix(3))).isEmpty)
    #expect(turn(&decoder, [cycle[3]]) == [.clockwise])
    let back = [(false, true), (true, true), (true, false), (false, false)]
    #expect(turn(&decoder, back) == [.counterclockwise])
  }

  @Test func detentsMayBeWhereBothContactsAreClosed() {
    var decoder = QuadratureDecoder(first: true, second: true)
    #expect(turn(&decoder, [(false, true), (false, false), (true, false)]).isEmpty)
    #expect(turn(&decoder, [(true, true)]) == [.clockwise])
    #expect(turn(&decoder, [(true, false), (false, false)]).isEmpty)
    #expect(turn(&decoder, [(false, true), (true, true)]) == [.counterclockwise])
  }

  @Test func aStartBetweenDetentsTakesThemWhereBothContactsAreOpen() {
    var decoder = QuadratureDecoder(first: true, second: false)
    #expect(turn(&decoder, [cycle[1], cycle[2], cycle[3]]).isEmpty)
    #expect(turn(&decoder, cycle) == [.clockwise])
  }

  @Test func bounceOfEitherLineAtEveryStateIsNoStep() {
    var decoder = QuadratureDecoder(first: false, second: false)
    var (before, steps): ((Bool, Bool), [QuadratureDecoder.Step]) = ((false, false), [])
    for state in cycle + cycle + cycle {
      for _ in 0..<5 { steps += turn(&decoder, [state, before]) }
      steps += turn(&decoder, [state])
      before = state
    }
    // Bouncing at the detent's edge, the last change comes first and is undone: no second step.
    #expect(steps == [.clockwise, .clockwise, .clockwise])
  }

  @Test func aJumpOverAStateIsNoStepInEitherDirection() {
    var decoder = QuadratureDecoder(first: false, second: false)
    #expect(turn(&decoder, [(true, true), (false, false)]).isEmpty)
    #expect(turn(&decoder, [(true, false), (true, true), (false, false)]).isEmpty)
    #expect(turn(&decoder, [(true, true), (true, false), (false, false)]).isEmpty)
    #expect(turn(&decoder, cycle) == [.clockwise])
  }

  @Test func theSameLevelsAgainAreNoStep() {
    var decoder = QuadratureDecoder(first: false, second: false)
    #expect(turn(&decoder, cycle.flatMap { [$0, $0, $0] }) == [.clockwise])
  }

  /// Every way of twelve quarter turns, against the dial's position.
  @Test func everyWayGivesAStepForEachDetentReached() {
    let states: [(Bool, Bool)] = [(false, false), (true, false), (true, true), (false, true)]
    for way in 0..<4096 {
      for rest in [0, 2] {
        var decoder = QuadratureDecoder(first: states[rest].0, second: states[rest].1)
        var (position, detent) = (0, 0)
        for bit in 0..<12 {
          position += way >> bit & 1 == 1 ? 1 : -1
          let state = states[((position + rest) % 4 + 4) % 4]
          var expected: QuadratureDecoder.Step?
          if position % 4 == 0, position / 4 != detent {
            expected = position / 4 > detent ? .clockwise : .counterclockwise
            detent = position / 4
          }
          let step = decoder.update(first: state.0, second: state.1)
          if step != expected { Issue.record("way \(way), quarter \(bit)") }
        }
      }
    }
  }
}
