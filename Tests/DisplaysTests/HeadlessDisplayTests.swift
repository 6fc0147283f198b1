import Displays
import Pixels
import Testing

@Suite struct HeadlessDisplayTests {
  @Test func aFrameIsReadBackRowByRowAsItWasWritten() {
    let display = HeadlessDisplay(
      width: 3, height: 2, format: .xrgb8888, rotation: .none, loop: nil)
    let (target, age) = display.begin()
    #expect(age == 0)
    let words: [UInt32] = [0x112233, 0x445566, 0x778899]
    target.copyRow(x: 0, y: 1, count: 3, from: words)
    display.present(damage: [])
    var rows: [[UInt32]] = []
    let isRead = display.readFrame { _, row in rows.append((0..<3).map { row[$0] }) }
    #expect(isRead)
    #expect(rows == [[0xff00_0000, 0xff00_0000, 0xff00_0000], words.map { $0 | 0xff00_0000 }])
  }
}
