import Configuration
import Inputs
import Testing

private let pair = Machine.Chord(origin: "1+3", members: [1, 3], action: .follow)
private let three = Machine.Chord(origin: "1+2+3", members: [1, 2, 3], action: .sourceNext)

@Suite struct ButtonChordTests {
  @Test func aChordIsPressedOnceAndSwallowsItsPressesUntilAllAreUp() {
    var m = machine([pair])
    #expect(m.down(1, at: 0) == [])
    #expect(told(m.down(3, at: 40 * ms)) == ["1+3 press 40"])
    #expect(m.tick(5000 * ms) == [])
    #expect(told(m.up(1, at: 5100 * ms)) == ["1+3 release 5100"])
    // Down again while the other one still is.
    #expect(m.down(1, at: 5200 * ms) == [])
    #expect(m.up(3, at: 5300 * ms) == [])
    #expect(m.up(1, at: 5400 * ms) == [])
    #expect(m.deadline == nil)
    #expect(
      told(m.down(1, at: 6000 * ms) + m.up(1, at: 6100 * ms)) == [
        "1 press 6000", "1 release 6100",
      ])
  }

  @Test func aButtonOfAChordIsPressedAfterTheWindowOrAtItsRelease() {
    var m = machine([pair])
    _ = m.down(1, at: 0)
    #expect(m.deadline == ButtonTiming.chordWindow)
    #expect(told(m.tick(ButtonTiming.chordWindow)) == ["1 press 0"])
    #expect(told(m.tick(600 * ms)) == ["1 hold 600"])
    #expect(told(m.up(1, at: 700 * ms)) == ["1 release 700"])
    _ = m.down(1, at: 1000 * ms)
    #expect(told(m.up(1, at: 1100 * ms)) == ["1 press 1000", "1 release 1100"])
  }

  @Test func aButtonWithAHoldOfItsOwnKeepsItInAChord() {
    var m = machine([three])
    _ = m.down(2, at: 0)
    #expect(told(m.tick(400 * ms)) == ["2 hold sleep 400"])
    #expect(told(m.up(2, at: 500 * ms)) == ["2 release sleep 500"])
    _ = m.down(2, at: 1000 * ms)
    #expect(told(m.up(2, at: 1300 * ms)) == ["2 press 1000", "2 release 1300"])
  }

  @Test func aButtonThatIsNoPartOfAChordDoesNotWait() {
    var m = machine([.init(origin: "1+2", members: [1, 2], action: .follow)])
    #expect(told(m.down(3, at: 0)) == ["3 press 0"])
  }

  @Test func aChordThatComesLateEndsWhatItsButtonsBegan() {
    var m = machine([pair])
    _ = m.down(1, at: 0)
    _ = m.tick(2000 * ms)
    #expect(told(m.down(3, at: 2000 * ms)) == ["1 release 2000", "1+3 press 2000"])
    #expect(told(m.up(3, at: 2100 * ms)) == ["1+3 release 2100"])
    #expect(m.up(1, at: 2200 * ms) == [])
  }

  @Test func ofChordsThatAreCompleteTheLargestCounts() {
    var m = machine([pair, three])
    _ = m.down(1, at: 0)
    #expect(m.down(3, at: 20 * ms) == [])
    #expect(told(m.down(2, at: 60 * ms)) == ["1+2+3 press 60"])
    #expect(told(m.up(2, at: 100 * ms)) == ["1+2+3 release 100"])
    #expect(m.up(1, at: 110 * ms) + m.up(3, at: 120 * ms) == [])
  }

  @Test func ofChordsThatTheSameButtonCompletesTheLargestCountsAndOfEqualOnesTheFirst() {
    for chords in [[pair, three], [three, pair]] {
      var m = machine(chords)
      _ = m.down(1, at: 0)
      _ = m.down(2, at: 10 * ms)
      #expect(told(m.down(3, at: 20 * ms)) == ["1+2+3 press 20"])
    }
    let other = Machine.Chord(origin: "2+3", members: [2, 3], action: .sourceNext)
    for chords in [[pair, other], [other, pair]] {
      var m = machine(chords)
      _ = m.down(1, at: 0)
      _ = m.down(2, at: 10 * ms)
      #expect(told(m.down(3, at: 20 * ms)) == ["\(chords[0].origin) press 20"])
    }
  }

  @Test func aChordDoesNotWaitForALargerOneThatCannotCome() {
    var m = machine([pair, three])
    _ = m.down(2, at: 0)
    _ = m.tick(61_000 * ms)
    _ = m.down(1, at: 62_000 * ms)
    #expect(told(m.down(3, at: 62_010 * ms)) == ["1+3 press 62010"])
  }

  @Test func aSmallerChordWaitsForTheLargerOneNoLongerThanTheWindowOrItsRelease() {
    var m = machine([pair, three])
    _ = m.down(1, at: 0)
    _ = m.down(3, at: 20 * ms)
    #expect(told(m.tick(ButtonTiming.chordWindow)) == ["1+3 press 20"])
    #expect(told(m.up(3, at: 300 * ms)) == ["1+3 release 300"])
    _ = m.up(1, at: 310 * ms)
    _ = m.down(3, at: 1000 * ms)
    _ = m.down(1, at: 1020 * ms)
    #expect(told(m.up(3, at: 1100 * ms)) == ["1+3 press 1020", "1+3 release 1100"])
    // The third came too late for the larger one, and is its own.
    _ = m.down(2, at: 1150 * ms)
    #expect(told(m.up(2, at: 1200 * ms)) == ["2 press 1150", "2 release 1200"])
  }

  @Test func ofOverlappingChordsTheOneThatIsCompleteFirstCounts() {
    var m = machine([pair, .init(origin: "2+3", members: [2, 3], action: .sourceNext)])
    _ = m.down(1, at: 0)
    #expect(told(m.down(3, at: 20 * ms)) == ["1+3 press 20"])
    #expect(m.down(2, at: 40 * ms) == [])
    #expect(told(m.up(2, at: 90 * ms)) == ["2 press 40", "2 release 90"])
    // And when its buttons are free again, the other one can come.
    #expect(told(m.up(1, at: 100 * ms) + m.up(3, at: 110 * ms)) == ["1+3 release 100"])
    _ = m.down(2, at: 200 * ms)
    #expect(told(m.down(3, at: 210 * ms)) == ["2+3 press 210"])
  }

  @Test func aStuckChordIsReleasedAndAStuckButtonIsPartOfNone() {
    var m = machine([pair])
    _ = m.down(1, at: 0)
    _ = m.down(3, at: 0)
    #expect(m.deadline == ButtonTiming.stuckAfter)
    #expect(told(m.tick(60_000 * ms)) == ["1+3 release 60000"])
    #expect(m.up(1, at: 61_000 * ms) + m.up(3, at: 62_000 * ms) == [])
    _ = m.down(1, at: 100_000 * ms)
    _ = m.tick(160_000 * ms)
    _ = m.down(3, at: 161_000 * ms)
    #expect(told(m.up(3, at: 161_100 * ms)) == ["3 press 161000", "3 release 161100"])
  }

  @Test func aChordsLinesNeedNoMeaningOfTheirOwn() {
    var m = Machine(
      buttons: [], chords: [.init(origin: "7+8", members: [7, 8], action: .follow)])
    #expect(m.down(7, at: 0) + m.tick(1000 * ms) + m.up(7, at: 1000 * ms) == [])
    _ = m.down(8, at: 2000 * ms)
    #expect(told(m.down(7, at: 2100 * ms)) == ["7+8 press 2100"])
  }

  /// Every way of six steps among three buttons' ups and downs and three waits, with every chord.
  @Test func whateverHappensPressesAndReleasesMatchAndLatenessChangesNothing() {
    let waits: [UInt64] = [50, 300, 61_000]
    for way in 0..<46_656 {
      var (eager, late) = (machine([pair, three]), machine([pair, three]))
      var (fromEager, fromLate): ([ButtonEvent], [ButtonEvent]) = ([], [])
      var (time, rest): (UInt64, Int) = (1000 * ms, way)
      var isDown: Set<Int> = []
      for step in 0..<9 {
        // After six steps everything goes up.
        let what = step < 6 ? rest % 6 : step - 6
        rest /= 6
        if what >= 3 {
          time += waits[what - 3] * ms
          continue
        }
        let id = what + 1
        if step >= 6, !isDown.contains(id) { continue }
        while let due = eager.deadline, due <= time { fromEager += eager.tick(due) }
        if isDown.remove(id) != nil {
          fromEager += eager.up(id, at: time)
          fromLate += late.up(id, at: time)
        } else {
          isDown.insert(id)
          fromEager += eager.down(id, at: time)
          fromLate += late.down(id, at: time)
        }
        time += ms
      }
      if fromEager != fromLate { Issue.record("way \(way): lateness changes what is told") }
      let left = (1...3).flatMap { eager.up($0, at: time) }
      if eager.deadline != nil || !left.isEmpty { Issue.record("way \(way): something stays") }
      var open: [String: ButtonEvent.Phase] = [:]
      for event in fromEager {
        let before = open[event.origin]
        switch event.phase {
        case .press where before == nil, .hold where before != .hold:
          open[event.origin] = event.phase
        case .release where before != nil: open[event.origin] = nil
        default: Issue.record("way \(way): \(event) after \(before?.rawValue ?? "nothing")")
        }
      }
      if !open.isEmpty { Issue.record("way \(way): not released: \(open)") }
    }
  }
}
