import CImages

/// Decodes JPEG with libjpeg-turbo (T.81): baseline, progressive and arithmetic; grey, YCbCr, RGB,
/// CMYK and YCCK, the latter two as Adobe stores them (255 is no ink). A file that ends early is an
/// error; other oddities are accepted if the library accepts them. Exif orientation is ignored.
final class JPEGReader: ImageReader {
  private(set) var info = ImageInfo.unknown
  private let reader: OpaquePointer
  private var isCMYK = false
  private var rowWidth = 0

  init(_ bytes: UnsafeRawBufferPointer) throws(ImageError) {
    guard
      let reader = waypost_jpeg_open(
        bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    else { throw ImageError.noMemory }
    self.reader = reader
    // From here on, returning or throwing closes the reader.
    var header = waypost_jpeg_header()
    guard waypost_jpeg_read_header(reader, &header) else { throw Self.error(reader) }
    isCMYK = header.cmyk
    info = try ImageInfo(
      .jpeg, width: Int(header.width), height: Int(header.height), hasAlphaChannel: false)
  }

  deinit { waypost_jpeg_close(reader) }

  var isRowByRow: Bool { true }

  func start(for width: Int, _ height: Int) throws(ImageError) -> (width: Int, height: Int) {
    // The inverse DCT itself averages by 2, 4 and 8, with a fraction of the work.
    var reduction = 8
    while reduction > 1,
      info.width < width * reduction || info.height < height * reduction
    {
      reduction /= 2
    }
    var rows = (width: UInt32(0), height: UInt32(0))
    guard
      waypost_jpeg_start(
        reader, UInt32(reduction), scanLimit, &rows.width, &rows.height)
    else { throw Self.error(reader) }
    rowWidth = Int(rows.width)
    return (Int(rows.width), Int(rows.height))
  }

  /// How many scans a file may have. A progressive file needs about ten, each a pass over the whole
  /// picture: the larger it is, the fewer are allowed, so that no file takes seconds.
  private var scanLimit: Int32 {
    Int32(min(100, max(24, (64 << 20) / (info.width * info.height))))
  }

  func readRows(
    into rows: UnsafeMutableRawPointer, rowBytes: Int, count: Int, straight: Bool
  ) throws(ImageError) -> Bool {
    let bytes = rows.assumingMemoryBound(to: UInt8.self)
    guard waypost_jpeg_read_rows(reader, bytes, rowBytes, UInt32(count)) else {
      throw Self.error(reader)
    }
    if isCMYK {
      for y in 0..<count { Self.cmykToBGRA(bytes + y * rowBytes, count: rowWidth) }
    }
    return true
  }

  /// Converts CMYK: red is C times K and so on, the light that the inks let through.
  private static func cmykToBGRA(_ row: UnsafeMutablePointer<UInt8>, count: Int) {
    for x in 0..<count {
      let pixel = row + 4 * x
      let (cyan, magenta, yellow, black) = (pixel[0], pixel[1], pixel[2], UInt32(pixel[3]))
      pixel[0] = UInt8(truncatingIfNeeded: (UInt32(yellow) &* black &+ 127) / 255)
      pixel[1] = UInt8(truncatingIfNeeded: (UInt32(magenta) &* black &+ 127) / 255)
      pixel[2] = UInt8(truncatingIfNeeded: (UInt32(cyan) &* black &+ 127) / 255)
      pixel[3] = 255
    }
  }

  func finish() throws(ImageError) {
    guard waypost_jpeg_finish(reader) else { throw Self.error(reader) }
  }

  private static func error(_ reader: OpaquePointer) -> ImageError {
    .said("JPEG", String(cString: waypost_jpeg_message(reader)))
  }
}
