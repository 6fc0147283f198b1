import Glibc
import Synchronization
import Testing

@testable import Platform

/// A log and a clock in memory.
private final class Desk: Sendable {
  let lines = Mutex<[String]>([])
  let now = Mutex(100.0)

  func logger(_ level: LogLevel, journal: Bool) -> Logger {
    Logger(
      level: level, name: "waypostd", journal: journal, clock: { self.now.withLock { $0 } },
      write: { line in self.lines.withLock { $0.append(line) } })
  }
  var written: [String] { lines.withLock { $0 } }
}

@Test func linesBelowTheLevelAreNotWrittenNorMade() {
  let desk = Desk()
  let log = desk.logger(.notice, journal: false)
  var made = 0
  func message() -> String {
    made += 1
    return "m"
  }
  log.debug(message())
  log.info(message())
  #expect(made == 0)
  log.notice(message())
  log.error("e")
  #expect(desk.written == ["waypostd: notice: m\n", "waypostd: error: e\n"])
}

@Test func theJournalGetsPrioritiesAndOneLineEach() {
  let desk = Desk()
  let log = desk.logger(.debug, journal: true)
  log.error("a\nb\u{1b}[0m")
  log.warning("w")
  log.notice("n")
  log.info("i")
  log.debug("d")
  #expect(desk.written == ["<3>a\\nb\\u{1b}[0m\n", "<4>w\n", "<5>n\n", "<6>i\n", "<7>d\n"])
}

@Test func theSameMessageIsWrittenFiveTimesInTenSecondsAndThenCounted() {
  let desk = Desk()
  let log = desk.logger(.info, journal: false)
  for _ in 0..<100 { log.info("again") }
  #expect(desk.written.count == Logger.repeats)
  log.info("other")
  #expect(
    desk.written.suffix(2) == [
      "waypostd: info: the line above came 95 times more\n", "waypostd: info: other\n",
    ])
  desk.now.withLock { $0 += Logger.window }
  log.info("other")
  #expect(desk.written.count == Logger.repeats + 3)
}

@Test func linesOfARunAreCountedHoweverTheyDiffer() {
  let desk = Desk()
  let log = desk.logger(.info, journal: false)
  for number in 0..<50 {
    log.log(.warning, run: "refused calls of user 7", "no such path /x\(number)")
    // Others in between begin no new run.
    log.log(.warning, run: "closed connections of user 8", "too many \(number)")
  }
  #expect(desk.written.filter { $0.contains("no such path") }.count == Logger.repeats)
  #expect(desk.written.filter { $0.contains("too many") }.count == Logger.repeats)
  desk.now.withLock { $0 += Logger.window }
  log.log(.warning, run: "refused calls of user 7", "no such path /y")
  #expect(
    desk.written.suffix(2) == [
      "waypostd: warning: refused calls of user 7: 45 more lines were left out\n",
      "waypostd: warning: no such path /y\n",
    ])
}

@Test func aRunThatGoesOnForADayWritesFewLinesAndOneThatComesBackBeginsAnew() {
  var runs = LogRuns()
  var now = 0.0
  var (calls, written, leftOut) = (0, 0, 0)
  while now < 86_400 {
    if let count = runs.admit("refused calls of user 7", at: now) {
      written += 1
      leftOut += count
    }
    calls += 1
    now += 10
  }
  // 10 s, 20 s, … 6 h: at most 15 windows.
  #expect(written <= 15 * Logger.repeats)
  #expect(written + leftOut > calls - Int(LogRuns.longestWindow) / 10)
  // Nothing came for as long as the longest window.
  now += 2 * LogRuns.longestWindow
  for _ in 0..<100 { _ = runs.admit("refused calls of user 7", at: now) }
  #expect(runs.admit("refused calls of user 7", at: now + Logger.window - 1) == nil)
  #expect(runs.admit("refused calls of user 7", at: now + Logger.window) != nil)
}

@Test func theRunThatCameLeastRecentlyIsForgotten() {
  var runs = LogRuns()
  for time in 0..<100 {
    for _ in 0..<10 { _ = runs.admit("the one that goes on", at: Double(time) / 20) }
    _ = runs.admit("user \(time)", at: Double(time) / 20)
  }
  #expect(runs.count == LogRuns.capacity)
  #expect(runs.admit("the one that goes on", at: 5) == nil)
}

@Test func onlySoManyRunsAreRemembered() {
  var runs = LogRuns()
  for user in 0..<1000 { _ = runs.admit("user \(user)", at: 0) }
  #expect(runs.count <= LogRuns.capacity)
}

@Test func aLongMessageIsCut() {
  let desk = Desk()
  desk.logger(.info, journal: false).info(String(repeating: "é", count: 5000))
  #expect(desk.written[0].utf8.count < Logger.maxBytes + 40)
}

@Test func theJournalIsToldByDeviceAndInode() {
  var info = stat()
  #expect(fstat(0, &info) == 0)
  #expect(Logger.isJournal(0, "\(info.st_dev):\(info.st_ino)"))
  #expect(!Logger.isJournal(0, "\(info.st_dev):\(info.st_ino &+ 1)"))
  #expect(!Logger.isJournal(0, nil))
  #expect(!Logger.isJournal(-1, "1:1"))
}

@Test func aFileOrAPipeInTheJournalsPlaceGetsTheLines() throws {
  var ends: [Int32] = [0, 0]
  #expect(pipe(&ends) == 0)
  defer { for end in ends { close(end) } }
  Logger.send("<6>a\n", to: ends[1], isJournal: true)
  Logger.send("b\n", to: ends[1], isJournal: false)
  var bytes = [UInt8](repeating: 0, count: 64)
  let count = read(ends[0], &bytes, bytes.count)
  #expect(String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self) == "<6>a\nb\n")
}
