import Glibc
import Testing

@testable import Drawing

/// Ends, corners, gaps and offsets of strokes, by the pixels that they cover.
@Suite struct StrokeStyleTests {
  @Test func aButtEndIsAtThePointASquareOneBeyondAndARoundOneIsAHalfDisc() {
    let line = path([(10, 16), (40, 16)])
    let butt = Sheet(64, 32)
    butt.stroke(line, StrokeStyle(width: 8))
    #expect(butt.alpha(10, 12) == 255 && butt.alpha(39, 19) == 255)
    #expect(butt.sum == 30 * 8 * 255)
    let square = Sheet(64, 32)
    square.stroke(line, StrokeStyle(width: 8, cap: .square))
    #expect(square.alpha(6, 12) == 255 && square.alpha(43, 19) == 255)
    #expect(square.sum == 38 * 8 * 255)
    let round = Sheet(64, 32)
    round.stroke(line, StrokeStyle(width: 8, cap: .round))
    #expect(round.alpha(6, 16) >= 225 && round.alpha(5, 16) == 0)
    #expect(round.alpha(6, 12) == 0)
    #expect(abs(Double(round.sum) / 255 - (30 * 8 + .pi * 16)) < 1.5)
  }

  @Test func endsAreSymmetrical() {
    for cap in [StrokeStyle.Cap.butt, .square, .round] {
      for width in [1.0, 3, 7.5] {
        let sheet = Sheet(32, 32)
        sheet.stroke(path([(9, 16), (23, 16)]), StrokeStyle(width: width, cap: cap))
        var wrong: [String] = []
        for y in 0..<32 {
          for x in 0..<32 {
            let alpha = sheet.alpha(x, y)
            // The corners of an arc may be rounded to either side.
            let across = abs(sheet.alpha(31 - x, y) - alpha)
            let down = abs(sheet.alpha(x, 31 - y) - alpha)
            if max(across, down) > (cap == .round ? 1 : 0) { wrong.append("\(x) \(y)") }
          }
        }
        #expect(wrong == [], "\(cap) \(width)")
      }
    }
  }

  @Test func aCornerIsAPointWithinTheMiterLimitAndCutBeyondIt() {
    // A right angle's point is √2 times the radius away.
    let corner = path([(8, 40), (40, 40), (40, 8)])
    let point = Sheet(64, 64)
    point.stroke(corner, StrokeStyle(width: 16))
    #expect(point.alpha(47, 47) == 255)
    #expect(point.sum == (40 * 16 + 24 * 16) * 255)
    let cut = Sheet(64, 64)
    cut.stroke(corner, StrokeStyle(width: 16, miterLimit: 1.4))
    #expect(cut.alpha(47, 47) == 0 && cut.alpha(43, 43) == 255)
    #expect(cut.alpha(44, 44) == 0 && cut.alpha(43, 44) == 128)
    let bevel = Sheet(64, 64)
    bevel.stroke(corner, StrokeStyle(width: 16, join: .bevel))
    #expect(bevel.words == cut.words)
    let round = Sheet(64, 64)
    round.stroke(corner, StrokeStyle(width: 16, join: .round))
    #expect(round.alpha(44, 44) == 255 && round.alpha(46, 46) == 0)
    let area = Double(round.sum - cut.sum) / 255
    #expect(abs(area - (.pi * 16 - 32)) < 1.5)
  }

  @Test func slightTurnsArePointsWhateverTheJoin() {
    // 30°: a point of 1.035 times the radius.
    let end: (Float, Float) = (32 + 28 * cos(Float.pi / 6), 46)
    let turn = path([(4, 32), (32, 32), end])
    let sheets = [StrokeStyle.Join.miter, .bevel, .round].map { join in
      let sheet = Sheet(64, 64)
      sheet.stroke(turn, StrokeStyle(width: 20, join: join))
      return sheet.words
    }
    #expect(sheets[0] == sheets[1] && sheets[1] == sheets[2])
    let round = Sheet(64, 64)
    round.stroke(turn, StrokeStyle(width: 20, join: .round, roundLimit: 1))
    #expect(round.words != sheets[0])
  }

  @Test func aClosedLineHasACornerWhereItCloses() {
    let sheet = Sheet(64, 64)
    sheet.stroke(path([(16, 16), (48, 16), (48, 48), (16, 48), (16, 16)]), StrokeStyle(width: 8))
    #expect(sheet.alpha(12, 12) == 255 && sheet.alpha(51, 51) == 255 && sheet.alpha(32, 32) == 0)
    #expect(sheet.sum == (40 * 40 - 24 * 24) * 255)
  }

  @Test func aSinglePointIsADiscWithRoundEndsOnly() {
    for cap in [StrokeStyle.Cap.butt, .square] {
      let sheet = Sheet(32, 32)
      sheet.stroke(path([(16, 16), (16, 16)]), StrokeStyle(width: 10, cap: cap))
      #expect(sheet.sum == 0)
    }
    let sheet = Sheet(32, 32)
    sheet.stroke(path([(16, 16)]), StrokeStyle(width: 10, cap: .round))
    #expect(abs(Double(sheet.sum) / 255 - .pi * 25) < 1.5)
  }

  @Test func aThinLineIsFainterNotNarrower() {
    let sheet = Sheet(16, 16)
    sheet.stroke(path([(2, 8.5), (14, 8.5)]), StrokeStyle(width: 0.25))
    #expect(sheet.alpha(8, 8) == 64 && sheet.alpha(8, 7) == 0)
  }

  @Test func aLineThatCrossesItselfIsNotDarkerThere() {
    for style in [
      StrokeStyle(width: 4, cap: .round), StrokeStyle(width: 4, join: .bevel, gapWidth: 5),
      StrokeStyle(width: 6, blur: 3), StrokeStyle(width: 4, dashes: [9, 1]),
    ] {
      let sheet = Sheet(32, 32)
      let line = path([(2, 2), (30, 30), (30, 2), (2, 30)])
      sheet.stroke(line, style, color: 0x80FF_FFFF)
      #expect(sheet.words.allSatisfy { $0 >> 24 <= 0x80 })
    }
  }

  @Test func aGapHasALineOfTheWidthOnEachSide() {
    let sheet = Sheet(64, 32)
    sheet.stroke(path([(8, 16), (56, 16)]), StrokeStyle(width: 3, gapWidth: 6))
    #expect((13...18).allSatisfy { sheet.alpha(30, $0) == 0 })
    for y in [10, 11, 12, 19, 20, 21] { #expect(sheet.alpha(30, y) == 255, "row \(y)") }
    #expect(sheet.alpha(30, 9) == 0 && sheet.alpha(30, 22) == 0)
    #expect(sheet.sum == 48 * 6 * 255)
    // Square ends leave it open, round ones close it.
    let square = Sheet(64, 32)
    square.stroke(path([(8, 16), (56, 16)]), StrokeStyle(width: 3, cap: .square, gapWidth: 6))
    #expect(square.sum == (48 + 12) * 6 * 255)
    let round = Sheet(64, 32)
    round.stroke(path([(16, 16), (48, 16)]), StrokeStyle(width: 3, cap: .round, gapWidth: 6))
    #expect(abs(Double(round.sum) / 255 - (32 * 6 + .pi * 27)) < 1.5)
  }

  @Test func aTranslucentGapIsNoDarkerAtACorner() {
    let sheet = Sheet(64, 64)
    let line = path([(8, 8), (48, 8), (48, 56), (20, 30)])
    sheet.stroke(line, StrokeStyle(width: 6, join: .round, gapWidth: 4), color: 0x40FF_FFFF)
    #expect(sheet.words.allSatisfy { $0 >> 24 <= 0x40 })
    #expect(sheet.alpha(30, 4) == 0x40 && sheet.alpha(30, 8) == 0)
  }

  @Test func anOffsetIsToTheRightOfTheDirection() {
    let right = Sheet(64, 32)
    right.stroke(path([(8, 16), (56, 16)]), StrokeStyle(width: 2, offset: 5))
    #expect(right.alpha(30, 20) == 255 && right.alpha(30, 21) == 255 && right.sum == 96 * 255)
    let left = Sheet(64, 32)
    left.stroke(path([(8, 16), (56, 16)]), StrokeStyle(width: 2, offset: -5))
    #expect(left.alpha(30, 10) == 255 && left.alpha(30, 11) == 255 && left.sum == 96 * 255)
  }

  @Test func anOffsetCornerIsWhereTheSidesMeet() {
    // Clockwise, so the inside is on the right.
    let square = path([(16, 16), (48, 16), (48, 48), (16, 48), (16, 16)])
    let inside = Sheet(64, 64)
    inside.stroke(square, StrokeStyle(width: 2, offset: 4))
    #expect(inside.alpha(19, 19) == 255 && inside.alpha(44, 44) == 255)
    #expect(inside.sum == (26 * 26 - 22 * 22) * 255)
    let outside = Sheet(64, 64)
    outside.stroke(square, StrokeStyle(width: 2, offset: -4))
    #expect(outside.sum == (42 * 42 - 38 * 38) * 255)
  }

  @Test func aSharpOffsetCornerStaysNearTheLine() {
    for degrees in stride(from: Float(100), through: 180, by: 5) {
      for offset in [-6.0, 6] {
        let turn = degrees * .pi / 180
        let sheet = Sheet(96, 96)
        let line = path([(20, 48), (48, 48), (48 + 28 * cos(turn), 48 + 28 * sin(turn))])
        sheet.stroke(line, StrokeStyle(width: 2, offset: offset))
        // Nothing is farther from the corner than its end and the offset allow.
        for y in 0..<96 {
          for x in 0..<96 where sheet.alpha(x, y) != 0 {
            let far = hypot(Float(x) + 0.5 - 48, Float(y) + 0.5 - 48)
            #expect(far < 31.5, "\(degrees)° \(offset): \(x) \(y)")
          }
        }
      }
    }
  }

  @Test func aBlurFadesLinearlyInwardsFromTheEdge() {
    let sheet = Sheet(64, 64)
    sheet.stroke(path([(-10, 32), (74, 32)]), StrokeStyle(width: 40, blur: 12))
    // From nothing at 20 pixels to all at 8.
    for row in 32..<64 {
      let far = Double(row) + 0.5 - 32
      let expected = min(max((20 - far) / 12, 0), 1) * 255
      #expect(abs(Double(sheet.alpha(30, row)) - expected) <= 16, "row \(row)")
      #expect(sheet.alpha(30, row) == sheet.alpha(30, 63 - row), "row \(row)")
    }
  }

  @Test func aLineThinnerThanItsBlurIsFaintInTheMiddle() {
    let sheet = Sheet(32, 32)
    sheet.stroke(path([(-10, 16), (42, 16)]), StrokeStyle(width: 8, blur: 16))
    #expect((50...70).contains(sheet.alpha(16, 16)))
    #expect(sheet.alpha(16, 21) == 0)
  }
}

/// A path of one sub-path.
func path(_ points: [(Float, Float)]) -> Path {
  var path = Path()
  for (index, point) in points.enumerated() {
    let point = Path.Point(point.0, point.1)
    if index == 0 { path.move(to: point) } else { path.line(to: point) }
  }
  path.finish()
  return path
}
