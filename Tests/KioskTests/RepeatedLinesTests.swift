import EventLoop
import Inputs
import Testing

@testable import Kiosk

/// Lines of the log that come again and again.
@Suite struct RepeatedLinesTests {
  private static let second: UInt64 = 1_000_000_000

  @Test func aLineIsWrittenAtOnceAndThenAtGrowingIntervalsWithACount() {
    var lines = RepeatedLines()
    var written: [(second: UInt64, leftOut: Int)] = []
    for second: UInt64 in 0..<200 {
      if let leftOut = lines.admit("a", at: 1_000_000 + second * Self.second) {
        written.append((second, leftOut))
      }
    }
    #expect(written.map(\.second) == [0, 10, 30, 70, 150])
    #expect(written.map(\.leftOut) == [0, 9, 19, 39, 79])
    // Others have pauses of their own.
    #expect(lines.admit("b", at: 200 * Self.second) == 0)
  }

  @Test func aYearOfALineIsAFewLinesADay() {
    var lines = RepeatedLines()
    var count = 0
    for minute: UInt64 in 0..<(365 * 1440) {
      if lines.admit("a", at: minute * 60 * Self.second) != nil { count += 1 }
    }
    #expect(count < 365 * 5, "\(count)")
  }

  @Test func aLineThatDidNotComeForALongTimeIsWrittenAtOnce() {
    var lines = RepeatedLines()
    for second: UInt64 in 0..<100 { _ = lines.admit("a", at: second * Self.second) }
    var now = 100 * Self.second + RepeatedLines.pauses.longest
    #expect(lines.admit("a", at: now) == 29)
    // With the first pause again.
    now += RepeatedLines.pauses.first
    #expect(lines.admit("a", at: now) == 0)
  }

  @Test func onlySoManyLinesAreRemembered() {
    var lines = RepeatedLines()
    for number in 0..<1000 {
      #expect(lines.admit("line \(number)", at: UInt64(number)) == 0)
    }
    #expect(lines.count == RepeatedLines.capacity)
    // The last ones.
    #expect(lines.admit("line 999", at: 1000) == nil)
  }

  @Test func allPacksOfAMediumThatComesAndGoesAreRememberedBesideOtherLines() {
    var lines = RepeatedLines()
    let names = (0..<MediaSearch.mostPacks).map { "pack \($0) is gone" } + ["gpio 1: no overlay"]
    var written = 0
    for round: UInt64 in 0..<10 {
      for name in names where lines.admit(name, at: round * Self.second) != nil { written += 1 }
    }
    #expect(written == names.count)
  }

  @Test func aButtonThatCannotDoItsActionIsLoggedOnceWithACount() throws {
    let bench = try Bench([])
    let outbox = bench.kiosk.outbox
    var now: UInt64 = 0
    outbox.clock = { now }
    var lines: [String] = []
    bench.kiosk.onLog = { lines.append($1) }
    func press() {
      for phase in [ButtonEvent.Phase.press, .release] {
        bench.kiosk.handle(
          ButtonEvent(
            origin: "gpio 1", action: .overlayToggle("x"), phase: phase, time: EventLoop.now()))
      }
    }
    for _ in 0..<100 { press() }
    let line = "gpio 1: no overlay \"x\"; `overlay.list` names them"
    #expect(lines == [line])
    now += RepeatedLines.pauses.first
    press()
    #expect(lines == [line, "\(line) (came 99 times more in between)"])
  }

  @Test func memoryThatComesAndGoesIsLoggedOnceWithACount() {
    let outbox = Outbox()
    var now: UInt64 = 0
    outbox.clock = { now }
    var lines: [String] = []
    outbox.onLog = { lines.append($1) }
    for number in 1...10 { outbox.logRepeated(.notice, run: "memory", "refused \(number) times") }
    now += RepeatedLines.pauses.first
    outbox.logRepeated(.notice, run: "memory", "refused 11 times")
    #expect(lines == ["refused 1 times", "refused 11 times (came 9 times more in between)"])
  }
}
