/// Something that people must know, on the banner at the top.
public struct NoticeLine: Equatable, Sendable {
  /// How bad it is, which decides its sign and colour.
  public enum Severity: String, Sendable, CaseIterable { case info, warning, danger }

  /// What it says.
  public var text: String
  /// How bad it is.
  public var severity: Severity
  /// What is closed, in a few words, for a single line that is too narrow for the text; empty:
  /// nothing is.
  public var short: String

  /// Creates a notice.
  ///
  /// - Parameters:
  ///   - text: What it says.
  ///   - severity: How bad it is.
  ///   - short: What is closed, in a few words; empty: nothing is.
  public init(text: String, severity: Severity, short: String = "") {
    self.text = text
    self.severity = severity
    self.short = short
  }
}
