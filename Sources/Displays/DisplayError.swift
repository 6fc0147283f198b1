/// Why a display cannot be opened or used, and what would be right.
public struct DisplayError: Error, Sendable, Equatable, CustomStringConvertible {
  public var reason: String

  public init(_ reason: String) { self.reason = reason }

  public var description: String { reason }
}
