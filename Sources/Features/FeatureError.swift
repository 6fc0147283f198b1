/// Why a file of features cannot be read, or which part of it was left out.
public struct FeatureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file's path, or "geojson" for features that came over the socket.
  public var file: String
  /// The line, counted from 1; nil if the error is about the whole file.
  public var line: Int?
  /// What is wrong, and what would be right.
  public var reason: String

  /// Creates an error about a file, or about a line of it.
  public init(file: String, line: Int? = nil, reason: String) {
    self.file = file
    self.line = line
    self.reason = reason
  }

  /// "FILE:LINE: REASON", or "FILE: REASON" without a line.
  public var description: String {
    line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)"
  }
}
