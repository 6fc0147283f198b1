import Configuration

/// The times that decide what a press means, in nanoseconds.
public enum ButtonTiming {
  /// How long a button that is part of a chord waits for the others before its own press counts. A
  /// release ends the wait.
  public static let chordWindow: UInt64 = 250_000_000
  /// A button that is down for this long is stuck: it is released, and ignored until it comes up.
  /// If its hold begins no earlier than that, this time counts from the hold.
  public static let stuckAfter: UInt64 = 60_000_000_000
}

extension ButtonMachine {
  /// A button and its actions.
  public struct Button: Sendable, Equatable {
    /// The button's name, as in `ButtonEvent`.
    public var origin: String
    /// What pressing it does.
    public var action: Action
    /// What holding it does.
    public var hold: Configuration.Gpio.Hold
    /// How long to press for a hold, in nanoseconds.
    public var holdAfter: UInt64

    /// Creates a button; `holdAfter` is in nanoseconds.
    public init(
      origin: String, action: Action, hold: Configuration.Gpio.Hold, holdAfter: UInt64 = 600_000_000
    ) {
      (self.origin, self.action) = (origin, action)
      (self.hold, self.holdAfter) = (hold, holdAfter)
    }

    var hasOwnHold: Bool { if case .action = hold { true } else { false } }
  }

  /// Buttons with an action of their own when pressed together.
  public struct Chord: Sendable, Equatable {
    /// The chord's name, as in `ButtonEvent`.
    public var origin: String
    /// The buttons, at least two. They need no actions of their own.
    public var members: [ID]
    /// What pressing them together does.
    public var action: Action

    /// Creates a chord of at least two buttons.
    public init(origin: String, members: [ID], action: Action) {
      (self.origin, self.members, self.action) = (origin, members, action)
    }
  }
}
