import Configuration

/// What someone does with a button, a key, a dial or a chord, with what it is configured to mean.
///
/// A press that is held longer goes on with `hold`; either ends with `release`. A button whose hold
/// has an action of its own, and one that may become part of a chord, cannot know at first what is
/// meant: its `press` comes when that is decided, with the time at which the button went down.
public struct ButtonEvent: Sendable, Equatable {
  /// Which part of a press it is.
  public enum Phase: String, Sendable {
    /// The action is meant once.
    case press
    /// The button is still down: the action lasts until `release` (pans and zooms), or it is the
    /// hold's own action, meant once.
    case hold
    /// The button is up again, or was given up as stuck. Always follows a `press` or a `hold`.
    case release
  }

  /// Which one: "gpio 17", "gpio GPIO17", "gpio 17+27", "KEY_LEFT".
  public var origin: String
  /// What is to be done.
  public var action: Action
  /// Which part of the press it is.
  public var phase: Phase
  /// When it happened at the button: CLOCK_MONOTONIC in nanoseconds, the kernel's where it says.
  public var time: UInt64

  /// An event at `time`, in nanoseconds of CLOCK_MONOTONIC.
  public init(origin: String, action: Action, phase: Phase, time: UInt64) {
    self.origin = origin
    self.action = action
    self.phase = phase
    self.time = time
  }
}
