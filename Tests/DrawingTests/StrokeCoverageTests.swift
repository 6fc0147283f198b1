import Glibc
import TestSupport
import Testing

@testable import Drawing

/// What strokes cover against distances from their lines, where tiles meet, and with odd numbers.
@Suite struct StrokeCoverageTests {
  private func distance(_ x: Double, _ y: Double, _ line: [(Float, Float)]) -> Double {
    var least = Double.infinity
    for (a, b) in zip(line, line.dropFirst()) {
      let (ax, ay) = (Double(a.0), Double(a.1))
      let (dx, dy) = (Double(b.0) - ax, Double(b.1) - ay)
      let square = dx * dx + dy * dy
      let along = square == 0 ? 0 : min(max(((x - ax) * dx + (y - ay) * dy) / square, 0), 1)
      least = min(least, hypot(x - ax - along * dx, y - ay - along * dy))
    }
    return least
  }

  /// Holds that a round stroke covers every pixel that is near enough, and none that is too far.
  private func expectCovered(_ line: [(Float, Float)], width: Double, _ what: String) {
    let sheet = Sheet(64, 64)
    sheet.stroke(path(line), StrokeStyle(width: width, cap: .round, join: .round, roundLimit: 1))
    var wrong = 0
    for y in 0..<64 {
      for x in 0..<64 {
        let far = distance(Double(x) + 0.5, Double(y) + 0.5, line) - width / 2
        let alpha = sheet.alpha(x, y)
        if far < -1 && alpha != 255 || far > 1 && alpha != 0 { wrong += 1 }
      }
    }
    #expect(wrong == 0, "\(what)")
  }

  @Test func theInsideOfATurnIsCoveredHoweverShortItsSides() {
    for degrees in stride(from: Float(10), through: 180, by: Emulation.isOn ? 55 : 17) {
      for (first, second) in [(18, 18), (2, 18), (18, 2), (2, 2), (5, 3)] as [(Float, Float)] {
        for side in [Float(1), -1] {
          let angle = side * degrees * .pi / 180
          expectCovered(
            [(32 - first, 32), (32, 32), (32 + second * cos(angle), 32 + second * sin(angle))],
            width: 20, "\(degrees)°, \(first) and \(second), \(side)")
        }
      }
    }
  }

  @Test func aStrokeCoversWhatIsNearItsLineAndNothingElse() {
    var numbers = SeededNumbers(5)
    for round in 0..<Emulation.rounds(24) {
      let line = (0..<(3 + round % 7)).map { _ in
        (Float(numbers.number(16...48)), Float(numbers.number(16...48)))
      }
      expectCovered(line, width: [2.5, 6, 14, 25][round % 4], "round \(round)")
    }
  }

  @Test func tightTurnsLeaveNoHoles() {
    // A spiral that turns within its own width.
    let line = (0..<200).map { step in
      let angle = Float(step) * 0.4
      let radius = Float(step) * 0.02
      return (32 + radius * cos(angle), 32 + radius * sin(angle))
    }
    expectCovered(line, width: 16, "spiral")
  }

  @Test func aPartOfAPictureIsThatPartOfTheWhole() {
    var numbers = SeededNumbers(7)
    for round in 0..<Emulation.rounds(24) {
      let points = (0..<16).map { _ in
        (
          Float((numbers.number(-100...300) * 256).rounded() / 256),
          Float((numbers.number(-100...300) * 256).rounded() / 256)
        )
      }
      let style = StrokeStyle(
        width: [0.4, 1.3, 5, 30][round % 4], cap: [.butt, .square, .round][round % 3],
        join: [.miter, .bevel, .round][round / 3 % 3], gapWidth: round % 5 == 0 ? 3 : 0,
        offset: [0, 4, -3.5][round / 2 % 3], blur: round % 7 == 0 ? 4 : 0)
      expectTilesMeet(points, style, "round \(round)")
    }
  }

  @Test func moreThanABandOfRowsIsOnePicture() {
    let sheet = Sheet(1000, 400)
    let style = StrokeStyle(width: 100, gapWidth: 100)
    sheet.stroke(path([(500, -10), (500, 410)]), style)
    #expect((0..<400).allSatisfy { sheet.alpha(400, $0) == 255 && sheet.alpha(500, $0) == 0 })
    #expect(sheet.sum == 400 * 200 * 255)
  }

  @Test func numbersThatAreNoneAndFarPlacesAreSurvived() {
    let odd: [Float] = [
      .nan, .infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
      .leastNonzeroMagnitude, 1e9, -4_194_304, 0, 5, 1e20,
    ]
    let styles = [
      StrokeStyle(width: 3, cap: .square, miterLimit: .nan), StrokeStyle(width: 1, miterLimit: 1e9),
      StrokeStyle(width: 5, cap: .round, join: .round, roundLimit: .nan, dashes: [3, 2]),
      StrokeStyle(width: 2, join: .bevel, gapWidth: 3, offset: 7, blur: 2),
    ]
    let sheet = Sheet(16, 16)
    for a in odd {
      for b in odd {
        for c in odd {
          let line = path([(a, b), (b, c), (c, a), (3, a), (b, 4)])
          for style in styles { sheet.stroke(line, style) }
        }
      }
    }
    #expect(sheet.isWhole)
  }

  @Test func stylesThatAreNoneAreSurvived() {
    let odd = [Double.nan, .infinity, -.infinity, -1, 0, 1e300, -1e300, 1e-300]
    let sheet = Sheet(16, 16)
    let line = path([(1, 1), (8, 8), (8, 2), (1, 1)])
    for value in odd {
      var styles = [StrokeStyle](repeating: StrokeStyle(width: 3), count: 9)
      styles[0].width = value
      styles[1].miterLimit = value
      styles[2].roundLimit = value
      styles[2].join = .round
      styles[3].dashes = [value, value, 3]
      styles[4].dashes = [2, 1]
      styles[4].dashPhase = value
      styles[5].gapWidth = value
      styles[6].offset = value
      styles[7].blur = value
      styles[8] = StrokeStyle(
        width: value, cap: .round, dashes: [value, 1], gapWidth: value, offset: value, blur: value)
      for style in styles { sheet.stroke(line, style) }
    }
    #expect(sheet.isWhole)
  }

  @Test func whatIsFarAwayIsDrawnWhereItShouldBe() {
    let line = Sheet(16, 16)
    line.stroke(path([(-3e7, 8.5), (3e7, 8.5)]), StrokeStyle(width: 1))
    #expect((0..<16).allSatisfy { line.alpha($0, 8) == 255 && line.alpha($0, 7) == 0 })
    // An end near by keeps its cap and its corner.
    let ends = Sheet(32, 32)
    ends.stroke(path([(8, 8), (8, 24), (3e9, 24)]), StrokeStyle(width: 4, cap: .square))
    #expect(ends.alpha(7, 6) == 255 && ends.alpha(6, 25) == 255 && ends.alpha(31, 25) == 255)
  }

  @Test func aCrowdOfPointsKeepsNoMemory() {
    var line = Path()
    line.move(to: Path.Point(0, 0))
    for index in 0..<100_000 {
      line.line(to: Path.Point(Float(index % 256), Float(index * 37 % 256)))
    }
    let sheet = Sheet(256, 256)
    sheet.stroke(line, StrokeStyle(width: 100, join: .round))
    #expect(sheet.words.allSatisfy { $0 == 0xFFFF_FFFF })
    sheet.stroke(line, StrokeStyle(width: 2, dashes: [3, 1], gapWidth: 2, offset: 2))
    #expect(sheet.rasteriser.bytes <= 512 << 10)
  }
}
