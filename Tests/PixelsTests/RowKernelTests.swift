import Pixels
import TestSupport
import Testing

@Test(arguments: counts)
func copyingAndFillingTouchTheirRowAndNothingElse(count: Int) {
  var numbers = SeededNumbers(UInt64(count))
  let row = numbers.words(count + 1)
  #expect(written(count) { copyRow(row, $0, count) } == Array(row.prefix(count)))
  let color: UInt32 = 0x1234_5678
  #expect(written(count) { fill($0, color, count) } == [UInt32](repeating: color, count: count))
  // 16-bit pixels: twice as many, from an odd address.
  let halves = written(count + 1) { words in
    words.withMemoryRebound(to: UInt16.self, capacity: 2 * count + 2) {
      fill($0, 0, 2 * count + 2)
      fill($0 + 1, 0xabcd, 2 * count)
    }
  }
  var expected = [UInt16](repeating: 0xabcd, count: 2 * count + 2)
  expected[0] = 0
  expected[2 * count + 1] = 0
  let words = stride(from: 0, to: expected.count, by: 2).map {
    UInt32(expected[$0]) | UInt32(expected[$0 + 1]) << 16
  }
  #expect(halves == words)
}

@Test func streamingCopiesItsBytesAndTouchesNothingElse() {
  let source = (0..<600).map { UInt8(truncatingIfNeeded: $0 &* 7) }
  for count in [0, 1, 4, 63, 64, 65, 127, 128, 200, 500] {
    for (from, to) in [(0, 0), (1, 0), (0, 4), (3, 62), (64, 1), (10, 70)] {
      var memory = [UInt8](repeating: 99, count: 700)
      source.withUnsafeBytes { source in
        memory.withUnsafeMutableBytes {
          stream(source.baseAddress! + from, $0.baseAddress! + to, byteCount: count)
          finishStreaming()
        }
      }
      #expect(memory[to..<to + count].elementsEqual(source[from..<from + count]))
      let others = memory[..<to] + memory[(to + count)...]
      #expect(others.allSatisfy { $0 == 99 })
    }
  }
}

@Test func every565ValueWidensByBitReplication() {
  let values = Array(UInt16.min...UInt16.max)
  let expected = values.map(referenceExpand)
  #expect(written(values.count) { expand565(values, $0, values.count) } == expected)
  #expect(values.map { expand565($0) } == expected)
}

@Test(arguments: counts)
func rowsOfAnyLengthWidenAndPackAsSinglePixelsDo(count: Int) {
  var numbers = SeededNumbers(7)
  let values = numbers.words(count + 1).map { UInt16(truncatingIfNeeded: $0) }
  values.withUnsafeBufferPointer { source in
    let row = written(count) { expand565(source.baseAddress! + 1, $0, count) }
    #expect(row == values.dropFirst().map(referenceExpand))
  }
  let pixels = numbers.words(count)
  for (x, y) in [(0, 0), (1, 3), (-3, 2), (255, -1), (6, 5)] {
    var packed = [UInt16](repeating: 0x5555, count: count + 10)
    packed.withUnsafeMutableBufferPointer {
      pack565(pixels, $0.baseAddress! + 1, count, x: x, y: y)
    }
    let expected = pixels.indices.map { referencePack(pixels[$0], x: x + $0, y: y) }
    #expect(Array(packed[1..<count + 1]) == expected)
    let guards = [packed[0]] + packed[(count + 1)...]
    #expect(guards.allSatisfy { $0 == 0x5555 })
  }
}

@Test func packingWhatWasWidenedGivesItBack() {
  let values = Array(UInt16.min...UInt16.max)
  let wide = values.map { expand565($0) }
  var packed = [UInt16](repeating: 0, count: values.count)
  packed.withUnsafeMutableBufferPointer {
    pack565(wide, $0.baseAddress!, values.count, x: 2, y: 1)
  }
  #expect(packed == values)
}
