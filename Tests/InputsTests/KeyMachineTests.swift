import Configuration
import Testing

@testable import Inputs

private let left = KeyMachine.Key(device: 0, code: 105)
private let start: UInt64 = 5_000_000_000

private func event(
  _ phase: ButtonEvent.Phase, _ action: Action, after milliseconds: UInt64
) -> ButtonEvent {
  ButtonEvent(
    origin: "KEY_LEFT", action: action, phase: phase, time: start + milliseconds * ms)
}

private func pressed(_ action: Action) -> (KeyMachine, [ButtonEvent]) {
  var machine = KeyMachine()
  var events: [ButtonEvent] = []
  machine.press(left, "KEY_LEFT", action, time: start, into: &events)
  return (machine, events)
}

@Test func aKeyIsPressedAtOnceAndReleased() {
  var (machine, events) = pressed(.panLeft)
  #expect(events == [event(.press, .panLeft, after: 0)])
  machine.release(left, time: start + 599 * ms, into: &events)
  #expect(events.dropFirst() == [event(.release, .panLeft, after: 599)])
  #expect(machine.deadline == nil)
}

@Test func aHeldPanGoesOnAfter600Milliseconds() {
  var (machine, events) = pressed(.panLeft)
  #expect(machine.deadline == start + 600 * ms)
  machine.advance(to: start + 599 * ms, into: &events)
  #expect(events.count == 1)
  machine.advance(to: start + 650 * ms, into: &events)
  #expect(events.dropFirst() == [event(.hold, .panLeft, after: 600)])
  machine.advance(to: start + 900 * ms, into: &events)
  machine.release(left, time: start + 1000 * ms, into: &events)
  #expect(events.dropFirst(2) == [event(.release, .panLeft, after: 1000)])
}

@Test func aHoldThatTheLoopSleptThroughIsToldBeforeItsRelease() {
  var (machine, events) = pressed(.zoomIn)
  machine.release(left, time: start + 900 * ms, into: &events)
  #expect(
    events.dropFirst() == [
      event(.hold, .zoomIn, after: 600), event(.release, .zoomIn, after: 900),
    ])
}

@Test func otherActionsHaveNoHold() {
  var (machine, events) = pressed(.home)
  machine.release(left, time: start + 5000 * ms, into: &events)
  #expect(events.dropFirst() == [event(.release, .home, after: 5000)])
}

@Test func aStuckKeyIsReleasedAfterAMinuteAndMeansNothingUntilItComesUp() {
  var (machine, events) = pressed(.panLeft)
  machine.advance(to: start + 61_000 * ms, into: &events)
  let ended = [event(.hold, .panLeft, after: 600), event(.release, .panLeft, after: 60_000)]
  #expect(events.dropFirst() == ended[...])
  #expect(machine.stuck == ["KEY_LEFT"])
  #expect(machine.deadline == nil)
  machine.press(left, "KEY_LEFT", .panLeft, time: start + 62_000 * ms, into: &events)
  machine.release(left, time: start + 63_000 * ms, into: &events)
  #expect(events.count == 3)
  #expect(machine.stuck == [])
  machine.press(left, "KEY_LEFT", .panLeft, time: start + 64_000 * ms, into: &events)
  #expect(events.dropFirst(3) == [event(.press, .panLeft, after: 64_000)])
}

@Test func theKeysOfALostDeviceComeUpAndNoOthers() {
  var (machine, events) = pressed(.panLeft)
  let other = KeyMachine.Key(device: 1, code: 105)
  machine.press(other, "KEY_LEFT", .panLeft, time: start + ms, into: &events)
  machine.releaseAll(of: 0, time: start + 2 * ms, into: &events)
  #expect(events.dropFirst(2) == [event(.release, .panLeft, after: 2)])
  machine.release(left, time: start + 3 * ms, into: &events)
  #expect(events.count == 3)
  machine.release(other, time: start + 4 * ms, into: &events)
  #expect(events.count == 4)
}

@Test func noDeviceFillsTheMemoryWithKeys() {
  var machine = KeyMachine()
  var events: [ButtonEvent] = []
  for code in 0..<UInt16(1000) {
    let key = KeyMachine.Key(device: 0, code: code)
    machine.press(key, "KEY", .home, time: start, into: &events)
  }
  #expect(events.count == KeyMachine.limit)
}
