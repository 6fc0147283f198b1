/// Turns the two lines of a rotary encoder into steps, one per detent. It is made for encoders that
/// pass through all four states between detents, as nearly all do. An encoder with two detents per
/// cycle steps at every second one.
///
/// Clockwise means that the first line becomes active before the second: (first, second) goes 00,
/// 10, 11, 01, 00. Bounce cancels itself out, since it goes to a neighbouring state and back, so no
/// debouncing is needed. Turning back before the next detent, or skipping a state, gives no step.
public struct QuadratureDecoder: Sendable, Equatable {
  /// One detent of the dial.
  public enum Step: Sendable, Equatable { case clockwise, counterclockwise }

  private var state: Int
  /// The state at the detents. Steps are reported when it is reached again.
  private let rest: Int
  /// Quarter cycles since the last detent; clockwise is positive.
  private var quarters = 0

  /// Quarter cycles by (old state, new state), where a state is 2·first + second. 0 if both lines
  /// changed, as the direction is then unknown.
  private static let turns: [Int8] = [
    0, -1, 1, 0,
    1, 0, 0, -1,
    -1, 0, 0, 1,
    0, 1, -1, 0,
  ]

  /// Creates a decoder for the lines' present levels.
  ///
  /// If both lines are equal, the encoder is taken to rest at a detent now, with its contacts open
  /// or closed. Otherwise detents are taken to be where both lines are inactive.
  ///
  /// - Parameters:
  ///   - first: Whether the first line is active.
  ///   - second: Whether the second line is active.
  public init(first: Bool, second: Bool) {
    state = Self.state(first, second)
    rest = state == 3 ? 3 : 0
  }

  /// Takes the lines' present levels. Returns a step when a full cycle reaches a detent.
  public mutating func update(first: Bool, second: Bool) -> Step? {
    let next = Self.state(first, second)
    quarters += Int(Self.turns[state * 4 + next])
    state = next
    guard state == rest else { return nil }
    let turned = quarters
    quarters = 0
    return turned >= 4 ? .clockwise : turned <= -4 ? .counterclockwise : nil
  }

  private static func state(_ first: Bool, _ second: Bool) -> Int {
    (first ? 2 : 0) + (second ? 1 : 0)
  }
}
