import Displays
import MapGeometry
import Testing

@Suite struct DamageHistoryTests {
  private func rect(_ x: Int) -> PixelRect { PixelRect(x: x, y: 0, width: 10, height: 10) }

  private func changed(
    _ history: DamageHistory, _ age: Int, outside: [PixelRect] = []
  ) -> [PixelRect] {
    var found: [PixelRect] = []
    history.forEach(since: age, outside: outside) { found.append($0) }
    return found
  }

  @Test func theBufferOfTheLastFrameLacksNothing() {
    var history = DamageHistory()
    history.add([rect(0)])
    #expect(history.covers(age: 1))
    #expect(changed(history, 1).isEmpty)
  }

  @Test func anOlderBufferLacksWhatEachLaterFrameChanged() {
    var history = DamageHistory()
    for x in [0, 20, 40] { history.add([rect(x)]) }
    #expect(changed(history, 2) == [rect(40)])
    #expect(changed(history, 3) == [rect(20), rect(40)])
  }

  @Test func whatIsDrawnAnywayIsNotDrawnTwice() {
    var history = DamageHistory()
    history.add([rect(0), rect(20)])
    let now = [PixelRect(x: 15, y: 0, width: 30, height: 30)]
    #expect(changed(history, 2, outside: now) == [rect(0)])
  }

  @Test func whatIsNotRememberedIsNotCovered() {
    var history = DamageHistory()
    #expect(!history.covers(age: 0))
    #expect(!history.covers(age: 2))
    for x in 0..<10 { history.add([rect(x)]) }
    #expect(!history.covers(age: 0))
    #expect(history.covers(age: DamageHistory.depth + 1))
    #expect(!history.covers(age: DamageHistory.depth + 2))
    #expect(changed(history, DamageHistory.depth + 1) == [6, 7, 8, 9].map(rect))
    history.forget()
    #expect(!history.covers(age: 2))
  }
}
