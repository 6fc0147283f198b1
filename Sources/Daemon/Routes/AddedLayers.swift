import Control
import Kiosk

/// What `source.add` and `overlay.add` have in common: checking the caller's paths, and the reply
/// if a medium is slow.
extension ControlService {
  /// Calls `add` at once for a trusted caller, and for others once `check` has found that they may
  /// name these paths.
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
      // A caller that was refused in time must not find it added later.
      if reply.isAnswered { return }
      do throws(ControlError) { try add() } catch { reply.fail(error) }
    }
  }

  /// The reply to a call whose source or overlay `name` is not open in time; `outcome` says what
  /// happens to it.
  func late(_ name: String, _ outcome: String) -> ControlError {
    ControlError(
      code: ControlError.timedOut,
      message: "\(name) is not open after \(deadlines.seconds) s: its medium is slow or"
        + " hangs; \(outcome)",
      data: ["name": .string(name)])
  }

  /// The reply to a call whose paths could not be checked in time.
  private var latePaths: ControlError {
    ControlError(
      code: ControlError.timedOut,
      message: "where the paths lead is not known after \(deadlines.seconds) s: their medium is"
        + " slow or hangs; nothing was added")
  }
}
