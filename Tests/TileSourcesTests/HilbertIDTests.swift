import MapGeometry
import Testing
import TileSources

@Test(arguments: [
  (0, 0, 0, 0), (1, 0, 0, 1), (1, 0, 1, 2), (1, 1, 1, 3), (1, 1, 0, 4), (2, 0, 0, 5),
  (12, 3423, 1763, 19_078_479),
])
func pmtilesNumbersAreTheSpecifications(z: Int, x: Int, y: Int, number: Int) {
  #expect(HilbertID.number(of: tile(z, x, y)) == UInt64(number))
  #expect(HilbertID.tile(UInt64(number)) == tile(z, x, y))
}

@Test func everyTileDownToLevel9HasANumberOfItsOwnAndComesBack() {
  var next: UInt64 = 0
  var wrong = 0
  for z in 0...9 {
    var seen = Set<UInt64>()
    for x in 0..<(1 << z) {
      for y in 0..<(1 << z) {
        let number = HilbertID.number(of: tile(z, x, y))
        if HilbertID.tile(number) != tile(z, x, y) || HilbertID.level(of: number) != z {
          wrong += 1
        }
        seen.insert(number)
      }
    }
    #expect(seen.count == 1 << (2 * z))
    #expect(seen.min() == next)
    next += UInt64(1) << UInt64(2 * z)
    #expect(seen.max() == next - 1)
  }
  #expect(wrong == 0)
}

@Test(arguments: 10...24)
func theCornersOfDeepLevelsComeBack(z: Int) {
  let last = (1 << z) - 1
  for (x, y) in [(0, 0), (last, 0), (0, last), (last, last), (last / 3, last / 2)] {
    #expect(HilbertID.tile(HilbertID.number(of: tile(z, x, y))) == tile(z, x, y))
  }
  // The curve begins in the north-west and ends in the north-east.
  let start = HilbertID.number(of: tile(z, 0, 0))
  #expect(HilbertID.level(of: start) == z && HilbertID.level(of: start - 1) == z - 1)
  #expect(HilbertID.number(of: tile(z, last, 0)) - start == (1 << UInt64(2 * z)) - 1)
}

@Test func numbersBelowLevel24AreNoTiles() {
  #expect(HilbertID.tile(.max) == nil)
  #expect(HilbertID.tile(HilbertID.number(of: tile(24, (1 << 24) - 1, 0)) + 1) == nil)
}
