import Glibc
import Platform

/// The coverage of a band of rows by several strokes, less that of others that make a hole.
final class CoverageMask: CoverageInk {
  /// The strokes' coverage and, behind it, the hole's.
  private var sums: UnsafeMutablePointer<UInt16>
  /// The first column of each row that is covered, and the one after the last.
  private var spans: [(first: Int, end: Int)] = []
  private var capacity = 0
  private var width = 0
  private var rows = 0..<0
  /// Where in `sums` runs are added.
  private var part = 0

  init() { sums = .allocate(capacity: 1) }

  deinit { release() }

  private func release() { if capacity > 0 { free(sums) } else { sums.deallocate() } }

  var bytes: Int { capacity * 2 + spans.capacity * 16 }

  /// Begins a band. All sums are 0, because `sweep` clears them. Returns whether there is memory
  /// for it.
  func begin(width: Int, rows: Range<Int>) -> Bool {
    let needed = 2 * width * rows.count
    if needed > capacity {
      guard let memory = SpareMemory.allocate(needed * MemoryLayout<UInt16>.stride) else {
        return false
      }
      release()
      sums = memory.bindMemory(to: UInt16.self, capacity: needed)
      sums.initialize(repeating: 0, count: needed)
      capacity = needed
    }
    self.width = width
    self.rows = rows
    part = 0
    spans.removeAll(keepingCapacity: true)
    spans.append(contentsOf: repeatElement((first: .max, end: 0), count: rows.count))
    return true
  }

  /// Adds what follows to the hole.
  func beginHole() { part = width * rows.count }

  func run(_ row: Int, _ column: Int, count: Int, coverage: UInt32) {
    let row = row - rows.lowerBound
    spans[row].first = min(spans[row].first, column)
    spans[row].end = max(spans[row].end, column + count)
    let sums = sums + part + row * width
    for index in column..<column + count { sums[index] &+= UInt16(truncatingIfNeeded: coverage) }
  }

  /// Hands the band's runs of equal coverage to `ink`, and clears it. `steps` strokes, of 1 ... 32,
  /// are full coverage.
  func sweep<Ink: CoverageInk>(steps: Int, ink: inout Ink) {
    let hole = width * rows.count
    for (row, span) in spans.enumerated() where span.first < span.end {
      let sums = sums + row * width
      var first = span.first
      var coverage: UInt32 = 0
      for column in span.first..<span.end {
        let next = Self.coverage(sums[column], sums[hole + column], steps)
        (sums[column], sums[hole + column]) = (0, 0)
        if next == coverage { continue }
        if coverage != 0 {
          ink.run(rows.lowerBound + row, first, count: column - first, coverage: coverage)
        }
        first = column
        coverage = next
      }
      if coverage != 0 {
        ink.run(rows.lowerBound + row, first, count: span.end - first, coverage: coverage)
      }
    }
  }

  /// Two solid edges may share a pixel, so their coverages are subtracted. If both are blurred, the
  /// fainter one counts, as in MapLibre.
  @inline(__always)
  private static func coverage(_ strokes: UInt16, _ hole: UInt16, _ steps: Int) -> UInt32 {
    if steps == 1 { return UInt32(strokes > hole ? strokes - hole : 0) }
    let stroke = (Int(strokes) + steps / 2) / steps
    let free = 255 - (Int(hole) + steps / 2) / steps
    return UInt32(max(0, min(stroke, free)))
  }
}
