import Pixels
import TestSupport
import Testing

/// Bilinear at pixel centres, clamped, in exact fractions, rounded to the nearest.
private func reference(
  _ tile: [UInt32], _ edge: Int, _ shift: Int, _ u: Int, _ v: Int
) -> UInt32 {
  let scale = 2 << shift
  func place(_ at: Int) -> (Int, Int, Int) {
    // In units of 1 / scale, shifted by one pixel so that it is not negative.
    let numerator = 2 * at + 1 - scale / 2 + scale
    let whole = numerator / scale - 1
    return (min(max(whole, 0), edge - 1), min(max(whole + 1, 0), edge - 1), numerator % scale)
  }
  let (x0, x1, f) = place(u)
  let (y0, y1, g) = place(v)
  let four = [
    tile[y0 * edge + x0], tile[y0 * edge + x1], tile[y1 * edge + x0], tile[y1 * edge + x1],
  ]
  return perChannel(four) { c in
    let upper = c[0] * (scale - f) + c[1] * f
    let lower = c[2] * (scale - f) + c[3] * f
    let sum = upper * (scale - g) + lower * g
    return (sum + scale * scale / 2) / (scale * scale)
  }
}

@Test(arguments: 0...6)
func anEnlargedTileIsWithinOneOfExactBilinear(shift: Int) {
  var numbers = SeededNumbers(UInt64(shift) + 20)
  let edge = 16
  let tile = numbers.words(edge * edge)
  let narrow = tile.map { UInt16(truncatingIfNeeded: $0 >> 7) }
  let wide = narrow.map(referenceExpand)
  var scratch = [UInt32](repeating: 0, count: 2 * edge + 2)
  let size = edge << shift
  for _ in 0..<60 {
    let v = Int.random(in: 0..<size, using: &numbers)
    let u = Int.random(in: 0..<size, using: &numbers)
    let count = Int.random(in: 1...size - u, using: &numbers)
    let row = written(count) {
      enlargeSpan(
        tile: tile, rowBytes: edge * 4, edge: edge, shift: shift, u: u, v: v, destination: $0,
        count: count, scratch: &scratch)
    }
    let expected = (0..<count).map { reference(tile, edge, shift, u + $0, v) }
    #expect(row.map { largestDifference($0, expected) <= (shift == 0 ? 0 : 1) } == true)
    let row565 = written(count) {
      enlargeSpan565(
        tile: narrow, rowBytes: edge * 2, edge: edge, shift: shift, u: u, v: v, destination: $0,
        count: count, scratch: &scratch)
    }
    let expected565 = (0..<count).map { reference(wide, edge, shift, u + $0, v) }
    #expect(row565.map { largestDifference($0, expected565) <= (shift == 0 ? 0 : 1) } == true)
  }
}

@Test func aWholeRowEqualsItsPartsWhereverItIsCut() {
  var numbers = SeededNumbers(31)
  let (edge, shift, v) = (8, 3, 29)
  let tile = numbers.words(edge * edge)
  var scratch = [UInt32](repeating: 0, count: 2 * edge + 2)
  func span(_ u: Int, _ count: Int) -> [UInt32] {
    written(count) {
      enlargeSpan(
        tile: tile, rowBytes: edge * 4, edge: edge, shift: shift, u: u, v: v, destination: $0,
        count: count, scratch: &scratch)
    } ?? []
  }
  let whole = span(0, 64)
  #expect(whole.count == 64)
  for cut in 1..<64 { #expect(span(0, cut) + span(cut, 64 - cut) == whole) }
  // Beyond the tile its last column is repeated.
  let beyond = span(60, 9)
  #expect(Array(beyond.prefix(4)) == Array(whole.suffix(4)))
  #expect(beyond.suffix(5).allSatisfy { $0 == whole[63] })
}

@Test func aTileOfOneColourStaysThatColourAtEveryShift() {
  let tile = [UInt32](repeating: 0xff12_a7fe, count: 16)
  var scratch = [UInt32](repeating: 0, count: 2 * 4 + 2)
  for shift in 0...16 {
    for v in [0, (4 << shift) / 2, (4 << shift) - 1] {
      let row = written(50) {
        enlargeSpan(
          tile: tile, rowBytes: 16, edge: 4, shift: shift, u: v, v: v, destination: $0, count: 50,
          scratch: &scratch)
      }
      #expect(row == [UInt32](repeating: 0xff12_a7fe, count: 50))
    }
  }
}
