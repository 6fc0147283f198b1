import Configuration
import EventLoop
import Inputs
import MapOverlays

/// Fingers on the plates over the map. A slot of the legend does what its button does, and nothing
/// that a plate hides is touched.
extension Kiosk {
  /// Handles a tap at the point (x, y) of the view, in points, if a plate is there. Returns whether
  /// one is.
  func tapPlate(x: Double, y: Double) -> Bool {
    guard let part = overMap.touched(x: x, y: y, in: shownView) else { return false }
    switch part {
    case .legend(let slot):
      if let touch = overMap.legendTouch(slot) { performSlot(touch.press) }
    case .north: performSlot(.northUp)
    case .card: performSlot(.home)
    case .noticeSign:
      // Closes what the notices make way for.
      deselectLine()
      _ = overMap.showMapKey(false)
    case .panel, .notices, .other: break
    }
    return true
  }

  /// Handles a finger that rests at the point (x, y) of the view, in points: on a slot of the
  /// legend, it does what holding the button does.
  func hold(x: Double, y: Double) {
    guard case .legend(let slot)? = overMap.touched(x: x, y: y, in: shownView),
      let touch = overMap.legendTouch(slot)
    else { return }
    inputs.spendTouch()
    switch touch.hold {
    case .action(let action): performSlot(action)
    case .nothing: performSlot(touch.press)
    case .repeating: tellSlot(touch.press, .hold)
    }
  }

  /// The finger that was held on a slot left.
  func releaseSlot() { tellSlot(.none, .release) }

  private func tellSlot(_ action: Action, _ phase: ButtonEvent.Phase) {
    let event = ButtonEvent(
      origin: InputInterpreter.slot, action: action, phase: phase, time: EventLoop.now())
    carryOut(inputs.interpret(event, isAsleep: power.isAsleep, isDriven: view.isDriven), event)
  }

  private func performSlot(_ action: Action) {
    if let reason = perform(action) {
      outbox.logRepeated(.notice, "\(InputInterpreter.slot): \(reason)")
    }
  }
}
