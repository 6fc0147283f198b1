/// Why a file of features cannot be drawn.
public struct FeatureError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file, or what stands for it ("geojson" for what came over the socket).
  public var file: String
  /// The line that the reason is about, from 1; nil where the whole file is meant.
  public var line: Int?
  /// What is wrong, and what would be right.
  public var reason: String

  public init(file: String, line: Int? = nil, reason: String) {
    self.file = file
    self.line = line
    self.reason = reason
  }

  public var description: String {
    line.map { "\(file):\($0): \(reason)" } ?? "\(file): \(reason)"
  }
}
