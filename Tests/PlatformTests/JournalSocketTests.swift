import CLinux
import Glibc
import Synchronization
import Testing

@testable import Platform

/// A socket such as the journal listens on.
private final class Journal {
  let path = "/tmp/waypost-journal-\(getpid())-\(UInt32.random(in: 0 ... .max))"
  let fd = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)

  init() { precondition(waypost_unix_bind(fd, path, path.utf8.count) == 0) }

  deinit {
    close(fd)
    unlink(path)
  }

  /// The next entry's lines; nil if there is none.
  func next() -> [String]? {
    var bytes = [UInt8](repeating: 0, count: 8192)
    let count = recv(fd, &bytes, bytes.count, Int32(MSG_DONTWAIT))
    guard count > 0 else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

/// Entries of the journal, and what becomes of them where it does not listen.
@Suite struct JournalSocketTests {
  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  private func logger(_ path: String, _ lines: Lines) -> Logger {
    Logger(
      level: .info, name: "waypost-fetch", journal: true, entries: JournalSocket(path: path),
      clock: { 0 },
      write: { line in lines.all.withLock { $0.append(line) } })
  }

  @Test func anEntryHasItsFields() {
    let (journal, lines) = (Journal(), Lines())
    let log = logger(journal.path, lines)
    log.log(.warning, "display: a\nb", [LogField("WAYPOST_WHAT", "display\nX=1")])
    #expect(
      journal.next() == [
        "MESSAGE=display: a\\nb", "PRIORITY=4", "SYSLOG_IDENTIFIER=waypost-fetch",
        "WAYPOST_WHAT=display\\nX=1",
      ])
    #expect(lines.all.withLock { $0.isEmpty })
  }

  @Test func aRepeatedLineIsCountedInAField() {
    let (journal, lines) = (Journal(), Lines())
    let log = logger(journal.path, lines)
    for _ in 0..<8 { log.info("again") }
    log.info("other")
    var entries: [[String]] = []
    while let entry = journal.next() { entries.append(entry) }
    #expect(entries.count == Logger.repeats + 2)
    #expect(entries.dropLast().last?.contains("WAYPOST_COUNT=3") == true, "\(entries)")
  }

  @Test func withoutAJournalLinesHavePriorities() {
    let lines = Lines()
    logger("/nonexistent/socket", lines).error("e")
    #expect(lines.all.withLock { $0 } == ["<3>e\n"])
  }

  @Test func aJournalThatDoesNotReadHoldsUpNobody() {
    let (journal, lines) = (Journal(), Lines())
    let log = logger(journal.path, lines)
    for number in 0..<2000 { log.info("line \(number)") }
    #expect(lines.all.withLock { $0.count } > 0)
    #expect(journal.next() != nil)
  }
}
