import Control
import Kiosk

/// What `source.add` and `overlay.add` have in common: whose paths are checked, and how a medium
/// that is slow is told.
extension ControlService {
  /// Calls `add` for a trusted caller at once, and for others when `check` has told that the paths
  /// are theirs to name.
  func whenAllowed<Method: ControlMethod>(
    _ reply: ControlReply<Method>, checking check: (@escaping (ControlError?) -> Void) -> Void,
    _ add: @escaping () throws(ControlError) -> Void
  ) throws(ControlError) {
    if reply.isTrusted { return try add() }
    var isChecked = false
    deadlines.add(reply, latePaths, while: { !isChecked })
    check { error in
      isChecked = true
      if let error { return reply.fail(error) }
      // Who was refused in time is not to find it added later.
      if reply.isAnswered { return }
      do throws(ControlError) { try add() } catch { reply.fail(error) }
    }
  }

  /// The answer to a call whose source or overlay `name` is not open in time; `outcome`: what
  /// becomes of it.
  func late(_ name: String, _ outcome: String) -> ControlError {
    ControlError(
      code: ControlError.timedOut,
      message: "\(name) is not open after \(deadlines.seconds) s: its medium is slow or"
        + " hangs; \(outcome)",
      data: ["name": .string(name)])
  }

  /// The answer to a call whose paths could not be looked at in time.
  private var latePaths: ControlError {
    ControlError(
      code: ControlError.timedOut,
      message: "where the paths lead is not known after \(deadlines.seconds) s: their medium is"
        + " slow or hangs; nothing was added")
  }
}
