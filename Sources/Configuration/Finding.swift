/// One thing that a check of the configuration found.
public struct Finding: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Severity: String, Sendable { case error, warning }

  /// The file's name as it was given.
  public var file: String
  /// Counted from 1; 1 too where the finding is about the whole file.
  public var line: Int
  public var severity: Severity
  /// What is wrong, and what would be right.
  public var text: String

  public init(file: String, line: Int, severity: Severity, text: String) {
    self.file = file
    self.line = line
    self.severity = severity
    self.text = text
  }

  /// `FILE:LINE: error: what, and what would be right`, on one line.
  public var description: String { "\(file.escaped):\(line): \(severity): \(text.escaped)" }
}

/// What a check collects its findings in.
final class Findings {
  private(set) var all: [Finding] = []
  private var known: Set<Finding> = []

  func add(_ finding: Finding) {
    if known.insert(finding).inserted { all.append(finding) }
  }

  func error(_ text: String, at origin: ConfigValue.Origin) {
    add(Finding(file: origin.file, line: origin.line, severity: .error, text: text))
  }

  func warning(_ text: String, at origin: ConfigValue.Origin) {
    add(Finding(file: origin.file, line: origin.line, severity: .warning, text: text))
  }
}
