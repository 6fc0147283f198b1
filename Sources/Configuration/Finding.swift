import Platform

/// One thing that a check of the configuration found.
public struct Finding: Error, Sendable, Hashable, CustomStringConvertible {
  /// How severe a finding is. A configuration with an error is not used.
  public enum Severity: String, Sendable { case error, warning }

  /// The file's name as it was given on the command line or found.
  public var file: String
  /// The line, counted from 1; 1 if the finding is about the whole file.
  public var line: Int
  /// Whether the finding is an error or a warning.
  public var severity: Severity
  /// What is wrong, and what would be right. May contain control characters from the file, which
  /// `description` escapes.
  public var text: String

  /// Creates a finding about `line`, counted from 1.
  public init(file: String, line: Int, severity: Severity, text: String) {
    self.file = file
    self.line = line
    self.severity = severity
    self.text = text
  }

  /// `FILE:LINE: error: what, and what would be right`, on one line.
  public var description: String { "\(file.escaped):\(line): \(severity): \(text.escaped)" }
}

/// Collects the findings of a check, each once and at most `limit` of them.
final class Findings {
  /// More than anybody reads; bounds the cost of a hostile file.
  static let limit = 200

  private(set) var all: [Finding] = []
  private var known: Set<Finding> = []
  /// Whether the limit is reached. Further findings are only counted, so no advice has to be worked
  /// out for them.
  private(set) var isFull = false
  /// Called with the full name of each key that is asked for; nil: nobody wants to know.
  var onKey: ((String) -> Void)?

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

  /// The name in `known` that is closest to `name`, for advice; nil if `known` is empty or the
  /// limit of findings is reached.
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
