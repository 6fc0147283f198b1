import Glibc
import TestSupport
import Testing

@testable import Drawing

/// Dashes of strokes, and what bounds them.
@Suite struct StrokeDashTests {
  private func row(_ style: StrokeStyle, from x: Float = 0, to end: Float = 64) -> [Int] {
    let sheet = Sheet(64, 8)
    sheet.stroke(path([(x, 4), (end, 4)]), style)
    return (0..<64).map { sheet.alpha($0, 4) }
  }

  private func expected(_ isDrawn: (Int) -> Bool) -> [Int] { (0..<64).map { isDrawn($0) ? 255 : 0 } }

  @Test func dashesBeginAtTheLinesBeginning() {
    #expect(row(StrokeStyle(width: 4, dashes: [5, 3])) == expected { $0 % 8 < 5 })
    #expect(
      row(StrokeStyle(width: 4, dashes: [5, 3, 1, 3]), from: 4)
        == expected { $0 >= 4 && ($0 - 4) % 12 < 5 || $0 >= 12 && ($0 - 4) % 12 == 8 })
    #expect(row(StrokeStyle(width: 4, dashes: [5, 3], dashPhase: 6)) == expected { ($0 + 6) % 8 < 5 })
    #expect(
      row(StrokeStyle(width: 4, dashes: [5, 3], dashPhase: -2)) == expected { ($0 + 6) % 8 < 5 })
  }

  @Test func ofAnOddNumberTheLastDashAndTheFirstAreOne() {
    #expect(
      row(StrokeStyle(width: 4, dashes: [3, 4, 2])) == expected { $0 % 9 < 3 || $0 % 9 >= 7 })
    #expect(row(StrokeStyle(width: 4, dashes: [3])) == expected { _ in true })
  }

  @Test func dashesGoAroundCorners() {
    let sheet = Sheet(64, 64)
    let line = path([(8, 8), (48, 8), (48, 48)])
    sheet.stroke(line, StrokeStyle(width: 8, dashes: [35, 3, 12, 3]))
    // The dash from 38 to 50 has the corner, at 40, in it.
    #expect(sheet.alpha(51, 4) == 255 && sheet.alpha(48, 17) == 255)
    #expect(sheet.alpha(44, 6) == 0 && sheet.alpha(48, 19) == 0)
  }

  @Test func dashesHaveRoundEndsOrButtOnes() {
    let line = path([(8, 16), (56, 16)])
    let round = Sheet(64, 32)
    round.stroke(line, StrokeStyle(width: 8, cap: .round, dashes: [8, 16]))
    #expect(round.alpha(4, 16) > 200 && round.alpha(19, 16) > 200 && round.alpha(19, 12) == 0)
    #expect(abs(Double(round.sum) / 255 - 2 * (64 + .pi * 16)) < 3)
    // Square ends are put on the line only.
    let square = Sheet(64, 32)
    square.stroke(line, StrokeStyle(width: 8, cap: .square, dashes: [8, 16]))
    #expect(square.sum == (4 + 8 + 8) * 8 * 255)
  }

  @Test func aDashWithoutLengthIsADotWithRoundEndsOnly() {
    let line = path([(8, 16), (56, 16)])
    let dots = Sheet(64, 32)
    dots.stroke(line, StrokeStyle(width: 6, cap: .round, dashes: [0, 16]))
    #expect(abs(Double(dots.sum) / 255 - 3 * .pi * 9) < 3)
    #expect(dots.alpha(24, 16) == 255 && dots.alpha(16, 16) == 0)
    let none = Sheet(64, 32)
    none.stroke(line, StrokeStyle(width: 6, dashes: [0, 16]))
    #expect(none.sum == 0)
  }

  @Test func dashesThatSayNothingAreALine() {
    let line = expected { _ in true }
    for dashes in [[], [0], [0, 0], [-1, -5], [Double.nan, .nan], [5, 0], [7, -2, 3, .nan]] {
      #expect(row(StrokeStyle(width: 4, dashes: dashes)) == line, "\(dashes)")
    }
    #expect(row(StrokeStyle(width: 4, dashes: [.infinity, .infinity])) == line)
    // Too fine to be told apart: half of the line everywhere.
    #expect(row(StrokeStyle(width: 4, dashes: [0.001, 0.001])).allSatisfy { $0 == 128 })
  }

  @Test func manyDashesAreFewLengths() {
    let dashes = [Double](repeating: 1, count: 1_000_000)
    #expect(row(StrokeStyle(width: 4, dashes: dashes)) == expected { $0 % 2 == 0 })
  }

  @Test func aLineFromFarAwayHasItsDashesWhereTheyBelong() {
    // 8 divides the way from the beginning.
    let style = StrokeStyle(width: 4, dashes: [5, 3])
    #expect(row(style, from: -800_000, to: 800_000) == expected { $0 % 8 < 5 })
    // Further away than dashes are counted.
    let far = row(style, from: -3e30, to: 3e30)
    #expect(far.allSatisfy { $0 == 0 } || far.allSatisfy { $0 == 255 })
  }

  @Test func dashesMeetWhereTilesDo() {
    var numbers = SeededNumbers(3)
    for round in 0..<Emulation.rounds(12) {
      let points = (0..<12).map { _ in
        (
          Float((numbers.number(-80...220) * 256).rounded() / 256),
          Float((numbers.number(-80...220) * 256).rounded() / 256)
        )
      }
      let style = StrokeStyle(
        width: [1.5, 3, 7][round % 3], cap: round % 2 == 0 ? .round : .butt,
        dashes: [[6, 4], [0.5, 7, 3], [2, 2.5, 9, 1]][round / 2 % 3])
      expectTilesMeet(points, style, "round \(round)")
    }
  }
}

/// Holds that four tiles of a line are the four parts of the whole.
func expectTilesMeet(_ points: [(Float, Float)], _ style: StrokeStyle, _ what: String) {
  let whole = Sheet(128, 128)
  whole.stroke(path(points), style, color: 0x8012_3456)
  for (x, y) in [(0, 0), (64, 0), (0, 64), (64, 64)] {
    let part = Sheet(64, 64)
    let moved = points.map { ($0.0 - Float(x), $0.1 - Float(y)) }
    part.stroke(path(moved), style, color: 0x8012_3456)
    var wrong = 0
    for row in 0..<64 {
      for column in 0..<64
      where part.pixels[row * 64 + column] != whole.pixels[(y + row) * 128 + x + column] {
        wrong += 1
      }
    }
    #expect(wrong == 0, "\(what), part \(x) \(y): \(wrong) pixels")
    #expect(part.isWhole)
  }
}
