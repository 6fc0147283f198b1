import Testing

@testable import Inputs

@Suite struct DebouncerTests {
  @Test func aChangeCountsOnceItIsStableAndHasTheFirstEdgesTime() {
    var line = Debouncer(period: 8 * ms, level: false)
    #expect(line.edge(to: true, at: 100 * ms) == nil)
    #expect(line.edge(to: false, at: 102 * ms) == nil)
    #expect(line.edge(to: true, at: 105 * ms) == nil)
    #expect(line.deadline == 113 * ms)
    #expect(line.settle(at: 113 * ms - 1) == nil)
    #expect(line.settle(at: 113 * ms) == Debouncer.Change(level: true, time: 100 * ms))
    #expect(line.level)
    #expect(line.deadline == nil)
  }

  @Test func aBurstThatEndsWhereItBeganIsNoise() {
    var line = Debouncer(period: 8 * ms, level: false)
    _ = line.edge(to: true, at: 100 * ms)
    _ = line.edge(to: false, at: 101 * ms)
    #expect(line.settle(at: 200 * ms) == nil)
    #expect(!line.level)
    #expect(line.deadline == nil)
  }

  @Test func anEdgeToTheLevelThatCountsStartsNothing() {
    var line = Debouncer(period: 8 * ms, level: true)
    #expect(line.edge(to: true, at: 100 * ms) == nil)
    #expect(line.deadline == nil)
  }

  @Test func withoutAPeriodEveryChangeCountsAtOnceAndRepetitionsDoNot() {
    var line = Debouncer(period: 0, level: false)
    #expect(line.edge(to: true, at: 5) == Debouncer.Change(level: true, time: 5))
    #expect(line.edge(to: true, at: 6) == nil)
    #expect(line.edge(to: false, at: 7) == Debouncer.Change(level: false, time: 7))
    #expect(line.deadline == nil)
  }

  @Test func aPeriodPastTheEndOfTimeWaitsForEver() {
    var line = Debouncer(period: .max, level: false)
    _ = line.edge(to: true, at: 5)
    #expect(line.deadline == .max)
  }

  /// Alternating edges with every combination of six gaps: bursts are what lies closer together
  /// than the period, and each gives at most one change.
  @Test func burstsAreWhatLiesCloserTogetherThanThePeriod() {
    let gaps: [UInt64] = [1, 7, 8, 9, 30]
    for code in 0..<15_625 {
      var (times, rest, time): ([UInt64], Int, UInt64) = ([], code, 1000)
      for _ in 0..<6 {
        time += gaps[rest % 5] * ms
        times.append(time)
        rest /= 5
      }
      var expected: [Debouncer.Change] = []
      var (first, counts) = (0, false)
      for at in times.indices where at == 5 || times[at + 1] - times[at] >= 8 * ms {
        let level = at % 2 == 0
        if level != counts { expected.append(.init(level: level, time: times[first])) }
        (first, counts) = (at + 1, level)
      }
      var (eager, late) = (
        Debouncer(period: 8 * ms, level: false), Debouncer(period: 8 * ms, level: false)
      )
      var (fromEager, fromLate): ([Debouncer.Change], [Debouncer.Change]) = ([], [])
      for (at, time) in times.enumerated() {
        if let due = eager.deadline, due <= time { fromEager += [eager.settle(at: due)].compacted }
        fromEager += [eager.edge(to: at % 2 == 0, at: time)].compacted
        fromLate += [late.edge(to: at % 2 == 0, at: time)].compacted
      }
      fromEager += [eager.settle(at: time + 8 * ms)].compacted
      fromLate += [late.settle(at: time + 1000 * ms)].compacted
      #expect(fromEager == expected)
      #expect(fromLate == expected)
    }
  }
}

extension [Debouncer.Change?] {
  fileprivate var compacted: [Debouncer.Change] { compactMap { $0 } }
}
