/// How much a log line matters.
public enum LogLevel: Int, Sendable, CaseIterable, Comparable {
  case debug = 7
  case info = 6
  case notice = 5
  case warning = 4
  case error = 3

  /// The priority of syslog(3).
  public var priority: Int { rawValue }

  /// The word that options and log lines use.
  public var name: String {
    // Spelled out: the language's own description of a case takes a tenth of a millisecond at
    // start.
    switch self {
    case .debug: "debug"
    case .info: "info"
    case .notice: "notice"
    case .warning: "warning"
    case .error: "error"
    }
  }

  /// The level called `name`; nil: there is none.
  public init?(name: String) {
    guard let level = LogLevel.allCases.first(where: { $0.name == name }) else { return nil }
    self = level
  }

  /// Whether `a` is worth less attention than `b`.
  public static func < (a: LogLevel, b: LogLevel) -> Bool { a.rawValue > b.rawValue }
}
