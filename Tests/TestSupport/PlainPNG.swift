/// PNG pictures made for tests.
public enum PlainPNG {
  /// A picture of 16 by 16 pixels whose bytes depend on `seed` alone, and differ for another.
  public static func tile(_ seed: UInt64, edge: Int = 16) -> [UInt8] {
    var rows: [UInt8] = []
    var number = seed
    for _ in 0..<edge {
      rows.append(0)
      for _ in 0..<(edge * 3) {
        rows.append(UInt8(truncatingIfNeeded: number))
        number = number &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        number ^= number >> 29
      }
    }
    // The seed itself in the first pixels.
    for index in 0..<8 { rows[1 + index] = UInt8(truncatingIfNeeded: seed >> UInt64(8 * index)) }
    let size = big(UInt32(edge))
    // One stored block (RFC 1950 and 1951).
    let length = UInt16(rows.count)
    var stored: [UInt8] = [0x78, 0x01, 1]
    for half in [length, ~length] {
      stored.append(UInt8(truncatingIfNeeded: half))
      stored.append(UInt8(truncatingIfNeeded: half >> 8))
    }
    stored += rows
    stored += big(adler(rows))
    var header = size + size
    header += [8, 2, 0, 0, 0]
    var picture: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
    picture += chunk("IHDR", header)
    picture += chunk("IDAT", stored)
    picture += chunk("IEND", [])
    return picture
  }

  private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + bytes
    var chunk = big(UInt32(bytes.count))
    chunk += named
    chunk += big(crc(named))
    return chunk
  }

  private static func big(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> UInt32($0)) }
  }

  private static let table: [UInt32] = (0..<256).map { index in
    var value = UInt32(index)
    for _ in 0..<8 {
      let isOdd = value & 1 == 1
      value >>= 1
      if isOdd { value ^= 0xedb8_8320 }
    }
    return value
  }

  private static func crc(_ bytes: [UInt8]) -> UInt32 {
    var sum: UInt32 = 0xffff_ffff
    for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 0xff)] ^ (sum >> 8) }
    return ~sum
  }

  private static func adler(_ bytes: [UInt8]) -> UInt32 {
    var (one, other): (UInt32, UInt32) = (1, 0)
    for byte in bytes {
      one = (one + UInt32(byte)) % 65521
      other = (other + one) % 65521
    }
    return other << 16 | one
  }
}
