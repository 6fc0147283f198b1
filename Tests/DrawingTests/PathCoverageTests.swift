import Glibc
import TestSupport
import Testing

@testable import Drawing

/// What fills and strokes cover, against what winding numbers and distances say.
@Suite struct PathCoverageTests {
  @Test func evenOddIsInsideAtEveryOddWindingAndOutsideAtEveryEvenOne() {
    for winding in 1...9 {
      // The same box over and over; half of the column at x = 12 is covered by each.
      var path = Path()
      var back = Path()
      for _ in 0..<winding {
        path.addRect(2, 2, 10.5, 12)
        back.addPolygon([2, 2, 2, 14, 12.5, 14, 12.5, 2])
      }
      let sheet = Sheet(16, 16)
      sheet.fill(path)
      #expect(sheet.alpha(6, 6) == (winding % 2 == 1 ? 255 : 0), "winding \(winding)")
      // 0.5, 1, 1.5 … windings: full at odd ones, nothing at even ones, half between.
      let half = [0, 128, 255, 128][winding % 4]
      #expect(sheet.alpha(12, 6) == half, "half of winding \(winding)")
      let turned = Sheet(16, 16)
      turned.fill(back)
      #expect(turned.words == sheet.words, "the other way round, winding \(winding)")
    }
  }

  private typealias Place = (x: Double, y: Double)

  /// How far a place is from a line.
  private func distance(_ place: Place, _ line: [Place]) -> Double {
    var least = Double.infinity
    for (a, b) in zip(line, line.dropFirst()) {
      let way: Place = (b.x - a.x, b.y - a.y)
      let square = way.x * way.x + way.y * way.y
      let dot = (place.x - a.x) * way.x + (place.y - a.y) * way.y
      let along = square == 0 ? 0 : min(max(dot / square, 0), 1)
      least = min(least, hypot(place.x - a.x - along * way.x, place.y - a.y - along * way.y))
    }
    return least
  }

  /// Holds that a stroke covers every pixel that is near enough to its line, and none that is too
  /// far.
  private func expectCovered(_ line: [Place], width: Double, _ what: String) {
    let sheet = Sheet(64, 64)
    var path = Path()
    for (index, place) in line.enumerated() {
      let point = Path.Point(Float(place.x), Float(place.y))
      if index == 0 { path.move(to: point) } else { path.line(to: point) }
    }
    path.finish()
    sheet.stroke(path, width: width)
    var wrong: [String] = []
    for y in 0..<64 {
      for x in 0..<64 {
        let far = distance((Double(x) + 0.5, Double(y) + 0.5), line) - width / 2
        let alpha = sheet.alpha(x, y)
        if far < -1 && alpha != 255 || far > 1 && alpha != 0 { wrong.append("(\(x), \(y))") }
      }
    }
    #expect(wrong.isEmpty, "\(what): \(wrong.count) pixels, \(wrong.prefix(3))")
  }

  @Test func theInsideOfATurnIsCoveredHoweverShortItsSides() {
    // Sides shorter than half the line's width, turns of every sharpness, both ways.
    for degrees in stride(from: 10.0, through: 175, by: Emulation.isOn ? 55 : 5) {
      for (first, second) in [(18.0, 18.0), (2, 18), (18, 2), (2, 2), (5, 3)] {
        for side in [1.0, -1.0] {
          let angle = side * degrees * .pi / 180
          let end: Place = (32 + second * cos(angle), 32 + second * sin(angle))
          expectCovered(
            [(32 - first, 32), (32, 32), end], width: 20,
            "\(degrees)°, \(first) and \(second), \(side)")
        }
      }
    }
  }

  @Test func aStrokeCoversWhatIsNearItsLineAndNothingElse() {
    var numbers = SeededNumbers(5)
    for round in 0..<Emulation.rounds(60) {
      let line = (0..<(3 + round % 7)).map { _ -> Place in
        (numbers.number(16...48), numbers.number(16...48))
      }
      expectCovered(line, width: [2.5, 6, 14, 25][round % 4], "round \(round)")
    }
  }

  @Test func aCrowdOfPlacesTakesLittleMemory() {
    var path = Path()
    for index in 0..<70_000 {
      path.move(to: Path.Point(Float(index % 251), Float(index / 251 % 251) + 0.5))
    }
    path.finish()
    var stroker = PathStroker()
    stroker.outline(path, radius: 50, width: 256, height: 256)
    // Whole discs of this size have 71 points each.
    #expect(stroker.edges.points.count < 70_000 * 12)
    #expect(stroker.edges.ends.count == 70_000)
  }
}
