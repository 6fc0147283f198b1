import CDeflate
import CPixels

/// Decodes the kind of PNG that maps are made of, inflated at once: libdeflate takes a third of the
/// time of libpng and zlib, and the rest is a table lookup or a few vector steps per pixel.
///
/// It reads only plain and intact files: not interlaced, 8 bits (indexed and grey also 1, 2, 4),
/// chunks in order with correct checksums, a zlib stream of exactly the picture's size. For
/// everything else, including damaged files, `init` returns nil and `PNGReader` (libpng) decides.
final class DeflatedPNG: ImageReader {
  private(set) var info = ImageInfo.unknown
  private var colourType: UInt8 = 0
  private var depth = 8
  /// The inflated rows, each after its filter byte.
  private let rows: UnsafeMutablePointer<UInt8>
  /// Bytes of a row without its filter byte.
  private let rowBytes: Int
  /// Bytes of a pixel, at least 1: the unit of the filters.
  private let pixelBytes: Int
  private var next = 0
  /// The pixel of each sample value, with straight alpha until `readRows` premultiplies it.
  private var palette: UnsafeMutablePointer<UInt32>
  private var isTablePremultiplied = false

  /// The largest picture that is inflated at once, in bytes; others are read row by row.
  private static let limit = 2 << 20

  /// - Parameters:
  ///   - bytes: The file; used until the reader is freed.
  ///   - memory: Reused from tile to tile; used until the reader is freed.
  init?(_ bytes: UnsafeRawBufferPointer, memory: Memory) {
    guard let inflater = memory.inflater, let chunks = Chunks(bytes) else { return nil }
    colourType = chunks.colourType
    depth = chunks.depth
    let channels = [0: 1, 2: 3, 3: 1, 4: 2, 6: 4][Int(colourType)] ?? 1
    pixelBytes = channels
    rowBytes = (chunks.width * channels * depth + 7) / 8
    let expected = (rowBytes + 1) * chunks.height
    guard expected <= DeflatedPNG.limit, chunks.dataBytes <= DeflatedPNG.limit,
      let info = try? ImageInfo(
        .png, width: chunks.width, height: chunks.height,
        hasAlphaChannel: colourType & 4 != 0 || chunks.transparency != nil),
      // A row of zeros above the first, and some bytes after the last that vectors may read.
      let out = try? memory.rows.bytes(rowBytes + expected + 16),
      let stream = chunks.stream(memory)
    else { return nil }
    self.info = info
    out.initializeMemory(as: UInt8.self, repeating: 0, count: rowBytes)
    let start = out + rowBytes
    var used = 0
    var got = 0
    guard
      libdeflate_zlib_decompress_ex(
        inflater, stream.baseAddress, stream.count, start, expected, &used, &got)
        == LIBDEFLATE_SUCCESS, got == expected
    else { return nil }
    rows = start.assumingMemoryBound(to: UInt8.self)
    palette = memory.palette
    for y in 0..<chunks.height where rows[y * (rowBytes + 1)] > 4 { return nil }
    chunks.fill(palette)
  }

  var isRowByRow: Bool { true }

  func start(for width: Int, _ height: Int) -> (width: Int, height: Int) {
    (info.width, info.height)
  }

  func readRows(
    into target: UnsafeMutableRawPointer, rowBytes targetBytes: Int, count: Int, straight: Bool
  ) -> Bool {
    let width = info.width
    let isIndexed = colourType == 3 || colourType == 0
    if isIndexed, !straight, !isTablePremultiplied {
      for i in 0..<256 { palette[i] = ImagePremultiply.pixel(palette[i]) }
      isTablePremultiplied = true
    }
    var opaque = true
    for y in 0..<count {
      let row = rows + (next + y) * (rowBytes + 1) + 1
      let filter = UInt32(row[-1])
      if filter > 0 {
        // Above the first row are the zeros before the buffer's start.
        let above = next + y > 0 ? row - (rowBytes + 1) : rows - rowBytes
        waypost_unfilter(filter, row, above, rowBytes, UInt32(pixelBytes))
      }
      let out = (target + y * targetBytes).assumingMemoryBound(to: UInt32.self)
      var rowOpaque = true
      switch colourType {
      case 2: waypost_rgb_to_words(row, out, width, 3)
      case 6:
        waypost_rgb_to_words(row, out, width, 4)
        rowOpaque =
          straight
          ? ImagePremultiply.isOpaque(out, count: width)
          : ImagePremultiply.row(out, count: width)
      case 4:
        for x in 0..<width {
          let grey = UInt32(row[2 * x])
          out[x] = UInt32(row[2 * x + 1]) << 24 | grey << 16 | grey << 8 | grey
        }
        rowOpaque =
          straight
          ? ImagePremultiply.isOpaque(out, count: width)
          : ImagePremultiply.row(out, count: width)
      default: rowOpaque = lookUp(row, out, width)
      }
      opaque = opaque && rowOpaque
    }
    next += count
    return opaque
  }

  /// Converts samples to pixels. Returns whether all are opaque.
  private func lookUp(
    _ row: UnsafePointer<UInt8>, _ out: UnsafeMutablePointer<UInt32>, _ width: Int
  ) -> Bool {
    let table = palette
    var seen: UInt32 = 0xff00_0000
    if depth == 8 {
      for x in 0..<width {
        let pixel = table[Int(row[x])]
        seen &= pixel
        out[x] = pixel
      }
    } else {
      let perByte = 8 / depth
      let mask = (1 << depth) - 1
      for x in 0..<width {
        let shift = (perByte - 1 - x % perByte) * depth
        let pixel = table[Int(row[x / perByte]) >> shift & mask]
        seen &= pixel
        out[x] = pixel
      }
    }
    return seen == 0xff00_0000
  }

  func finish() {}

  /// Memory that is reused from tile to tile.
  final class Memory {
    fileprivate let inflater = libdeflate_alloc_decompressor()
    fileprivate let rows = ImageScratch()
    fileprivate let stream = ImageScratch()
    fileprivate let palette = UnsafeMutablePointer<UInt32>.allocate(capacity: 256)

    deinit {
      if let inflater { libdeflate_free_decompressor(inflater) }
      palette.deallocate()
    }

    func trim() {
      rows.trim()
      stream.trim()
    }
  }

  /// The chunks of a plain and intact picture (PNG 3rd edition, sections 5 and 11).
  private struct Chunks {
    let width: Int
    let height: Int
    let depth: Int
    let colourType: UInt8
    private(set) var palette: UnsafeRawBufferPointer?
    private(set) var transparency: UnsafeRawBufferPointer?
    private var data: (first: UnsafeRawBufferPointer, count: Int)?
    private(set) var dataBytes = 0
    private let bytes: UnsafeRawBufferPointer
    private var dataAt = 0

    init?(_ bytes: UnsafeRawBufferPointer) {
      self.bytes = bytes
      guard let (type, header, second) = Chunks.chunk(bytes, 8), type == Chunks.name("IHDR"),
        header.count == 13, Chunks.isWhole(bytes, 8, header.count)
      else { return nil }
      guard let width = Int(exactly: Chunks.number(header, 0)),
        let height = Int(exactly: Chunks.number(header, 4)), width > 0, height > 0,
        width <= TileDecoder.maxTileSide, height <= TileDecoder.maxTileSide,
        // Standard compression and filter methods, not interlaced.
        header[10] == 0, header[11] == 0, header[12] == 0
      else { return nil }
      (self.width, self.height) = (width, height)
      depth = Int(header[8])
      colourType = header[9]
      switch (colourType, depth) {
      case (0, 1), (0, 2), (0, 4), (0, 8), (3, 1), (3, 2), (3, 4), (3, 8), (2, 8), (4, 8), (6, 8):
        break
      default: return nil
      }
      // libpng cuts a longer palette, and then ignores a transparency chunk that is longer.
      let mostColours = colourType == 3 ? 1 << depth : 256
      var at = second
      while true {
        guard let (type, body, next) = Chunks.chunk(bytes, at) else { return nil }
        switch type {
        case Chunks.name("PLTE"):
          guard palette == nil, data == nil, transparency == nil, body.count % 3 == 0,
            !body.isEmpty, body.count / 3 <= mostColours, Chunks.isWhole(bytes, at, body.count)
          else { return nil }
          palette = body
        case Chunks.name("tRNS"):
          // Indexed pictures only: libpng handles the transparent colour of others.
          guard colourType == 3, let palette, data == nil, transparency == nil,
            !body.isEmpty, body.count <= palette.count / 3,
            Chunks.isWhole(bytes, at, body.count)
          else { return nil }
          transparency = body
        case Chunks.name("IDAT"):
          guard Chunks.isWhole(bytes, at, body.count) else { return nil }
          if let known = data {
            // They must be consecutive.
            guard at == dataAt else { return nil }
            data = (known.first, known.count + 1)
          } else {
            data = (body, 1)
          }
          dataBytes += body.count
          dataAt = next
        case Chunks.name("IEND"):
          guard body.isEmpty, Chunks.isWhole(bytes, at, 0), data != nil,
            colourType != 3 || palette != nil
          else { return nil }
          return
        default:
          // An unknown critical chunk (its name begins with a capital letter), or an invalid name.
          guard type >> 24 & 0x20 != 0, Chunks.isName(type) else { return nil }
        }
        at = next
      }
    }

    /// The zlib stream in one piece, copied together if it is in several chunks.
    func stream(_ memory: Memory) -> UnsafeRawBufferPointer? {
      guard let data else { return nil }
      if data.count == 1 { return data.first }
      guard let out = try? memory.stream.bytes(dataBytes) else { return nil }
      var at = 8
      var done = 0
      while let (type, body, next) = Chunks.chunk(bytes, at) {
        if type == Chunks.name("IDAT"), done + body.count <= dataBytes, let from = body.baseAddress
        {
          (out + done).copyMemory(from: from, byteCount: body.count)
          done += body.count
        }
        at = next
      }
      return done == dataBytes ? UnsafeRawBufferPointer(start: out, count: done) : nil
    }

    /// Fills the table with the pixels of 256 sample values; those beyond the palette are black.
    func fill(_ table: UnsafeMutablePointer<UInt32>) {
      table.update(repeating: 0xff00_0000, count: 256)
      if colourType == 0 {
        let most = (1 << depth) - 1
        for i in 0...most {
          let grey = UInt32(i * (255 / most))
          table[i] = 0xff00_0000 | grey << 16 | grey << 8 | grey
        }
      }
      guard let palette, colourType == 3 else { return }
      for i in 0..<palette.count / 3 {
        let alpha = transparency.flatMap { i < $0.count ? UInt32($0[i]) : nil } ?? 255
        let (red, green) = (UInt32(palette[3 * i]), UInt32(palette[3 * i + 1]))
        table[i] = alpha << 24 | red << 16 | green << 8 | UInt32(palette[3 * i + 2])
      }
    }

    private static func name(_ text: StaticString) -> UInt32 {
      text.utf8Start.withMemoryRebound(to: UInt8.self, capacity: 4) {
        UInt32($0[0]) << 24 | UInt32($0[1]) << 16 | UInt32($0[2]) << 8 | UInt32($0[3])
      }
    }

    /// Whether a chunk's type is four ASCII letters, as required.
    private static func isName(_ type: UInt32) -> Bool {
      [24, 16, 8, 0].allSatisfy { (97...122).contains(type >> $0 & 0xDF | 0x20) }
    }

    private static func number(_ bytes: UnsafeRawBufferPointer, _ at: Int) -> UInt32 {
      UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: at, as: UInt32.self))
    }

    /// The chunk at `at`: its type, its body, and the offset of the next one; nil if it is cut off.
    private static func chunk(
      _ bytes: UnsafeRawBufferPointer, _ at: Int
    ) -> (type: UInt32, body: UnsafeRawBufferPointer, next: Int)? {
      guard at + 12 <= bytes.count else { return nil }
      let count = Int(number(bytes, at))
      guard count <= bytes.count - at - 12 else { return nil }
      return (
        number(bytes, at + 4), UnsafeRawBufferPointer(rebasing: bytes[(at + 8)..<(at + 8 + count)]),
        at + 12 + count
      )
    }

    /// Whether the checksum of the chunk at `at` is correct.
    private static func isWhole(_ bytes: UnsafeRawBufferPointer, _ at: Int, _ count: Int) -> Bool {
      guard let base = bytes.baseAddress else { return false }
      return libdeflate_crc32(0, base + at + 4, count + 4) == number(bytes, at + 8 + count)
    }
  }
}
