import Pixels
import TestSupport
import Testing

/// Bayer's 4x4 matrix as it is usually printed.
let bayer: [[Int]] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]]

/// The dither's formula, channel by channel.
func referencePack(_ argb: UInt32, x: Int, y: Int) -> UInt16 {
  let level = bayer[y & 3][x & 3]
  let red = Int(argb >> 16 & 255)
  let green = Int(argb >> 8 & 255)
  let blue = Int(argb & 255)
  let r = (red - red / 32 + level / 2) / 8
  let g = (green - green / 64 + level / 4) / 4
  let b = (blue - blue / 32 + level / 2) / 8
  return UInt16(r << 11 | g << 5 | b)
}

/// Bit replication, channel by channel.
func referenceExpand(_ value: UInt16) -> UInt32 {
  let r = UInt32(value >> 11)
  let g = UInt32(value >> 5 & 63)
  let b = UInt32(value & 31)
  return 0xff00_0000 | (r << 3 | r >> 2) << 16 | (g << 2 | g >> 4) << 8 | (b << 3 | b >> 2)
}

@Test func everyColourThat565HoldsStaysExactAtEveryPlaceOfThePattern() {
  var wrong = 0
  for value in UInt16.min...UInt16.max {
    let argb = referenceExpand(value)
    for place in 0..<16 where RGB565Dither.pack(argb, x: place & 3, y: place >> 2) != value {
      wrong += 1
    }
  }
  #expect(wrong == 0)
}

@Test func eachChannelFollowsTheFormulaForEveryValueAndPlace() {
  var wrong = 0
  for value in UInt32(0)...255 {
    // Different values in the three channels, so that a swapped channel is seen.
    let argb = value << 16 | (255 - value) << 8 | (value ^ 0x55)
    for y in -5..<6 {
      for x in -5..<6 where RGB565Dither.pack(argb, x: x, y: y) != referencePack(argb, x: x, y: y) {
        wrong += 1
      }
    }
  }
  #expect(wrong == 0)
}

@Test func theMeanOverThePatternIsTheScaledValue() {
  for value in 0...255 {
    let argb = UInt32(value) << 16 | UInt32(value) << 8 | UInt32(value)
    var red = 0
    var green = 0
    for place in 0..<16 {
      let packed = RGB565Dither.pack(argb, x: place & 3, y: place >> 2)
      red += Int(packed >> 11)
      green += Int(packed >> 5 & 63)
    }
    #expect(red == 2 * (value - value / 32))
    #expect(green == 4 * (value - value / 64))
  }
}

/// Samples that are dithered on the way are those of 32 bits, dithered.
@Test(arguments: [1, 3, 4, 7, 8, 9, 16, 31, 250, 256])
func samplesAreDitheredAsRowsOfWordsAre(count: Int) {
  var numbers = SeededNumbers(UInt64(count) + 21)
  let (x, y, columns) = (3, 6, count + 40)
  let source = numbers.words(columns * 40)
  func halves(_ body: (UnsafeMutablePointer<UInt16>) -> Void) -> [UInt16]? {
    var row = [UInt16](repeating: 0x1234, count: count + 9)
    row.withUnsafeMutableBufferPointer { body($0.baseAddress! + 1) }
    let isKept = row[0] == 0x1234 && row[(count + 1)...].allSatisfy { $0 == 0x1234 }
    return isKept ? Array(row[1...count]) : nil
  }
  func packed(_ words: [UInt32]?) -> [UInt16]? {
    words.flatMap { words in halves { pack565(words, $0, count, x: x, y: y) } }
  }
  let memory = UnsafeMutableRawPointer.allocate(
    byteCount: ResampleTable.bytes(count) + 4 * 256 * 8, alignment: 16)
  defer { memory.deallocate() }
  let table = ResampleTable(memory)
  table.fill(count: count, position: 4_711, step: 60_000)
  #expect(
    halves {
      resampleBetween565(
        source: source, next: columns, weight: 33, table: table, destination: $0, count: count,
        x: x,
        y: y)
    }
      == packed(
        written(count) {
          resampleBetween(
            source: source, next: columns, weight: 33, table: table, destination: $0, count: count)
        }))
  let planes = (memory + ResampleTable.bytes(count)).assumingMemoryBound(to: UInt16.self)
  for weight in [0, 1, 90, 127] {
    resampleRowsToPlanes(
      source: source, next: columns, table: table, destination: planes, room: 256, count: count)
    let expected = packed(
      written(count) { lerpPlanes(planes, planes + 1024, weight: weight, $0, count) })
    resampleRowsToPlanes565(
      source: source, next: columns, table: table, destination: planes, room: 256, count: count)
    #expect(
      halves { lerpPlanes565(planes, planes + 1024, weight: weight, $0, count, x: x, y: y) }
        == expected)
  }
  let (u, v, du, dv) = (9 << 16, 2 << 16 | 777, 50_000, 5_000)
  #expect(
    halves {
      rotateBlock565(
        source: source, sourceStride: columns, u: u, v: v, du: du, dv: dv, destination: $0,
        destinationStride: count, width: count, height: 1, x: x, y: y)
    }
      == packed(
        written(count) {
          rotateBlock(
            source: source, sourceStride: columns, u: u, v: v, du: du, dv: dv, destination: $0,
            destinationStride: count, width: count, height: 1)
        }))
}
