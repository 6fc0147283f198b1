/// Something that people must know, on the banner at the top.
public struct NoticeLine: Equatable, Sendable {
  /// How bad it is.
  public enum Severity: String, Sendable, CaseIterable { case info, warning, danger }

  /// What its sign is: that something is closed, or how bad it is.
  enum Sign: Hashable { case info, warning, danger, closed }

  /// What it says.
  public var text: String
  /// How bad it is.
  public var severity: Severity
  /// What is closed, in a few words, for a single line that is too narrow for the text; empty:
  /// nothing is, or it has no name.
  public var short: String
  /// Whether something is closed, even if it has no name.
  public var closes: Bool

  /// The sign beside it.
  var sign: Sign {
    if closes { return .closed }
    switch severity {
    case .info: return .info
    case .warning: return .warning
    case .danger: return .danger
    }
  }

  /// Creates a notice.
  ///
  /// - Parameters:
  ///   - text: What it says.
  ///   - severity: How bad it is.
  ///   - short: What is closed, in a few words; empty: nothing is, or it has no name.
  ///   - closes: Whether something is closed.
  public init(text: String, severity: Severity, short: String = "", closes: Bool = false) {
    self.text = text
    self.severity = severity
    self.short = short
    self.closes = closes
  }
}
