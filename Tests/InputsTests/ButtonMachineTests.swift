import Configuration
import Inputs
import Testing

typealias Machine = ButtonMachine<Int>

let ms: UInt64 = 1_000_000

/// "1 press 0", "1+2 release 80": origin, phase, milliseconds; the action too where it is not the
/// button's own.
func told(_ events: [ButtonEvent]) -> [String] {
  events.map { event in
    let own: [String: Action] = ["1": .panLeft, "2": .zoomIn, "3": .home]
    let action = own[event.origin].map { $0 == event.action ? "" : " \(event.action)" } ?? ""
    return "\(event.origin) \(event.phase)\(action) \(event.time / ms)"
  }
}

/// Button 1 repeats, 2 has a hold of its own, 3 does nothing when held.
func machine(_ chords: [Machine.Chord] = []) -> Machine {
  Machine(
    buttons: [
      (1, .init(origin: "1", action: .panLeft, hold: .repeating)),
      (2, .init(origin: "2", action: .zoomIn, hold: .action(.sleep), holdAfter: 400 * ms)),
      (3, .init(origin: "3", action: .home, hold: .nothing)),
    ], chords: chords)
}

@Suite struct ButtonMachineTests {
  @Test func aPressIsToldAtOnceAndItsReleaseWhenItIsUp() {
    var m = machine()
    #expect(told(m.down(1, at: 100 * ms)) == ["1 press 100"])
    #expect(told(m.up(1, at: 180 * ms)) == ["1 release 180"])
    #expect(m.deadline == nil)
  }

  @Test func aRepeatingButtonIsHeldFromItsTimeUntilItIsUp() {
    var m = machine()
    _ = m.down(1, at: 100 * ms)
    #expect(m.deadline == 700 * ms)
    #expect(told(m.tick(700 * ms - 1)) == [])
    #expect(told(m.tick(700 * ms)) == ["1 hold 700"])
    #expect(told(m.up(1, at: 900 * ms)) == ["1 release 900"])
  }

  @Test func aButtonWhoseHoldDoesNothingIsNotHeld() {
    var m = machine()
    _ = m.down(3, at: 0)
    #expect(m.tick(10_000 * ms) == [])
    #expect(told(m.up(3, at: 20_000 * ms)) == ["3 release 20000"])
  }

  @Test func aHoldOfItsOwnComesInsteadOfThePress() {
    var m = machine()
    #expect(m.down(2, at: 0) == [])
    #expect(told(m.tick(400 * ms)) == ["2 hold sleep 400"])
    #expect(told(m.up(2, at: 600 * ms)) == ["2 release sleep 600"])
  }

  @Test func aButtonWithAHoldOfItsOwnIsPressedWhenItIsReleasedEarlier() {
    var m = machine()
    _ = m.down(2, at: 50 * ms)
    #expect(told(m.up(2, at: 449 * ms)) == ["2 press 50", "2 release 449"])
    _ = m.down(2, at: 1000 * ms)
    // Seen late: what came first counts.
    #expect(told(m.up(2, at: 1400 * ms)) == ["2 hold sleep 1400", "2 release sleep 1400"])
  }

  @Test func aStuckButtonIsReleasedAndSaysNothingMoreUntilItWasUp() {
    var m = machine()
    for (id, held) in [(1, "1 hold 600"), (2, "2 hold sleep 400"), (3, nil)] {
      let pressed = told(m.down(id, at: 0) + m.tick(59_999 * ms))
      #expect(pressed.last == held ?? "3 press 0")
      #expect(m.deadline == ButtonTiming.stuckAfter)
      let action = id == 2 ? " sleep" : ""
      #expect(told(m.tick(60_000 * ms)) == ["\(id) release\(action) 60000"])
      #expect(m.deadline == nil)
      #expect(m.up(id, at: 70_000 * ms) == [])
      #expect(told(m.down(3, at: 70_000 * ms) + m.up(3, at: 70_001 * ms)).count == 2)
    }
  }

  @Test func aHoldThatBeginsLateIsGivenItsTime() {
    var m = Machine(buttons: [
      (1, .init(origin: "1", action: .panLeft, hold: .repeating, holdAfter: 90_000 * ms))
    ])
    _ = m.down(1, at: 0)
    #expect(told(m.tick(90_000 * ms)) == ["1 hold 90000"])
    #expect(told(m.tick(1_000_000 * ms)) == ["1 release 150000"])
    var never = Machine(buttons: [
      (1, .init(origin: "1", action: .panLeft, hold: .repeating, holdAfter: .max))
    ])
    _ = never.down(1, at: 5)
    #expect(never.deadline == nil)
  }

  @Test func aLostReleaseIsMadeUpFor() {
    var m = machine()
    _ = m.down(1, at: 0)
    #expect(told(m.down(1, at: 200 * ms)) == ["1 release 200", "1 press 200"])
    #expect(told(m.up(1, at: 300 * ms)) == ["1 release 300"])
  }

  @Test func aReleaseWithoutAPressAndAnUnknownButtonAreIgnored() {
    var m = machine()
    #expect(m.up(1, at: 0) == [])
    #expect(m.down(9, at: 1) == [])
    #expect(m.up(9, at: 2) == [])
    #expect(m.cancel(9, at: 2) == [])
    #expect(m.deadline == nil)
    // Nothing is left to release.
    #expect(told(m.down(1, at: 3 * ms)) == ["1 press 3"])
  }

  @Test func aButtonThatIsTakenAwayIsReleasedAndDoesNothingNew() {
    var m = machine([.init(origin: "1+3", members: [1, 3], action: .follow)])
    _ = m.down(2, at: 0)
    #expect(m.cancel(2, at: 10 * ms) == [])
    _ = m.down(1, at: 20 * ms)
    #expect(m.cancel(1, at: 30 * ms) == [])
    _ = m.down(1, at: 1000 * ms)
    #expect(told(m.tick(1700 * ms)) == ["1 press 1000", "1 hold 1600"])
    #expect(told(m.cancel(1, at: 1800 * ms)) == ["1 release 1800"])
    #expect(m.deadline == nil)
    // Nothing is left to release.
    for id in [1, 2, 3] { #expect(m.cancel(id, at: 1900 * ms) == []) }
  }
}
