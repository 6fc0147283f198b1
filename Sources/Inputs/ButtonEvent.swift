import Configuration

/// What someone does with a button, a key, a dial or a chord, with the action configured for it.
///
/// A press that lasts long enough continues with `hold`; both end with `release`. If a button's
/// hold has its own action, or the button may become part of a chord, its `press` comes only once
/// the meaning is clear, with the time at which the button went down.
public struct ButtonEvent: Sendable, Equatable {
  /// The part of a press.
  public enum Phase: String, Sendable {
    /// Perform the action once.
    case press
    /// The button is still down. A pan or zoom continues until `release`; a hold's own action is
    /// performed once.
    case hold
    /// The button is up again, or is taken for stuck. Always follows a `press` or a `hold`.
    case release
  }

  /// The button's name: "gpio 17", "gpio GPIO17", "gpio 17+27", "KEY_LEFT".
  public var origin: String
  /// The action to perform.
  public var action: Action
  /// The part of the press.
  public var phase: Phase
  /// When it happened, in nanoseconds of CLOCK_MONOTONIC: the kernel's time if it gives one.
  public var time: UInt64

  /// Creates an event at `time`, in nanoseconds of CLOCK_MONOTONIC.
  public init(origin: String, action: Action, phase: Phase, time: UInt64) {
    self.origin = origin
    self.action = action
    self.phase = phase
    self.time = time
  }
}
