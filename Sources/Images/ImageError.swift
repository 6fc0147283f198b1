/// Why a picture cannot be decoded or written.
public struct ImageError: Error, Sendable, Equatable, CustomStringConvertible {
  /// What is wrong and, if known, what would be right, for people. It names no file, because only
  /// the caller knows which one it was.
  public var reason: String

  /// Creates an error with its reason.
  public init(_ reason: String) { self.reason = reason }

  /// The reason.
  public var description: String { reason }

  static let noMemory = ImageError("not enough memory to decode it")
}
