import MapGeometry

/// A write-only frame buffer.
///
/// Scanout memory is write-combined on many boards: writes in order are flushed in whole lines, and
/// a single read drains them and goes to memory past every cache. One read costs about a hundred
/// writes, so nothing here reads a pixel; blend in cached memory and copy.
///
/// It keeps nothing alive: the owner of the mapping keeps it mapped as long as one of these exists.
/// Every write is clipped to the buffer.
public struct ScanoutBuffer {
  @usableFromInline let base: UnsafeMutableRawPointer
  /// Bytes from one row to the next.
  public let rowBytes: Int
  /// The panel's width in pixels.
  public let width: Int
  /// The panel's height in pixels.
  public let height: Int
  /// The format of every pixel.
  public let format: PixelFormat

  /// Creates a buffer on mapped memory.
  ///
  /// - Parameters:
  ///   - base: The first pixel of the top row, aligned to a pixel.
  ///   - rowBytes: Bytes from one row to the next.
  ///   - width: The width in pixels, limited to what fits `rowBytes`.
  ///   - height: The height in pixels.
  ///   - format: The format of every pixel.
  @inlinable
  public init(
    base: UnsafeMutableRawPointer, rowBytes: Int, width: Int, height: Int, format: PixelFormat
  ) {
    self.base = base
    self.rowBytes = rowBytes
    self.width = max(0, min(width, rowBytes / format.bytes))
    self.height = max(0, height)
    self.format = format
  }

  /// Streams `count` pixels in this buffer's format to row `y`, starting at column `x`.
  /// `finishStreaming` must follow.
  public func copyRow(x: Int, y: Int, count: Int, from source: UnsafeRawPointer) {
    guard y >= 0, y < height else { return }
    let left = max(0, x)
    let right = min(width, x &+ count)
    guard left < right else { return }
    stream(
      source + (left &- x) &* format.bytes, base + (y &* rowBytes &+ left &* format.bytes),
      byteCount: (right &- left) &* format.bytes)
  }

  /// The address of a pixel, for memory that may be read.
  ///
  /// - Parameters:
  ///   - x: The pixel's column, inside the buffer.
  ///   - y: Its row, inside the buffer.
  /// - Returns: The address.
  package func pixel(x: Int, y: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(base + (y &* rowBytes &+ x &* format.bytes))
  }

  /// The memory of `rect`, for a kernel that writes each pixel once and reads none, and the 32-bit
  /// pixels from row to row. Nil unless the buffer has 32-bit pixels and contains all of `rect`.
  @inlinable
  public func words(
    of rect: PixelRect
  ) -> (first: UnsafeMutablePointer<UInt32>, stride: Int)? {
    guard format == .xrgb8888, rowBytes & 3 == 0, rect.x >= 0, rect.y >= 0, rect.maxX <= width,
      rect.maxY <= height
    else { return nil }
    let first = base + (rect.y &* rowBytes &+ rect.x &* 4)
    return (first.assumingMemoryBound(to: UInt32.self), rowBytes &>> 2)
  }

  /// The memory of `rect`, as `words(of:)` returns it, for buffers of RGB565.
  @inlinable
  public func halfWords(
    of rect: PixelRect
  ) -> (first: UnsafeMutablePointer<UInt16>, stride: Int)? {
    guard format == .rgb565, rowBytes & 1 == 0, rect.x >= 0, rect.y >= 0, rect.maxX <= width,
      rect.maxY <= height
    else { return nil }
    let first = base + (rect.y &* rowBytes &+ rect.x &* 2)
    return (first.assumingMemoryBound(to: UInt16.self), rowBytes &>> 1)
  }

  /// Writes a block of view pixels in this buffer's format, rotated as the panel is mounted.
  ///
  /// The view has this buffer's size, with its sides swapped at 90 and 270 degrees.
  ///
  /// - Parameters:
  ///   - source: The block's first pixel.
  ///   - sourceRowBytes: Bytes from one row of the block to the next.
  ///   - rect: The block's position and size in the view, in pixels.
  ///   - rotation: How the panel is mounted.
  @inlinable
  public func storeRotated(
    _ source: UnsafeRawPointer, sourceRowBytes: Int, rect: PixelRect, rotation: MountingRotation
  ) {
    let view = rotation.turnedSize(width: width, height: height)
    let seen = rect.intersection(PixelRect(x: 0, y: 0, width: view.width, height: view.height))
    guard !seen.isEmpty else { return }
    let skipped =
      (seen.y &- rect.y) &* sourceRowBytes &+ (seen.x &- rect.x) &* format.bytes
    Pixels.storeRotated(
      source: source + skipped, sourceStride: sourceRowBytes, viewX: seen.x, viewY: seen.y,
      width: seen.width, height: seen.height, viewWidth: view.width, viewHeight: view.height,
      rotation: rotation, panel: base, rowBytes: rowBytes, bytesPerPixel: format.bytes)
  }

  /// Fills a rectangle of the panel with an xrgb colour, dithered for RGB565.
  @inlinable
  public func fill(_ rect: PixelRect, color: UInt32) {
    let seen = rect.intersection(PixelRect(x: 0, y: 0, width: width, height: height))
    guard !seen.isEmpty else { return }
    for y in seen.y..<seen.maxY {
      let row = base + (y &* rowBytes &+ seen.x &* format.bytes)
      if format == .xrgb8888 {
        Pixels.fill(row.assumingMemoryBound(to: UInt32.self), color | 0xff00_0000, seen.width)
      } else {
        let pixels = row.assumingMemoryBound(to: UInt16.self)
        for x in 0..<seen.width {
          pixels[x] = RGB565Dither.pack(color, x: seen.x &+ x, y: y)
        }
      }
    }
  }
}
