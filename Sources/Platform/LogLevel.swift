/// The severity of a log line, as in syslog(3).
public enum LogLevel: Int, Sendable, CaseIterable, Comparable {
  case debug = 7
  case info = 6
  case notice = 5
  case warning = 4
  case error = 3

  /// The priority number of syslog(3); lower is more severe.
  public var priority: Int { rawValue }

  /// The name in options and log lines.
  public var name: String {
    // Spelled out, because Swift's description of a case takes a tenth of a millisecond at the
    // start.
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .notice: "notice"
    case .warning: "warning"
    case .error: "error"
    }
  }

  /// The level called `name`; nil if there is none.
  public init?(name: String) {
    guard let level = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }

  /// Whether `a` is less severe than `b`.
  public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue > b.rawValue }
}
