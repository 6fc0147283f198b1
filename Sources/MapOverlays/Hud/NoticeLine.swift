/// Something that people must know, on the banner at the top.
public struct NoticeLine: Equatable, Sendable {
  /// How bad it is, which decides its sign and colour.
  public enum Severity: String, Sendable, CaseIterable { case info, warning, danger }

  /// What it says.
  public var text: String
  /// How bad it is.
  public var severity: Severity

  /// Creates a notice.
  ///
  /// - Parameters:
  ///   - text: What it says.
  ///   - severity: How bad it is.
  public init(text: String, severity: Severity) {
    self.text = text
    self.severity = severity
  }
}
