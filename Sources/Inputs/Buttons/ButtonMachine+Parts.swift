import Configuration

/// The times that decide what a button means, in nanoseconds.
public enum ButtonTiming {
  /// A button that is part of a chord waits so long for the others before its own press counts;
  /// less if it is released earlier, as in most presses.
  public static let chordWindow: UInt64 = 250_000_000
  /// A button that is down for so long is stuck: it is released, and says nothing more until it
  /// was up. Where the hold only begins later than that, counted from there.
  public static let stuckAfter: UInt64 = 60_000_000_000
}

extension ButtonMachine {
  /// A button and what it does.
  public struct Button: Sendable, Equatable {
    /// As in `ButtonEvent`.
    public var origin: String
    /// What a press does.
    public var action: Action
    /// What holding it does.
    public var hold: Configuration.Gpio.Hold
    /// Nanoseconds.
    public var holdAfter: UInt64

    /// A button; `holdAfter` is in seconds.
    public init(
      origin: String, action: Action, hold: Configuration.Gpio.Hold, holdAfter: UInt64 = 600_000_000
    ) {
      (self.origin, self.action) = (origin, action)
      (self.hold, self.holdAfter) = (hold, holdAfter)
    }

    var hasOwnHold: Bool { if case .action = hold { true } else { false } }
  }

  /// Buttons that do something else when pressed together.
  public struct Chord: Sendable, Equatable {
    /// What events call it.
    public var origin: String
    /// Two or more; they need no meaning of their own.
    public var members: [ID]
    /// What pressing them together does.
    public var action: Action

    /// A chord of at least two buttons.
    public init(origin: String, members: [ID], action: Action) {
      (self.origin, self.members, self.action) = (origin, members, action)
    }
  }
}
