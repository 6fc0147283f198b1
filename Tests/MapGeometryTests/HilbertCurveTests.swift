import MapGeometry
import Testing

@Test(arguments: 1...8)
func cellsThatFollowOnTheHilbertCurveAreNeighbours(level: Int) {
  var before: (x: UInt64, y: UInt64)?
  var wrong = 0
  for position in 0..<(UInt64(1) << UInt64(2 * level)) {
    let cell = HilbertCurve.cell(at: position, level: level)
    if HilbertCurve.position(x: cell.x, y: cell.y, level: level) != position { wrong += 1 }
    if let before {
      let across = max(before.x, cell.x) - min(before.x, cell.x)
      let down = max(before.y, cell.y) - min(before.y, cell.y)
      if across + down != 1 { wrong += 1 }
    }
    before = cell
  }
  #expect(wrong == 0)
}

@Test func theHilbertCurveOfLevel16BeginsAndEndsInTheNorth() {
  let last: UInt64 = 0xFFFF
  #expect(HilbertCurve.position(x: 0, y: 0, level: 16) == 0)
  #expect(HilbertCurve.position(x: last, y: 0, level: 16) == 0xFFFF_FFFF)
  #expect(HilbertCurve.cell(at: 0xFFFF_FFFF, level: 16) == (last, 0))
}
