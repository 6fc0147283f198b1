import TileFormats

/// Tells whether a picture came whole, judged by its end alone.
///
/// A server or a proxy that dies closes the connection, and where it stated no length, the answer
/// seems complete. Such a tile must not be stored for days.
public enum PictureEnd {
  /// The type and the checksum of a PNG file's last chunk (PNG 3rd edition 11.2.5).
  private static let png: [UInt8] = [0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]
  /// A JPEG file's last marker, EOI (ITU-T T.81 B.1.1.3). Within the picture's data, 0xff is
  /// followed by other bytes.
  private static let jpeg: [UInt8] = [0xff, 0xd9]

  /// False if `bytes`, a tile of `format`, are a picture whose end is missing. Bytes after the end
  /// are no fault.
  public static func isThere(_ bytes: [UInt8], _ format: TileFormat) -> Bool {
    switch format {
    case .png: holds(png, bytes, from: 0)
    case .jpeg: holds(jpeg, bytes, from: jpegScan(bytes))
    case .webp: bytes.count >= webpLength(bytes)
    default: true
    }
  }

  private static func holds(_ end: [UInt8], _ bytes: [UInt8], from start: Int) -> Bool {
    // From the back, where it is.
    var last = bytes.count - end.count
    while last >= start {
      if bytes[last] == end[0], bytes[last..<(last + end.count)].elementsEqual(end) { return true }
      last -= 1
    }
    return false
  }

  /// Where a JPEG file's first scan begins, after the segments with their lengths: one of them may
  /// hold a thumbnail, a whole JPEG file. If there is no scan, the end of `bytes`.
  private static func jpegScan(_ bytes: [UInt8]) -> Int {
    var start = 2
    while start + 4 <= bytes.count, bytes[start] == 0xff {
      switch bytes[start + 1] {
      case 0xda: return start
      case 0xff: start += 1
      // TEM and RSTm have no length.
      case 0x01, 0xd0...0xd7: start += 2
      default: start += 2 + Int(bytes[start + 2]) << 8 + Int(bytes[start + 3])
      }
    }
    // Decoders pass over odd bytes between two segments.
    return start
  }

  /// The length that a WebP file states (RFC 9649, section 2.4).
  private static func webpLength(_ bytes: [UInt8]) -> Int {
    guard bytes.count >= 8 else { return .max }
    return bytes[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } + 8
  }
}
