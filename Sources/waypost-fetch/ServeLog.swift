import Platform

/// The log of `waypost-fetch serve`. Problems are logged when they come and end, as waypostd does.
final class ServeLog {
  /// The most problems at once.
  private static let most = 512

  private let logger = Logger(level: .info, name: "waypost-fetch")
  private var healthLog = HealthLog()
  private var problems: [String: String] = [:]

  /// Writes a line.
  func write(_ level: LogLevel, _ text: String) { logger.log(level, text) }

  /// Notes what is wrong with a matter; nil: nothing is any more.
  func note(_ what: String, _ detail: String?) {
    if problems[what] == detail { return }
    if detail != nil, problems[what] == nil, problems.count >= ServeLog.most { return }
    problems[what] = detail
    let present = problems.sorted { $0.key < $1.key }.map {
      HealthLog.Problem(what: $0.key, isError: false, detail: $0.value)
    }
    for line in healthLog.update(present, at: Double(SystemClock.monotonic()) / 1e9) {
      logger.log(line.level, line.text, line.fields)
    }
  }
}
