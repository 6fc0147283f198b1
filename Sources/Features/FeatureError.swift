/// Why a file of features cannot be read, or what of it was left out.
public struct FeatureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file, or what stands for it ("geojson" for what came over the socket).
  public var file: String
  /// The line in question, from 1; nil if it is about the whole file.
  public var line: Int?
  /// What is wrong, and what would be right.
  public var reason: String

  /// An error about a file, or a line of it.
  public init(file: String, line: Int? = nil, reason: String) {
    self.file = file
    self.line = line
    self.reason = reason
  }

  /// "FILE:LINE: REASON".
  public var description: String {
    line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)"
  }
}
