import Platform

/// One thing that a check of the configuration found.
public struct Finding: Error, Sendable, Hashable, CustomStringConvertible {
  /// How bad it is: with an error the configuration is not used.
  public enum Severity: String, Sendable { case error, warning }

  /// The file's name as it was given.
  public var file: String
  /// Counted from 1; 1 too where the finding is about the whole file.
  public var line: Int
  /// How bad it is.
  public var severity: Severity
  /// What is wrong, and what would be right.
  public var text: String

  /// A finding on one line of a file.
  public init(file: String, line: Int, severity: Severity, text: String) {
    self.file = file
    self.line = line
    self.severity = severity
    self.text = text
  }

  /// `FILE:LINE: error: what, and what would be right`, on one line.
  public var description: String { "\(file.escaped):\(line): \(severity): \(text.escaped)" }
}

/// Collects the findings of a check: each once, and at most `limit` of them.
final class Findings {
  /// More findings than anybody reads. It bounds the cost of a hostile file.
  static let limit = 200

  private(set) var all: [Finding] = []
  private var known: Set<Finding> = []
  /// Whether further findings are only counted: no advice need be worked out for them.
  private(set) var isFull = false

  func add(_ finding: Finding) {
    guard !isFull, known.insert(finding).inserted else { return }
    all.append(finding)
    if all.count < Self.limit { return }
    isFull = true
    all.append(
      Finding(
        file: finding.file, line: finding.line, severity: .error,
        text: "there are more findings; \(Self.limit) are shown"))
  }

  /// The name among `known` that is closest to `name`, for advice; nil where there is none, or no
  /// room for another finding.
  func nearest(to name: String, in known: [String]) -> String? {
    isFull ? nil : NearestName.closest(to: name, in: Array(known.prefix(256)))
  }

  func error(_ text: String, at origin: ConfigValue.Origin) {
    add(Finding(file: origin.file, line: origin.line, severity: .error, text: text))
  }

  func warning(_ text: String, at origin: ConfigValue.Origin) {
    add(Finding(file: origin.file, line: origin.line, severity: .warning, text: text))
  }
}
