/// Why a file cannot be decoded.
public struct ImageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// For people: what is wrong and, where it can be known, what would be right. Names no file; the
  /// caller knows which tile it was.
  public var reason: String

  /// An error for `reason`.
  public init(_ reason: String) { self.reason = reason }

  /// The reason.
  public var description: String { reason }

  static let noMemory = ImageError("not enough memory to decode it")
}
