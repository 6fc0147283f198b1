/// Makes steps of the two lines of a rotary encoder, one for each detent of an encoder that goes
/// through all four states from detent to detent (as nearly all with detents do; one with two
/// detents a cycle steps at every second).
///
/// Clockwise is when the first line becomes active before the second: (first, second) goes 00, 10,
/// 11, 01, 00. Bounce needs no time to be told from turning: it goes to a neighbour state and back.
/// What turns back before the next detent, and a jump over a state, gives no step.
public struct QuadratureDecoder: Sendable, Equatable {
  /// One detent of the dial.
  public enum Step: Sendable, Equatable { case clockwise, counterclockwise }

  private var state: Int
  /// The state of the detents: steps are told when it is reached again.
  private let rest: Int
  /// Quarters of a cycle since the last detent, clockwise positive.
  private var quarters = 0

  /// Quarters by (old state, new state), a state being 2·first + second. 0 too where both lines
  /// changed: which way it went is not known.
  private static let turns: [Int8] = [
    0, -1, 1, 0,
    1, 0, 0, -1,
    -1, 0, 0, 1,
    0, 1, -1, 0,
  ]

  /// - Parameters: the lines' levels now, active true. Where they are the same, the encoder is
  ///   taken to stand at a detent, be its contacts open there or closed; else detents are where
  ///   both are open.
  public init(first: Bool, second: Bool) {
    state = Self.state(first, second)
    rest = state == 3 ? 3 : 0
  }

  /// The lines' levels now. Gives a step when a detent is reached by a full cycle.
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
