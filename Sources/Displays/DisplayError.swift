/// Why a display cannot be opened or used, and what would be right.
public struct DisplayError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong, and what would be right.
  public var reason: String

  /// An error with its reason.
  public init(_ reason: String) { self.reason = reason }

  /// The reason.
  public var description: String { reason }
}
