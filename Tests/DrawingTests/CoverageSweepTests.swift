import TestSupport
import Testing

@testable import Drawing

/// Sweeping four pixels at a time, against pixel by pixel.
@Suite struct CoverageSweepTests {
  /// Sums that a path of random corners leaves, some beyond the canvas.
  private func add(_ numbers: inout SeededNumbers, to cells: inout CoverageCells, width: Int) {
    let rows = cells.prepare(width: width)
    cells.begin(top: 0, rows: min(rows, 24))
    for _ in 0..<numbers.next(1..<4) {
      let points = (0..<numbers.next(3..<9)).map { _ in
        Path.Point(
          Float(numbers.next(-2560..<(width + 10) * 256)) / 256,
          Float(numbers.next(-1280..<29 * 256)) / 256)
      }
      points.withUnsafeBufferPointer { cells.add($0, isNear: true) }
    }
  }

  @Test func groupsOfPixelsAreDrawnAsRunsAre() {
    var numbers = SeededNumbers(7)
    let colors: [UInt32] = [0xFF12_3456, 0x80FE_DCBA, 0x0100_00FF, 0xFFFF_FFFF]
    for round in 0..<400 {
      let width = numbers.next(1..<40)
      let color = colors[round % colors.count]
      let isSmooth = round % 3 == 0
      var same = numbers
      let (swept, runs) = (Sheet(width, 24), Sheet(width, 24))
      for sheet in [swept, runs] {
        sheet.pixels.update(repeating: 0xFF30_4050, count: width * 24)
      }
      var cells = CoverageCells()
      add(&same, to: &cells, width: width)
      cells.sweep(PaintInk(color, on: swept.canvas), isSmooth: isSmooth)
      add(&numbers, to: &cells, width: width)
      if isSmooth {
        var ink = SmoothInk(ink: PaintInk(color, on: runs.canvas))
        cells.sweep(rule: .nonZero, ink: &ink)
      } else {
        var ink = PaintInk(color, on: runs.canvas)
        cells.sweep(rule: .nonZero, ink: &ink)
      }
      #expect(swept.words == runs.words, "round \(round), \(width) pixels wide")
      #expect(swept.isWhole)
    }
  }

  @Test func movingALineByWholePixelsMovesWhatItCovers() {
    var numbers = SeededNumbers(9)
    for round in 0..<200 {
      let points = (0..<5).map { _ in
        Path.Point(Float(numbers.next(0..<20 * 512)) / 512, Float(numbers.next(0..<20 * 512)) / 512)
      }
      let (x, y) = (numbers.next(1..<12), numbers.next(1..<12))
      let (here, there) = (Sheet(32, 32), Sheet(32, 32))
      var path = Path()
      var moved = Path()
      for point in points {
        path.line(to: point)
        moved.line(to: Path.Point(point.x + Float(x), point.y + Float(y)))
      }
      here.fill(path, .nonZero)
      there.fill(moved, .nonZero)
      for row in 0..<20 {
        let before = (0..<20).map { here.alpha($0, row) }
        let after = (0..<20).map { there.alpha($0 + x, row + y) }
        #expect(before == after, "round \(round), row \(row)")
      }
    }
  }
}
