/// The ways in which packs compress tiles, written without an encoder: their formats can hold bytes
/// as they are.
public enum Packing: String, CaseIterable, Sendable {
  case none, gzip, zstd, brotli

  /// `bytes` packed in this way.
  public func pack(_ bytes: [UInt8]) -> [UInt8] {
    switch self {
    case .none: bytes
    case .gzip: Packing.gzipStored(bytes)
    case .zstd: Packing.zstdStored(bytes)
    case .brotli: Packing.brotliStored(bytes)
    }
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  /// `bytes` in parts of `size`; of none, one part.
  private static func parts(_ bytes: [UInt8], _ size: Int) -> [ArraySlice<UInt8>] {
    if bytes.isEmpty { return [bytes[...]] }
    return stride(from: 0, to: bytes.count, by: size).map {
      bytes[$0..<min($0 + size, bytes.count)]
    }
  }

  /// A gzip member of stored blocks (RFC 1952 around RFC 1951, 3.2.4).
  private static func gzipStored(_ bytes: [UInt8]) -> [UInt8] {
    var sum: UInt32 = 0xffff_ffff
    for byte in bytes {
      sum ^= UInt32(byte)
      for _ in 0..<8 { sum = sum >> 1 ^ (sum & 1 == 1 ? 0xedb8_8320 : 0) }
    }
    var member: [UInt8] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]
    let parts = parts(bytes, 65_535)
    for (number, part) in parts.enumerated() {
      member.append(number == parts.count - 1 ? 1 : 0)
      member += little(part.count, 2)
      member += little(~part.count, 2)
      member += part
    }
    member += little(Int(~sum), 4)
    member += little(bytes.count, 4)
    return member
  }

  /// A zstd frame of raw blocks, with its content's size in one byte or in four (RFC 8878, 3.1.1).
  private static func zstdStored(_ bytes: [UInt8]) -> [UInt8] {
    var frame: [UInt8] = [0x28, 0xb5, 0x2f, 0xfd]
    frame.append(bytes.count < 256 ? 0x20 : 0xa0)
    frame += little(bytes.count, bytes.count < 256 ? 1 : 4)
    let parts = parts(bytes, 65_536)
    for (number, part) in parts.enumerated() {
      frame += little(part.count << 3 | (number == parts.count - 1 ? 1 : 0), 3)
      frame += part
    }
    return frame
  }

  /// A brotli stream of uncompressed meta-blocks (RFC 7932, 9.2), and an empty last one.
  private static func brotliStored(_ bytes: [UInt8]) -> [UInt8] {
    // The size of the window, 2^22 bytes; then for each block: it is not the last, four nibbles of
    // length, uncompressed.
    if bytes.isEmpty { return [0x3b] }
    var stream: [UInt8] = []
    for (number, part) in parts(bytes, 65_536).enumerated() {
      let bits = (part.count - 1) << 3 | 1 << 19
      stream += little(number == 0 ? bits << 4 | 0x0b : bits, 3)
      stream += part
    }
    stream.append(0x03)
    return stream
  }
}
