import Pixels
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The steps of a turn by `degrees` without a change of scale.
private func turned(_ degrees: Double) -> (du: Int, dv: Int) {
  let angle = degrees * .pi / 180
  return (Int((cos(angle) * 65536).rounded()), Int((sin(angle) * 65536).rounded()))
}

/// `p` to `q` at weight/128, to the nearest, halves up.
private func mixed(_ p: UInt32, _ q: UInt32, _ weight: Int) -> UInt32 {
  perChannel([p, q]) { ($0[0] * (128 - weight) + $0[1] * weight + 64) / 128 }
}

@Test(arguments: counts)
func samplesLieBetweenTheirNeighbours(count: Int) {
  var numbers = SeededNumbers(UInt64(count) + 3)
  for (position, step) in [(0, 65536), (0, 0), (13, 47_839), (65_535, 65_535), (9_999, 131_073)] {
    let source = numbers.words(((position + step * max(count - 1, 0)) >> 16) + 2)
    let expected = (0..<count).map { n in
      let place = position + n * step
      return mixed(source[place >> 16], source[(place >> 16) + 1], place >> 9 & 127)
    }
    let row = written(count) {
      resampleRow(source: source, destination: $0, count: count, position: position, step: step)
    }
    #expect(row == expected)
  }
}

@Test func positionsBeyond32BitsOfFixedPointStillFindTheirPixels() {
  // 70,000 source pixels are more than 16 bits of whole part.
  var numbers = SeededNumbers(5)
  let source = numbers.words(70_002)
  let position = 69_990 << 16 | 0x8000
  let expected = (0..<9).map { mixed(source[69_990 + $0], source[69_991 + $0], 64) }
  let row = written(9) {
    resampleRow(source: source, destination: $0, count: 9, position: position, step: 65536)
  }
  #expect(row == expected)
}

@Test(arguments: counts)
func rowsMixByTheirWeight(count: Int) {
  var numbers = SeededNumbers(UInt64(count) + 4)
  let a = numbers.words(count)
  let b = numbers.words(count)
  for weight in [0, 1, 64, 65, 127, 128] {
    let expected = zip(a, b).map { mixed($0, $1, weight) }
    #expect(written(count) { lerpRows(a, b, weight: weight, $0, count) } == expected)
    // In place of the first row.
    #expect(
      written(count, over: a) { lerpRows(UnsafePointer($0), b, weight: weight, $0, count) }
        == expected)
  }
}

@Test func everyPairOfValuesMixesExactlyAtEveryWeight() {
  let values = (UInt32(0)...255).map { $0 &* 0x0101_0101 }
  var wrong = 0
  for p in stride(from: UInt32(0), through: 255, by: 5) {
    let first = [UInt32](repeating: p &* 0x0101_0101, count: 256)
    for weight in 0...128 {
      let row = written(256) { lerpRows(first, values, weight: weight, $0, 256) } ?? []
      for q in 0..<256 {
        let expected = (Int(p) * (128 - weight) + q * weight + 64) / 128
        if row[q] != UInt32(expected) &* 0x0101_0101 { wrong += 1 }
      }
    }
  }
  #expect(wrong == 0)
}

@Test(arguments: counts)
func halvingTakesTheMeanOfFour(count: Int) {
  var numbers = SeededNumbers(UInt64(count) + 6)
  let upper = numbers.words(2 * count)
  let lower = numbers.words(2 * count)
  let expected = (0..<count).map { n in
    perChannel([upper[2 * n], upper[2 * n + 1], lower[2 * n], lower[2 * n + 1]]) {
      ($0.reduce(0, +) + 2) / 4
    }
  }
  #expect(written(count) { reduce2x2(upper, lower, $0, count) } == expected)
}

@Test(arguments: [0.0, 30, 90, 137, 180, 271, 359])
func aTurnedBlockIsWithinOneOfExactBilinear(degrees: Double) {
  var numbers = SeededNumbers(8)
  let edge = 64
  let source = numbers.words(edge * edge)
  let turn = turned(degrees)
  let width = 27
  let height = 21
  // Around the middle of the source, so that every sample lies inside.
  let middle = Double(edge) / 2 * 65536
  let u = Int(middle) - (turn.du * width - turn.dv * height) / 2 + 1_234
  let v = Int(middle) - (turn.dv * width + turn.du * height) / 2 + 4_321
  var expected: [UInt32] = []
  for y in 0..<height {
    for x in 0..<width {
      let column = u + x * turn.du - y * turn.dv
      let row = v + x * turn.dv + y * turn.du
      let i = (row >> 16) * edge + (column >> 16)
      let (f, g) = (column >> 9 & 127, row >> 9 & 127)
      expected.append(
        perChannel([source[i], source[i + 1], source[i + edge], source[i + edge + 1]]) {
          let upper = $0[0] * (128 - f) + $0[1] * f
          let lower = $0[2] * (128 - f) + $0[3] * f
          return (upper * (128 - g) + lower * g + 8192) / 16384
        })
    }
  }
  let stride = width + 2
  var result = [UInt32](repeating: 7, count: stride * height)
  result.withUnsafeMutableBufferPointer {
    rotateBlock(
      source: source, sourceStride: edge, u: u, v: v, du: turn.du, dv: turn.dv,
      destination: $0.baseAddress!, destinationStride: stride, width: width, height: height)
  }
  let inside = (0..<height).flatMap { result[$0 * stride..<$0 * stride + width] }
  #expect(largestDifference(inside, expected) <= 1)
  #expect((0..<height).allSatisfy { result[$0 * stride + width] == 7 })
}

@Test func aBlockThatIsNotTurnedIsCopiedExactly() {
  var numbers = SeededNumbers(9)
  let source = numbers.words(16 * 16)
  var result = [UInt32](repeating: 0, count: 9 * 5)
  result.withUnsafeMutableBufferPointer {
    rotateBlock(
      source: source, sourceStride: 16, u: 3 << 16, v: 2 << 16, du: 65536, dv: 0,
      destination: $0.baseAddress!, destinationStride: 9, width: 9, height: 5)
  }
  let expected: [UInt32] = (2..<7).flatMap { row in source[row * 16 + 3..<row * 16 + 12] }
  #expect(result == expected)
}
