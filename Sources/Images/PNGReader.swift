import CImages

/// Decodes PNG with libpng (PNG 3rd edition): every colour type and depth, tRNS, Adam7. Samples are
/// used as stored: gAMA, iCCP and sRGB are ignored, and of 16 bits the high byte is kept.
///
/// Indexed pictures, and greys of 8 bits and less, are read as raw samples and translated by a
/// table of 256 finished pixels, in half the time of libpng's own expansion.
final class PNGReader: ImageReader {
  private(set) var info = ImageInfo.unknown
  private let reader: OpaquePointer
  private var header = waypost_png_header()
  private let scratch: ImageScratch
  /// The samples of an interlaced indexed picture, all of which are read at the start.
  private var whole: UnsafePointer<UInt8>?
  private var nextRow = 0
  /// The pixel of each raw sample value.
  private var pixelOfSample: [UInt32] = []

  /// - Parameters:
  ///   - bytes: The file; used until the reader is freed.
  ///   - scratch: For raw samples; used until the reader is freed.
  /// - Throws: `ImageError` if the header is damaged or its size is out of range.
  init(_ bytes: UnsafeRawBufferPointer, scratch: ImageScratch) throws(ImageError) {
    guard
      let reader = waypost_png_open(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    else { throw ImageError.noMemory }
    self.reader = reader
    self.scratch = scratch
    // From here on, returning or throwing closes the reader.
    guard waypost_png_read_header(reader, &header) else { throw Self.error(reader) }
    info = try ImageInfo(
      .png, width: Int(header.width), height: Int(header.height),
      hasAlphaChannel: header.transparency)
  }

  deinit { waypost_png_close(reader) }

  var isRowByRow: Bool { header.indexed || !header.interlaced }

  func start(for width: Int, _ height: Int) throws(ImageError) -> (width: Int, height: Int) {
    guard waypost_png_start(reader) else { throw Self.error(reader) }
    if header.indexed && header.interlaced {
      let samples = try scratch.bytes(info.width * info.height)
        .assumingMemoryBound(to: UInt8.self)
      guard waypost_png_read_rows(reader, samples, info.width, header.height) else {
        throw Self.error(reader)
      }
      whole = UnsafePointer(samples)
    }
    return (info.width, info.height)
  }

  func readRows(
    into rows: UnsafeMutableRawPointer, rowBytes: Int, count: Int, straight: Bool
  ) throws(ImageError) -> Bool {
    if header.indexed {
      return try readIndexedRows(into: rows, rowBytes: rowBytes, count: count, straight: straight)
    }
    let bytes = rows.assumingMemoryBound(to: UInt8.self)
    guard waypost_png_read_rows(reader, bytes, rowBytes, UInt32(count)) else {
      throw Self.error(reader)
    }
    guard info.hasAlphaChannel else { return true }
    return ImagePremultiply.rows(
      rows, rowBytes: rowBytes, width: info.width, count: count, straight: straight)
  }

  private func readIndexedRows(
    into rows: UnsafeMutableRawPointer, rowBytes: Int, count: Int, straight: Bool
  ) throws(ImageError) -> Bool {
    var line: UnsafeMutablePointer<UInt8>?
    if whole == nil { line = try scratch.bytes(info.width).assumingMemoryBound(to: UInt8.self) }
    let info = info
    if pixelOfSample.isEmpty { makeTable(straight: straight) }
    // A failure leaves the closure as nil, because Swift 6.0's withUnsafeBufferPointer loses an
    // error's type.
    let opaque = pixelOfSample.withUnsafeBufferPointer { table -> Bool? in
      var seen: UInt32 = 0xff00_0000
      for y in 0..<count {
        let samples: UnsafePointer<UInt8>
        if let whole {
          samples = whole + (nextRow + y) * info.width
        } else {
          guard let line, waypost_png_read_rows(reader, line, info.width, 1) else {
            return nil
          }
          samples = UnsafePointer(line)
        }
        let row = (rows + y * rowBytes).assumingMemoryBound(to: UInt32.self)
        for x in 0..<info.width {
          let pixel = table[Int(samples[x])]
          seen &= pixel
          row[x] = pixel
        }
      }
      nextRow += count
      return seen == 0xff00_0000
    }
    guard let opaque else { throw Self.error(reader) }
    return opaque
  }

  /// Fills 256 entries, so that no sample, which is a byte, reads past them, whatever the palette's
  /// length.
  private func makeTable(straight: Bool) {
    pixelOfSample = withUnsafeBytes(of: &header.colours) { Array($0.bindMemory(to: UInt32.self)) }
    guard info.hasAlphaChannel, !straight else { return }
    for i in pixelOfSample.indices {
      pixelOfSample[i] = ImagePremultiply.pixel(pixelOfSample[i])
    }
  }

  func finish() throws(ImageError) {
    guard waypost_png_finish(reader) else { throw Self.error(reader) }
  }

  private static func error(_ reader: OpaquePointer) -> ImageError {
    .said("PNG", String(cString: waypost_png_message(reader)))
  }
}
