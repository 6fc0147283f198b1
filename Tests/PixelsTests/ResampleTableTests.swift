import Pixels
import TestSupport
import Testing

/// Rows sampled by a table are those sampled step by step.
@Suite struct ResampleTableTests {
  static let widths = [1, 2, 3, 4, 5, 7, 8, 31, 64, 255, 256]

  @Test(arguments: Self.widths)
  func aTableGivesTheSamplesOfEachStep(count: Int) {
    var numbers = SeededNumbers(UInt64(count) + 11)
    for (position, step) in [(0, 65536), (13, 47_839), (65_535, 65_535), (40_000, 92_000)] {
      let columns = ((position + step * (count - 1)) >> 16) + 2
      let source = numbers.words(columns * 2)
      withTable(count, position, step) { table in
        let expected = [0, columns].map { start in
          written(count) {
            resampleRow(
              source: Array(source[start..<start + columns]), destination: $0, count: count,
              position: position, step: step)
          }
        }
        // Two rows as lanes, and mixed as rows of words are.
        var planes = [UInt16](repeating: 0x5555, count: 2 * 1024 + 64)
        planes.withUnsafeMutableBufferPointer { planes in
          guard let base = planes.baseAddress else { return }
          resampleRowsToPlanes(
            source: source, next: columns, table: table, destination: base, room: 256, count: count)
          for weight in [0, 1, 64, 127] {
            let mixed = written(count) {
              lerpRows(expected[0]!, expected[1]!, weight: weight, $0, count)
            }
            #expect(
              written(count) { lerpPlanes(base, base + 1024, weight: weight, $0, count) } == mixed)
          }
        }
      }
    }
  }

  @Test(arguments: Self.widths)
  func twoRowsAreMixedBeforeTheyAreSampled(count: Int) {
    var numbers = SeededNumbers(UInt64(count) + 12)
    for (position, step) in [(13, 65_537), (40_000, 92_000)] {
      let columns = ((position + step * (count - 1)) >> 16) + 2
      let upper = numbers.words(columns)
      let lower = numbers.words(columns)
      let both = upper + lower
      for weight in [0, 1, 64, 127] {
        let between = written(columns) { lerpRows(upper, lower, weight: weight, $0, columns) } ?? []
        let expected = written(count) {
          resampleRow(
            source: between, destination: $0, count: count, position: position, step: step)
        }
        withTable(count, position, step) { table in
          let row = written(count) {
            resampleBetween(
              source: both, next: columns, weight: weight, table: table, destination: $0,
              count: count)
          }
          #expect(row == expected)
        }
      }
    }
  }

  private func withTable(
    _ count: Int, _ position: Int, _ step: Int, _ body: (ResampleTable) -> Void
  ) {
    let memory = UnsafeMutableRawPointer.allocate(
      byteCount: ResampleTable.bytes(count), alignment: 16)
    defer { memory.deallocate() }
    let table = ResampleTable(memory)
    table.fill(count: count, position: position, step: step)
    body(table)
  }
}
