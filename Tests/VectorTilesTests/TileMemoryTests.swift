import Platform
import Testing
import VectorTiles

/// Tiles whose tables or points are too large for the memory that there is.
@Suite struct TileMemoryTests {
  private func field(_ number: UInt8, _ bytes: [UInt8]) -> [UInt8] {
    var length = bytes.count
    var head = [number << 3 | 2]
    while length > 0x7f {
      head.append(UInt8(length & 0x7f | 0x80))
      length >>= 7
    }
    return head + [UInt8(length)] + bytes
  }

  private func tile(_ features: [UInt8]) -> [UInt8] {
    field(3, field(1, [0x61]) + [0x78, 2] + features)
  }

  private func error(reading bytes: [UInt8], most: Int) -> VectorTileError? {
    SpareMemory.$most.withValue(most) {
      bytes.withUnsafeBytes { bytes -> VectorTileError? in
        do throws(VectorTileError) {
          try VectorTile(bytes).verify()
          return nil
        } catch {
          return error
        }
      }
    }
  }

  @Test func manyFeaturesWithoutMemoryAreAnErrorThatMayPass() {
    let point: [UInt8] = [0x18, 1, 0x22, 3, 9, 2, 2]
    let bytes = tile(Array(repeatElement(field(2, point), count: 4000).joined()))
    #expect(error(reading: bytes, most: .max) == nil)
    // Enough for the bytes, and too little for the features.
    let refused = error(reading: bytes, most: bytes.count)
    #expect(refused?.lacksMemory == true)
    #expect(refused?.description.contains("no memory") == true)
    #expect(error(reading: bytes, most: 10)?.lacksMemory == true)
  }

  @Test func aLongLineWithoutMemoryIsAnErrorThatMayPass() {
    // A point, and 5,000 more, each a step to the right.
    var line: [UInt8] = [9, 2, 2]
    let command = 5000 << 3 | 2
    line.append(UInt8(command & 0x7f | 0x80))
    line.append(UInt8(command >> 7 & 0x7f | 0x80))
    line.append(UInt8(command >> 14))
    for _ in 0..<5000 { line += [2, 0] }
    let bytes = tile(field(2, [0x18, 2] + field(4, line)))
    #expect(error(reading: bytes, most: .max) == nil)
    #expect(error(reading: bytes, most: bytes.count)?.lacksMemory == true)
  }
}
