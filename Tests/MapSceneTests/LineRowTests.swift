import TestSupport
import Testing

@testable import MapScene

/// Rows of 1 to 70 columns that begin anywhere in a line of the panel's memory.
@Suite struct LineRowTests {
  @Test func mixedColumnsAndTheTilesOwnReachThePanelAndNothingElseDoes() {
    var numbers = SeededNumbers(5)
    let tile = numbers.words(80)
    for lead in 0..<16 {
      for width in [1, 2, 15, 16, 17, 33, 47, 64, 70] {
        // Parts that share a line, that touch, and that begin and end with the row.
        for parts in [[], [(0, width)], [(0, 1), (width - 1, width)], Self.parts(width)] {
          var panel = [UInt32](repeating: 7, count: 160)
          var buffer = [UInt32](repeating: 9, count: width + 1)
          var expected = tile.prefix(width).map { $0 }
          let first = panel.withUnsafeMutableBufferPointer { panel -> Int in
            let base = panel.baseAddress!
            let first = (lead &- Int(bitPattern: base) / 4) & 15
            buffer.withUnsafeMutableBufferPointer { buffer in
              tile.withUnsafeBytes { tile in
                var row = LineRow(
                  tile.baseAddress!, to: base + first, by: buffer.baseAddress!, width: width)
                var end = 0
                for (left, right) in parts where left >= end && left < right {
                  row.mix(left, right) { under, into in
                    for n in 0..<right - left { into[n] = under[n] ^ 0xff }
                  }
                  for n in left..<right { expected[n] ^= 0xff }
                  end = right
                }
                row.finish()
              }
            }
            return first
          }
          #expect(panel[first..<first + width].elementsEqual(expected), "\(lead) \(width) \(parts)")
          let others = panel[..<first] + panel[(first + width)...]
          #expect(others.allSatisfy { $0 == 7 })
          #expect(buffer[width] == 9)
        }
      }
    }
  }

  private static func parts(_ width: Int) -> [(Int, Int)] {
    [(1, 3), (3, 6), (9, 20), (21, 22), (40, 41), (44, 63), (63, 70)]
      .filter { $0.1 <= width }
  }
}
