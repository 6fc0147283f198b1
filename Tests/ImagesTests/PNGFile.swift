import TestSupport

@testable import Images
@testable import Pixels

/// PNG files made chunk by chunk, for comparing the two readers.
enum PNGFile {
  static let signature: [UInt8] = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]

  struct Chunk: Equatable {
    var name: [UInt8]
    var body: [UInt8]
    /// Turned over in the checksum: 0 for a chunk that is whole.
    var damage: UInt32 = 0

    init(_ name: String, _ body: [UInt8]) {
      self.name = Array(name.utf8)
      self.body = body
    }

    var description: String {
      let text = String(decoding: name, as: UTF8.self) + "(\(body.count)"
      return text + (name == Array("IHDR".utf8) ? " \(body))" : damage == 0 ? ")" : ", damaged)")
    }

    init(name: [UInt8], body: [UInt8]) {
      self.name = name
      self.body = body
    }
  }

  static func bytes(_ chunks: [Chunk]) -> [UInt8] {
    chunks.reduce(into: signature) { file, chunk in
      file += big(UInt32(chunk.body.count)) + chunk.name + chunk.body
      file += big(crc(chunk.name + chunk.body) ^ chunk.damage)
    }
  }

  /// The chunks of a file that is not cut off.
  static func chunks(_ file: [UInt8]) -> [Chunk] {
    var chunks: [Chunk] = []
    var at = 8
    while at + 12 <= file.count {
      let count = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      guard at + 12 + count <= file.count else { break }
      chunks.append(
        Chunk(name: Array(file[at + 4..<at + 8]), body: Array(file[at + 8..<at + 8 + count])))
      at += 12 + count
    }
    return chunks
  }

  static func big(_ value: UInt32) -> [UInt8] {
    (0..<4).map { UInt8(value >> (24 - 8 * $0) & 255) }
  }

  private static let crcTable: [UInt32] = (0..<256).map { byte in
    (0..<8).reduce(UInt32(byte)) { crc, _ in
      crc & 1 == 1 ? crc >> 1 ^ 0xedb8_8320 : crc >> 1
    }
  }

  private static func crc(_ body: [UInt8]) -> UInt32 {
    ~body.reduce(0xffff_ffff) { crcTable[Int(($0 ^ UInt32($1)) & 255)] ^ $0 >> 8 }
  }

  /// A zlib stream that stores what it holds.
  static func stored(_ data: [UInt8]) -> [UInt8] {
    var out: [UInt8] = [0x78, 0x01]
    for start in stride(from: 0, to: data.count, by: 65535) {
      let part = data[start..<min(start + 65535, data.count)]
      let count = UInt16(part.count)
      out.append(start + 65535 >= data.count ? 1 : 0)
      out +=
        [UInt8(count & 255), UInt8(count >> 8), UInt8(~count & 255), UInt8(~count >> 8)] + part
    }
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in data {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return out + big(b << 16 | a)
  }

  static func header(_ width: Int, _ height: Int, depth: Int, type: UInt8) -> Chunk {
    Chunk("IHDR", big(UInt32(width)) + big(UInt32(height)) + [UInt8(depth), type, 0, 0, 0])
  }

  /// A picture of noise; row `y` has the filter that `filter` gives it.
  static func noise(
    type: UInt8, depth: Int, width: Int = 37, height: Int = 23, transparency: Bool = false,
    parts: Int = 1, filter: (Int) -> UInt8
  ) -> [UInt8] {
    var random = Seeded(state: UInt64(type) * 100 + UInt64(depth))
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][Int(type)] ?? 1
    let rowBytes = (width * channels * depth + 7) / 8
    var rows: [UInt8] = []
    for y in 0..<height {
      rows.append(filter(y))
      for _ in 0..<rowBytes { rows.append(UInt8.random(in: 0...255, using: &random)) }
    }
    var chunks = [header(width, height, depth: depth, type: type)]
    if type == 3 {
      let colours = 1 << depth
      chunks.append(
        Chunk("PLTE", (0..<colours * 3).map { _ in UInt8.random(in: 0...255, using: &random) }))
      if transparency {
        chunks.append(Chunk("tRNS", (0..<(colours + 1) / 2).map { UInt8(($0 * 37) & 255) }))
      }
    }
    chunks.append(Chunk("tEXt", Array("Comment\0none".utf8)))
    let data = stored(rows)
    let size = (data.count + parts - 1) / parts
    for start in stride(from: 0, to: data.count, by: size) {
      chunks.append(Chunk("IDAT", Array(data[start..<min(start + size, data.count)])))
    }
    return bytes(chunks + [Chunk("IEND", [])])
  }

  /// An indexed picture of 16 by 16 pixels, every sample in it.
  static func indexed(
    depth: Int, colours: Int, alphas: Int, hasTransparency: Bool? = nil
  ) -> [UInt8] {
    let rowBytes = 16 * depth / 8
    let rows = (0..<16).flatMap { y in
      [UInt8(0)] + (0..<rowBytes).map { UInt8(truncatingIfNeeded: (y * rowBytes + $0) * 37) }
    }
    var chunks = [header(16, 16, depth: depth, type: 3)]
    chunks.append(
      Chunk("PLTE", (0..<colours * 3).map { UInt8(truncatingIfNeeded: $0 * 29 + 7) }))
    if hasTransparency ?? (alphas > 0) {
      chunks.append(Chunk("tRNS", (0..<alphas).map { UInt8(truncatingIfNeeded: $0 * 53) }))
    }
    return bytes(chunks + [Chunk("IDAT", stored(rows)), Chunk("IEND", [])])
  }

  /// Whether a file is the same picture, or refused, with and without the quick reader.
  static func readersAgree(on file: [UInt8]) -> Bool {
    let (slow, quick) = (TileDecoder(), TileDecoder())
    slow.usesLibPNGAlone = true
    return [true, false].allSatisfy { straight in
      let expected = try? Picture(file, straight: straight, decoder: slow)
      let drawn = try? Picture(file, straight: straight, decoder: quick)
      return drawn == expected
    }
  }
}
