import CDeflate
import CZlib
import MapGeometry
import TileFormats

@testable import Images

/// Tiles as a pack or a server sends them. A picture has at most 2048 x 2048 pixels, 16 MiB;
/// libjpeg keeps all coefficients of a progressive one, 2 bytes each, up to 32 MiB, beside it.
///
/// PNG has two readers. What DeflatedPNG takes, libpng must draw alike: a tile must not look
/// different by the way it was compressed, and a file that libpng finds damaged must not be shown.
/// Checksums would keep a fuzzer out of both, so each input is tried as it is, with correct
/// checksums, and with the contents of its IDATs as what is compressed.
extension FuzzTarget {
  static let pictures: [FuzzTarget] = [
    FuzzTarget("png", of: ["Images", "CImages"], mebibytes: 48) { bytes in
      let file = [UInt8](bytes)
      try comparePNG(file)
      guard let whole = PNGRepair.checksums(file) else { return }
      if whole != file { try comparePNG(whole) }
      if let deflated = PNGRepair.deflated(file) { try comparePNG(deflated) }
    },
    FuzzTarget("jpeg", of: ["Images", "CImages"], mebibytes: 96, seconds: 20) {
      try draw($0, as: .jpeg)
    },
    FuzzTarget("webp", of: ["Images"], mebibytes: 96, seconds: 20) { try draw($0, as: .webp) },
    FuzzTarget("format", of: ["TileFormats", "Images"]) { bytes in
      let format = TileFormat(sniffing: bytes)
      try promise(
        format == TileFormat(sniffing: [UInt8](bytes)), "a format depends on how it is read")
      let size = PictureSize(header: [UInt8](bytes))
      if let size { try promise(size.width > 0 && size.height > 0, "a picture without a pixel") }
      guard let info = try? TileDecoder().probe(bytes) else { return }
      try promise(info.format == format, "\(info.format) is drawn where \(format) is recognised")
      try promise(
        size.map { $0.width == info.width && $0.height == info.height } ?? true,
        "\(String(describing: size)) is stated, and \(info.width)x\(info.height) is drawn")
    },
  ]

  private static func draw(_ bytes: UnsafeRawBufferPointer, as format: TileFormat) throws {
    let decoder = TileDecoder()
    for edge in [64, 256] {
      let target = UnsafeMutableRawBufferPointer.allocate(byteCount: edge * edge * 4, alignment: 16)
      defer { target.deallocate() }
      _ = try? decoder.decode(bytes, as: format, edge: edge, opaque: .rgb565, into: target)
    }
  }

  /// Draws a file with both readers, where the quick one takes it.
  private static func comparePNG(_ file: [UInt8]) throws {
    try file.withUnsafeBytes { bytes in
      let memory = DeflatedPNG.Memory()
      let info = DeflatedPNG(bytes, memory: memory)?.info
      let (width, height) = info.map { ($0.width, $0.height) } ?? (40, 30)
      for straight in info == nil ? [false] : [false, true] {
        let quick = picture(bytes, width, height, straight: straight, libpng: false)
        guard info != nil else { continue }
        let slow = picture(bytes, width, height, straight: straight, libpng: true)
        // Only zlib refuses the length codes 286 and 287 (RFC 1951, section 3.2.6). Where the
        // checksum is right nevertheless, the picture is what was meant.
        if slow == nil, PNGRepair.isRefusedByZlib(file) { continue }
        try promise(quick == slow, "the two readers of PNG disagree, straight: \(straight)")
      }
    }
  }

  private struct Picture: Equatable {
    var pixels: [UInt32]
    var isOpaque: Bool
  }

  /// The picture, or nil where it is refused.
  private static func picture(
    _ bytes: UnsafeRawBufferPointer, _ width: Int, _ height: Int, straight: Bool, libpng: Bool
  ) -> Picture? {
    let decoder = TileDecoder()
    decoder.keepsStraightAlpha = straight
    decoder.usesLibPNGAlone = libpng
    var pixels = [UInt32](repeating: 0xDEAD_BEEF, count: width * height)
    let isOpaque = pixels.withUnsafeMutableBytes { target in
      target.baseAddress.flatMap {
        try? decoder.render(bytes, width: width, height: height, into: $0, rowBytes: width * 4)
      }
    }
    return isOpaque.map { Picture(pixels: pixels, isOpaque: $0) }
  }
}

/// Gives PNG files what they need to be read any further.
enum PNGRepair {
  /// The file with correct checksums; nil where it has no chunks.
  static func checksums(_ file: [UInt8]) -> [UInt8]? {
    guard let chunks = chunks(file) else { return nil }
    return joined(chunks)
  }

  /// The file with the contents of its IDATs compressed, in one of them; nil where it has none.
  static func deflated(_ file: [UInt8]) -> [UInt8]? {
    guard var chunks = chunks(file) else { return nil }
    let rows = chunks.filter { $0.name == idat }.flatMap(\.body)
    guard let place = chunks.firstIndex(where: { $0.name == idat }),
      let compressor = libdeflate_alloc_compressor(1)
    else { return nil }
    defer { libdeflate_free_compressor(compressor) }
    var stream = [UInt8](repeating: 0, count: rows.count + 256)
    let count = libdeflate_zlib_compress(compressor, rows, rows.count, &stream, stream.count)
    chunks[place].body = stream[..<count]
    chunks = chunks.prefix(place + 1) + chunks[(place + 1)...].filter { $0.name != idat }
    return joined(chunks)
  }

  /// Whether zlib finds fault with what is in the IDATs.
  static func isRefusedByZlib(_ file: [UInt8]) -> Bool {
    let stream = (chunks(file) ?? []).filter { $0.name == idat }.flatMap(\.body)
    var room = [UInt8](repeating: 0, count: 4 << 20)
    var count = uLongf(room.count)
    return uncompress(&room, &count, stream, uLong(stream.count)) == Z_DATA_ERROR
  }

  private struct Chunk {
    var name: [UInt8]
    var body: ArraySlice<UInt8>
  }

  private static let idat = Array("IDAT".utf8)
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  private static func chunks(_ file: [UInt8]) -> [Chunk]? {
    guard file.starts(with: signature) else { return nil }
    var chunks: [Chunk] = []
    var at = 8
    while file.count - at >= 12 {
      let stated = file[at..<at + 4].reduce(0) { $0 << 8 | Int($1) }
      // The last chunk takes what there is.
      let count = min(stated, file.count - at - 12)
      chunks.append(
        Chunk(name: Array(file[at + 4..<at + 8]), body: file[at + 8..<at + 8 + count]))
      at += 12 + count
    }
    return chunks.isEmpty ? nil : chunks
  }

  private static func joined(_ chunks: [Chunk]) -> [UInt8] {
    func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian) { Array($0) } }
    var file = signature
    for chunk in chunks {
      let summed = chunk.name + chunk.body
      file += word(UInt32(chunk.body.count)) + summed
      file += word(libdeflate_crc32(0, summed, summed.count))
    }
    return file
  }
}
