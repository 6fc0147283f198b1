import CImages

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The destination of a PNG file's bytes.
public enum PNGSink {
  /// Calls the closure with the next bytes, valid during the call. If it returns false, writing
  /// stops.
  case closure((UnsafeRawBufferPointer) -> Bool)
  /// Writes to a descriptor from its present offset, and leaves it open.
  case fileDescriptor(Int32)

  fileprivate func take(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch self {
    case .closure(let closure): return closure(bytes)
    case .fileDescriptor(let descriptor):
      var rest = bytes[...]
      while !rest.isEmpty {
        let part = UnsafeRawBufferPointer(rebasing: rest)
        let written = write(descriptor, part.baseAddress, part.count)
        if written < 0 {
          guard errno == EINTR else { return false }
          continue
        }
        rest = rest.dropFirst(written)
      }
      return true
    }
  }
}

/// Writes a PNG picture of 8-bit RGB row by row. Its memory is a few rows, whatever the height.
public final class PNGWriter {
  /// The longest side, in pixels.
  public static let maxSide = 16384

  private final class SinkBox {
    let sink: PNGSink
    init(_ sink: PNGSink) { self.sink = sink }
  }

  private let writer: OpaquePointer
  private let box: SinkBox
  private let width: Int
  private var rowsLeft: Int
  private var failed = false

  /// Begins a file and writes its header.
  ///
  /// - Parameters:
  ///   - width: Pixels, 1 ... `maxSide`.
  ///   - height: Pixels, 1 ... `maxSide`.
  ///   - sink: The destination of the bytes.
  ///   - compression: zlib's level, 1 (fast) to 9 (small); 0 does not compress.
  /// - Throws: `ImageError` if a number is out of range, memory is short or the sink refuses the
  ///   header.
  public init(
    width: Int, height: Int, to sink: PNGSink, compression: Int = 6
  ) throws(ImageError) {
    guard (1...Self.maxSide).contains(width), (1...Self.maxSide).contains(height) else {
      throw ImageError(
        "\(width)x\(height) px; a picture may have 1 to \(Self.maxSide) px a side")
    }
    guard (0...9).contains(compression) else {
      throw ImageError("compression \(compression); PNG has levels 0 to 9")
    }
    let box = SinkBox(sink)
    // The writer is destroyed before the box is released, and nobody else has the pointer.
    let context = Unmanaged.passUnretained(box).toOpaque()
    let created = waypost_png_create(
      { context, bytes, count in
        guard let context else { return false }
        let box = Unmanaged<SinkBox>.fromOpaque(context).takeUnretainedValue()
        return box.sink.take(UnsafeRawBufferPointer(start: bytes, count: count))
      }, context)
    guard let created else { throw ImageError.noMemory }
    guard waypost_png_write_header(created, UInt32(width), UInt32(height), Int32(compression))
    else {
      let error = Self.error(created)
      waypost_png_destroy(created)
      throw error
    }
    writer = created
    self.box = box
    self.width = width
    rowsLeft = height
  }

  deinit { waypost_png_destroy(writer) }

  /// Writes the next rows, in `xrgb8888`; the fourth byte of a pixel is ignored.
  ///
  /// - Parameters:
  ///   - rows: `count` rows of `width` pixels, from the top.
  ///   - rowBytes: Bytes from one row to the next, at least `width * 4`.
  ///   - count: The number of rows; in total never more than the height.
  /// - Throws: `ImageError` if the sink refuses bytes. Nothing more can be written then.
  public func writeRows(
    _ rows: UnsafeRawPointer, rowBytes: Int, count: Int
  ) throws(ImageError) {
    precondition(rowBytes >= width * 4 && (0...rowsLeft).contains(count), "rows of the picture")
    try check(
      waypost_png_write_rows(
        writer, rows.assumingMemoryBound(to: UInt8.self), rowBytes, UInt32(count)))
    rowsLeft -= count
  }

  /// Ends the file. Every row must have been written.
  ///
  /// - Throws: `ImageError` if rows are missing or the sink refuses bytes.
  public func finish() throws(ImageError) {
    guard rowsLeft == 0 else { throw ImageError("PNG: \(rowsLeft) rows were never written") }
    try check(waypost_png_write_end(writer))
  }

  /// Encodes a whole picture in memory.
  ///
  /// - Parameters:
  ///   - pixels: `height` rows in `xrgb8888`.
  ///   - width: Pixels, 1 ... `maxSide`.
  ///   - height: Pixels, 1 ... `maxSide`.
  ///   - rowBytes: Bytes from one row to the next, at least `width * 4`.
  ///   - compression: zlib's level, 0 ... 9.
  /// - Returns: The file's bytes.
  /// - Throws: `ImageError` if a number is out of range or memory is short.
  public static func encode(
    _ pixels: UnsafeRawPointer, width: Int, height: Int, rowBytes: Int, compression: Int = 6
  ) throws(ImageError) -> [UInt8] {
    final class Growing {
      var bytes: [UInt8] = []
    }
    let growing = Growing()
    let sink = PNGSink.closure { part in
      growing.bytes.append(contentsOf: part)
      return true
    }
    let writer = try PNGWriter(width: width, height: height, to: sink, compression: compression)
    try writer.writeRows(pixels, rowBytes: rowBytes, count: height)
    try writer.finish()
    return growing.bytes
  }

  private func check(_ succeeds: @autoclosure () -> Bool) throws(ImageError) {
    // After a failure the library's state is undefined, so it is not called again.
    guard !failed, succeeds() else {
      failed = true
      throw Self.error(writer)
    }
  }

  private static func error(_ writer: OpaquePointer) -> ImageError {
    ImageError("PNG: " + String(cString: waypost_png_writer_message(writer)))
  }
}
