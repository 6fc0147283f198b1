/// Decides which changes of a program's problems are worth a line in the log.
///
/// A problem is logged when it appears, changes and ends. If it comes and goes, it is logged
/// `HealthLog.repeats` times within a window. The log then says that it leaves out further
/// repetitions, and with the first change after the window how many there were. If it comes again
/// later, the next window is longer. That needs no timer.
package struct HealthLog {
  /// How often the same problem is logged within a window.
  static let repeats = 3
  /// Seconds in which a problem that comes again counts as repeated: at first, and then longer each
  /// time, so that what comes and goes for a year does not fill the log.
  static let windows = [600.0, 3600, 21_600]
  static var window: Double { windows[0] }
  /// The most matters that are remembered beside the present problems.
  static let capacity = 256
  /// The message IDs of problems that come and that end, for `journalctl MESSAGE_ID=`.
  static let cameID = "6bb1a4d42e5a46f587a7a7e21013c89f"
  static let endedID = "36eead2b9e7f4e179004416f28806a33"

  /// A present problem.
  package struct Problem: Sendable, Equatable {
    /// The matter: "display", "source osm".
    package var what: String
    /// Whether something does not work; false: it is worse than configured.
    package var isError: Bool
    /// What is wrong.
    package var detail: String

    package init(what: String, isError: Bool, detail: String) {
      (self.what, self.isError, self.detail) = (what, isError, detail)
    }
  }

  /// A line for the log.
  package struct Line: Equatable {
    package var level: LogLevel
    package var text: String
    package var fields: [LogField]
  }

  private struct Record {
    var detail: String
    var isError: Bool
    var isPresent = true
    /// When the first of the run was logged.
    var since: Double
    var logged = 0
    /// How often it came without a line.
    var leftOut = 0
    /// Whether the log now leaves it out.
    var isLeftOut = false
    /// The number of the window in `windows`.
    var step = 0
    /// When it came or changed last.
    var cameAt = 0.0

    var window: Double { HealthLog.windows[step] }
    /// The window as text: "10 min", "6 h".
    var windowText: String {
      window < 3600 ? "\(Int(window / 60)) min" : "\(Int(window / 3600)) h"
    }

    /// The number of the window that begins at `now`: a longer one, unless it did not come for as
    /// long as the longest.
    func nextStep(at now: Double) -> Int {
      let last = HealthLog.windows.count - 1
      return now - cameAt < HealthLog.windows[last] ? min(step + 1, last) : 0
    }
  }

  private var records: [String: Record] = [:]

  /// Nothing was logged yet.
  package init() {}

  /// The number of matters that are remembered.
  var count: Int { records.count }

  /// Takes the current problems. Returns the lines for what changed.
  ///
  /// `now`: seconds of a clock that nobody sets.
  package mutating func update(_ problems: [Problem], at now: Double) -> [Line] {
    var lines: [Line] = []
    for problem in problems {
      if let line = came(problem, now) { lines.append(line) }
    }
    let present = Set(problems.map(\.what))
    for what in records.keys.filter({ !present.contains($0) }).sorted() {
      if let line = ended(what, now) { lines.append(line) }
    }
    makeRoom(present.count)
    return lines
  }

  private mutating func came(_ problem: Problem, _ now: Double) -> Line? {
    var record =
      records[problem.what]
      ?? Record(detail: "", isError: problem.isError, isPresent: false, since: now)
    let isSame = record.detail == problem.detail && record.isError == problem.isError
    if isSame, record.isPresent { return nil }
    defer { records[problem.what] = record }
    let leftOut = record.leftOut
    if now - record.since >= record.window {
      let step = record.nextStep(at: now)
      record = Record(detail: problem.detail, isError: problem.isError, since: now)
      record.step = step
    }
    record.cameAt = now
    (record.detail, record.isError, record.isPresent) = (problem.detail, problem.isError, true)
    // A problem's text may change more often than the problem recurs.
    let limit = isSame ? HealthLog.repeats : 4 * HealthLog.repeats
    // Not before the log has said so: its last word could be that all is well.
    if record.logged > limit, record.isLeftOut {
      record.leftOut += 1
      return nil
    }
    record.logged += 1
    var text = "\(problem.what): \(problem.detail)"
    var fields = [
      LogField("MESSAGE_ID", HealthLog.cameID), LogField("WAYPOST_WHAT", problem.what),
      LogField("WAYPOST_STATE", problem.isError ? "error" : "warning"),
    ]
    if record.logged > limit {
      record.isLeftOut = true
      text +=
        " (it comes and goes; for \(record.windowText) the log leaves that out, and waypost status "
        + "does not)"
    }
    if leftOut > 0 {
      text += " (came \(leftOut) times more in between)"
      fields.append(LogField("WAYPOST_COUNT", String(leftOut)))
    }
    return Line(level: problem.isError ? .error : .warning, text: text, fields: fields)
  }

  private mutating func ended(_ what: String, _ now: Double) -> Line? {
    // One whose end was left out is told of later.
    guard var record = records[what], record.isPresent || record.isLeftOut else { return nil }
    defer { records[what] = record }
    record.isPresent = false
    // Once the log leaves it out, it leaves out both, until the window is over.
    if record.isLeftOut, now - record.since < record.window { return nil }
    var text = "\(what): well again"
    var fields = [
      LogField("MESSAGE_ID", HealthLog.endedID), LogField("WAYPOST_WHAT", what),
      LogField("WAYPOST_STATE", "ended"),
    ]
    if record.leftOut > 0 {
      text += " (came \(record.leftOut) times more in between)"
      fields.append(LogField("WAYPOST_COUNT", String(record.leftOut)))
    }
    if record.isLeftOut { (record.logged, record.leftOut, record.isLeftOut) = (0, 0, false) }
    return Line(level: .info, text: text, fields: fields)
  }

  /// Forgets the oldest problems that are over. The `present` ones stay, or they would be logged
  /// with each change of another.
  private mutating func makeRoom(_ present: Int) {
    guard records.count > HealthLog.capacity + present else { return }
    let over = records.filter { !$0.value.isPresent }.sorted { $0.value.since < $1.value.since }
    for (what, _) in over.prefix(records.count - present - HealthLog.capacity) {
      records[what] = nil
    }
  }
}
