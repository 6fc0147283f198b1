/// The size of an encoded picture, read from its header only.
public struct PictureSize: Sendable, Equatable {
  /// The width in pixels.
  public var width: Int
  /// The height in pixels.
  public var height: Int

  /// Reads the size from the header of a PNG, JPEG or WebP picture; nil if there is none, or if a
  /// side is 0. There is no upper limit.
  public init?(header bytes: [UInt8]) {
    let size: (Int, Int)?
    switch TileFormat(sniffing: bytes) {
    case .png: size = PictureSize.png(bytes)
    case .jpeg: size = PictureSize.jpeg(bytes)
    case .webp: size = PictureSize.webp(bytes)
    default: size = nil
    }
    guard let (width, height) = size, width > 0, height > 0 else { return nil }
    self.width = width
    self.height = height
  }

  /// IHDR is the first chunk (PNG specification, 11.2.2).
  private static func png(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.count >= 24, bytes[12..<16].elementsEqual("IHDR".utf8) else { return nil }
    func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    return (number(16), number(20))
  }

  /// The first start-of-frame segment (ITU-T T.81, B.2.2).
  private static func jpeg(_ bytes: [UInt8]) -> (Int, Int)? {
    var place = 2
    while place + 9 <= bytes.count {
      guard bytes[place] == 0xff else { return nil }
      let marker = bytes[place + 1]
      if marker == 0xff {
        place += 1
        continue
      }
      if (0xd0...0xd8).contains(marker) || marker == 0x01 {
        place += 2
        continue
      }
      if (0xc0...0xcf).contains(marker), marker != 0xc4, marker != 0xc8, marker != 0xcc {
        let height = Int(bytes[place + 5]) << 8 | Int(bytes[place + 6])
        return (Int(bytes[place + 7]) << 8 | Int(bytes[place + 8]), height)
      }
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      guard length >= 2 else { return nil }
      place += 2 + length
    }
    return nil
  }

  /// The first chunk: VP8X, VP8L or VP8 (RFC 9649, 2.5 to 2.7).
  private static func webp(_ bytes: [UInt8]) -> (Int, Int)? {
    guard bytes.count >= 30 else { return nil }
    func little(_ at: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(bytes[at + $1]) << (8 * $1) }
    }
    switch String(decoding: bytes[12..<16], as: UTF8.self) {
    case "VP8X": return (little(24, 3) + 1, little(27, 3) + 1)
    case "VP8L":
      guard bytes[20] == 0x2f else { return nil }
      let bits = little(21, 4)
      return (bits & 0x3fff + 1, bits >> 14 & 0x3fff + 1)
    case "VP8 ":
      guard bytes[23] == 0x9d, bytes[24] == 0x01, bytes[25] == 0x2a else { return nil }
      return (little(26, 2) & 0x3fff, little(28, 2) & 0x3fff)
    default: return nil
    }
  }
}
