import Glibc

/// Writes a program's log lines to stderr, one line each, from any thread.
///
/// If stderr is the journal, lines become entries with fields. If the journal cannot be reached,
/// each line begins with its priority as `<N>` (sd-daemon(3)). A repeated message is written at
/// most `repeats` times within `window` seconds. The next different line, or the same one later, is
/// preceded by the number left out; that needs no timer.
public final class Logger: Sendable {
  /// How often the same message is written within `window` seconds.
  public static let repeats = 5
  /// Seconds in which a message counts as repeated.
  public static let window = 10.0
  /// The most bytes of a line; the rest is cut off.
  public static let maxBytes = 2000

  private struct History {
    var message = ""
    var level = LogLevel.info
    /// When the first of the run was written.
    var since = 0.0
    var written = 0
    var leftOut = 0
  }

  /// The least important lines that are written.
  public let level: LogLevel
  private let name: String
  private let journal: Bool
  private let entries: JournalSocket?
  private let write: @Sendable (String) -> Void
  private let clock: @Sendable () -> Double
  private let history = Lock(History())
  private let runs = Lock(LogRuns())

  /// Lines of `level` and above, to stderr. Reads the environment, so create it before any thread
  /// starts.
  ///
  /// - Parameters:
  ///   - level: The least important lines that are written.
  ///   - name: The program's name.
  public convenience init(level: LogLevel, name: String) {
    let journal = Logger.isJournal(2, getenv("JOURNAL_STREAM").map { String(cString: $0) })
    self.init(
      level: level, name: name, journal: journal, entries: journal ? JournalSocket() : nil,
      clock: { Double(SystemClock.monotonic()) / 1e9 },
      write: { Logger.send($0, to: 2, isJournal: journal) })
  }

  /// Writes `line` at once, so that lines of several threads do not mix. A closed `fd` stops
  /// nobody, and neither does a journal that reads nothing: it loses the line.
  static func send(_ line: String, to fd: Int32, isJournal: Bool) {
    var text = line
    text.withUTF8 {
      if isJournal {
        let sent = Glibc.send(fd, $0.baseAddress, $0.count, Int32(MSG_DONTWAIT | MSG_NOSIGNAL))
        // A file or a pipe can stand in for the journal.
        if sent >= 0 || errno != ENOTSOCK { return }
      }
      _ = Glibc.write(fd, $0.baseAddress, $0.count)
    }
  }

  /// For tests, which bring their own clock and output.
  init(
    level: LogLevel, name: String, journal: Bool, entries: JournalSocket? = nil,
    clock: @escaping @Sendable () -> Double, write: @escaping @Sendable (String) -> Void
  ) {
    self.level = level
    self.name = name
    self.journal = journal
    self.entries = entries
    self.clock = clock
    self.write = write
  }

  /// Logs a line of this level; `message` is made only if it is written.
  public func debug(_ message: @autoclosure () -> String) { log(.debug, message()) }
  /// Logs a line of this level; `message` is made only if it is written.
  public func info(_ message: @autoclosure () -> String) { log(.info, message()) }
  /// Logs a line of this level; `message` is made only if it is written.
  public func notice(_ message: @autoclosure () -> String) { log(.notice, message()) }
  /// Logs a line of this level; `message` is made only if it is written.
  public func warning(_ message: @autoclosure () -> String) { log(.warning, message()) }
  /// Logs a line of this level; `message` is made only if it is written.
  public func error(_ message: @autoclosure () -> String) { log(.error, message()) }

  /// Writes `message` if `level` is not below the logger's. It is made only then. `fields` are
  /// written where the log has fields.
  public func log(
    _ level: LogLevel, _ message: @autoclosure () -> String, _ fields: [LogField] = []
  ) {
    guard level >= self.level else { return }
    let message = message()
    let now = clock()
    history.withLock { past in
      if message == past.message, level == past.level, now - past.since < Logger.window {
        if past.written >= Logger.repeats {
          past.leftOut += 1
          return
        }
        past.written += 1
      } else {
        if past.leftOut > 0 {
          put(
            past.level, "the line above came \(past.leftOut) times more",
            [LogField("WAYPOST_COUNT", String(past.leftOut))])
        }
        past = History(message: message, level: level, since: now, written: 1)
      }
      put(level, message, fields)
    }
  }

  /// The same for a line that others can cause as often as they like, with another text each time:
  /// of each `run`, `repeats` lines are written within `window` seconds. The next one later tells
  /// how many were left out. While the run goes on, each window is twice as long as the one before,
  /// up to six hours.
  public func log(
    _ level: LogLevel, run: String, _ message: @autoclosure () -> String, _ fields: [LogField] = []
  ) {
    guard level >= self.level else { return }
    let now = clock()
    guard let leftOut = runs.withLock({ $0.admit(run, at: now) }) else { return }
    if leftOut > 0 {
      log(
        level, "\(run): \(leftOut) more lines were left out",
        [LogField("WAYPOST_COUNT", String(leftOut))])
    }
    log(level, message(), fields)
  }

  private func put(_ level: LogLevel, _ message: String, _ fields: [LogField]) {
    // Cut first: escaping makes up to six bytes of one.
    let isLong = message.utf8.count > Logger.maxBytes
    var text =
      (isLong ? String(decoding: message.utf8.prefix(Logger.maxBytes), as: UTF8.self) : message)
      .escaped
    if isLong || text.utf8.count > Logger.maxBytes {
      text = String(decoding: text.utf8.prefix(Logger.maxBytes), as: UTF8.self) + "…"
    }
    if let entries, entries.send(level, text, of: name, fields) { return }
    write((journal ? "<\(level.priority)>" : "\(name): \(level.name): ") + text + "\n")
  }

  /// Whether `fd` is the stream that $JOURNAL_STREAM names: `DEVICE:INODE` in decimal
  /// (systemd.exec(5)).
  static func isJournal(_ fd: Int32, _ stream: String?) -> Bool {
    var info = stat()
    guard let stream, fstat(fd, &info) == 0 else { return false }
    return stream == "\(info.st_dev):\(info.st_ino)"
  }
}
