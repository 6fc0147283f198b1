/// Why a display cannot be opened or used, and what would be right.
public struct DisplayError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, and what would be right.
  public var reason: String

  /// Creates an error; `reason` is one sentence for the user.
  public init(_ reason: String) { self.reason = reason }

  /// The reason.
  public var description: String { reason }
}
