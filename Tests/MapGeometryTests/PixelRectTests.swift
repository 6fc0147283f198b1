import MapGeometry
import TestSupport
import Testing

@Suite struct PixelRectTests {
  private func pixels(_ rect: PixelRect) -> Set<Int> {
    var set = Set<Int>()
    if rect.isEmpty { return set }
    for y in rect.y..<rect.maxY { for x in rect.x..<rect.maxX { set.insert(y * 1000 + x) } }
    return set
  }

  @Test func rectanglesMeetWhereTheirPixelsDo() {
    var numbers = SeededNumbers(13)
    func any() -> PixelRect {
      PixelRect(
        x: numbers.integer(-8...8), y: numbers.integer(-8...8), width: numbers.integer(0...7),
        height: numbers.integer(0...7))
    }
    for _ in 0..<5000 {
      let (a, b) = (any(), any())
      let both = pixels(a).intersection(pixels(b))
      #expect(pixels(a.intersection(b)) == both)
      #expect(a.intersection(b).isEmpty == both.isEmpty)
      if !a.isEmpty, !b.isEmpty { #expect(a.intersects(b) == !both.isEmpty) }
      let union = a.union(b)
      #expect(pixels(union).isSuperset(of: pixels(a).union(pixels(b))))
      if !a.isEmpty, !b.isEmpty {
        // No smaller one would do.
        #expect(union.x == min(a.x, b.x) && union.maxY == max(a.maxY, b.maxY))
        #expect(union.y == min(a.y, b.y) && union.maxX == max(a.maxX, b.maxX))
      }
    }
  }

  @Test func rectanglesAtTheEndsOfTheNumbersAreCutOff() {
    let ends = [Int.min, Int.min + 1, -1, 0, 1, Int.max - 1, Int.max]
    for x in ends {
      for width in ends {
        let rect = PixelRect(x: x, y: x, width: width, height: width)
        let (sum, overflow) = x.addingReportingOverflow(width)
        #expect(rect.maxX == (overflow ? (width < 0 ? .min : .max) : sum))
        #expect(rect.maxY == rect.maxX)
        for other in ends {
          let second = PixelRect(x: other, y: other, width: width, height: width)
          let meet = rect.intersection(second)
          #expect(meet.width >= 0 && meet.height >= 0)
          if !rect.isEmpty, !second.isEmpty {
            #expect(rect.intersects(second) == !meet.isEmpty)
            #expect(rect.union(second).width >= 0)
          }
        }
      }
    }
  }
}
