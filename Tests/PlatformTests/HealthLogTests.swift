import Foundation
import Testing

@testable import Platform

/// What the log says of the health: everything once, and what repeats with a count.
@Suite struct HealthLogTests {
  private func entry(
    _ what: String, _ detail: String = "is gone", isError: Bool = true
  ) -> HealthLog.Problem {
    HealthLog.Problem(what: what, isError: isError, detail: detail)
  }

  @Test func aProblemIsLoggedWhenItComesChangesAndEnds() {
    var log = HealthLog()
    let came = log.update([entry("display")], at: 1)
    #expect(came.map(\.text) == ["display: is gone"])
    #expect(came.first?.level == .error)
    #expect(came.first?.fields.contains(LogField("WAYPOST_WHAT", "display")) == true)
    let changed = log.update([entry("display", "is dark", isError: false)], at: 2)
    #expect(changed.map(\.text) == ["display: is dark"])
    #expect(changed.first?.level == .warning)
    let ended = log.update([], at: 3)
    #expect(ended.map(\.text) == ["display: well again"])
    #expect(ended.first?.fields.contains(LogField("WAYPOST_STATE", "ended")) == true)
    #expect(log.update([], at: 4).isEmpty)
  }

  @Test func whatLastsIsLoggedOnce() {
    var log = HealthLog()
    #expect(log.update([entry("display")], at: 1).count == 1)
    #expect(log.update([entry("display")], at: 2).isEmpty)
    #expect(log.update([entry("display"), entry("gpsd")], at: 3).map(\.text) == ["gpsd: is gone"])
  }

  @Test func whatComesAndGoesIsLoggedAFewTimesAndThenCounted() {
    var log = HealthLog()
    var lines: [HealthLog.Line] = []
    for second in 0..<100 {
      lines += log.update(second % 2 == 0 ? [entry("display")] : [], at: Double(second))
    }
    #expect(lines.count == 2 * HealthLog.repeats + 1)
    #expect(lines.last?.text.contains("comes and goes") == true, "\(lines.map(\.text))")
    // Later it is told again, with a count.
    let later = log.update([entry("display")], at: HealthLog.window + 1)
    #expect(later.map(\.text) == ["display: is gone (came 46 times more in between)"])
    #expect(later.first?.fields.contains(LogField("WAYPOST_COUNT", "46")) == true)
    #expect(log.update([], at: HealthLog.window + 2).map(\.text) == ["display: well again"])
  }

  @Test(arguments: [60.0, 1200]) func whatComesAndGoesForDaysIsLoggedAFewTimesADay(_ pause: Double)
  {
    var log = HealthLog()
    var lines: [String] = []
    let days = 10
    for number in 0..<Int(Double(days * 86_400) / pause) {
      let problems = number % 2 == 0 ? [entry("display")] : []
      lines += log.update(problems, at: Double(number) * pause).map(\.text)
    }
    #expect(lines.count < 50 * days, "\(lines.count)")
    #expect(lines.contains { $0.contains("for 6 h") })
  }

  @Test func theTimeForWhichWhatComesAndGoesIsLeftOutGrows() {
    var log = HealthLog()
    var lines: [String] = []
    let days = 2
    for minute in 0..<(days * 1440) {
      let problems = minute % 2 == 0 ? [entry("display")] : []
      lines += log.update(problems, at: Double(60 * minute)).map(\.text)
    }
    let pauses = lines.compactMap { line in
      line.range(of: "for ").map { line[$0.upperBound...].prefix { $0 != "t" } }
    }
    #expect(pauses.prefix(4) == ["10 min ", "1 h ", "6 h ", "6 h "])
    // After a quiet time it is told as at first.
    var now = Double(days * 86_400) + HealthLog.windows[2]
    lines = []
    for _ in 0..<8 {
      lines += log.update([entry("display")], at: now).map(\.text)
      lines += log.update([], at: now + 1).map(\.text)
      now += 2
    }
    #expect(lines.contains { $0.contains("for 10 min") }, "\(lines)")
  }

  @Test func theEndOfWhatWasLeftOutIsToldOnceItLasted() {
    var log = HealthLog()
    for second in 0..<100 {
      _ = log.update(second % 2 == 0 ? [entry("display")] : [], at: Double(second))
    }
    #expect(log.update([entry("display")], at: 101).isEmpty)
    let ended = log.update([], at: HealthLog.window + 1)
    #expect(ended.map(\.text) == ["display: well again (came 47 times more in between)"])
    #expect(ended.first?.fields.contains(LogField("WAYPOST_COUNT", "47")) == true)
    #expect(log.update([entry("display")], at: 701).map(\.text) == ["display: is gone"])
  }

  @Test func anEndThatWasLeftOutIsToldWithTheNextChangeAfterTheWindow() {
    var log = HealthLog()
    for second in 0..<100 {
      _ = log.update(second % 2 == 0 ? [entry("source a")] : [], at: Double(second))
    }
    // It is well, and nobody was told.
    #expect(log.update([entry("gpsd")], at: 120).map(\.text) == ["gpsd: is gone"])
    let later = log.update([], at: HealthLog.window + 1)
    #expect(
      later.map(\.text) == [
        "gpsd: well again", "source a: well again (came 46 times more in between)",
      ])
    #expect(later.last?.fields.contains(LogField("WAYPOST_COUNT", "46")) == true)
    #expect(log.update([entry("gpsd")], at: HealthLog.window + 2).count == 1)
  }

  @Test func whatIsPresentIsLoggedOnceHoweverMuchElseThereIs() {
    var log = HealthLog()
    let all = (0..<1000).map { entry("source \($0)") }
    #expect(log.update(all, at: 1).count == 1000)
    #expect(log.update(all + [entry("gpsd")], at: 2).map(\.text) == ["gpsd: is gone"])
    #expect(log.update([], at: 3).count == 1001)
    #expect(log.count <= HealthLog.capacity)
  }

  @Test func aTextThatAlwaysChangesIsBoundedToo() {
    var log = HealthLog()
    var count = 0
    for second in 0..<500 {
      count += log.update([entry("display", "error \(second)")], at: Double(second)).count
    }
    #expect(count == 4 * HealthLog.repeats + 1)
  }

  @Test func nothingIsLeftOutBeforeTheLogSaysSo() {
    var log = HealthLog()
    for second in 0...HealthLog.repeats {
      _ = log.update([entry("display", "error \(second)")], at: Double(second))
    }
    #expect(log.update([], at: 10).map(\.text) == ["display: well again"])
    // Its text changed so often that it counts as repeated.
    let again = log.update([entry("display", "error \(HealthLog.repeats)")], at: 11)
    #expect(again.count == 1 && again[0].text.contains("comes and goes"), "\(again)")
    #expect(log.update([], at: 12).isEmpty)
    #expect(log.update([entry("display", "error \(HealthLog.repeats)")], at: 13).isEmpty)
  }

  @Test func onlySoManyMattersAreRemembered() {
    var log = HealthLog()
    for number in 0..<1000 {
      _ = log.update([entry("gpio \(number)")], at: Double(number))
    }
    // Beside the one that is present.
    #expect(log.count <= HealthLog.capacity + 1)
  }
}
