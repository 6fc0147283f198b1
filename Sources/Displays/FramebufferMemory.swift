import Glibc
import MapGeometry
import Pixels

/// A framebuffer's memory, mapped for writing. Only `readPicture` reads from it, for screenshots
/// and once if a driver stops panning.
final class FramebufferMemory {
  private let device: FramebufferDevice
  private let base: UnsafeMutableRawPointer
  private let rows: Int
  /// The first row of the picture that is shown, which `copy` and `clear` write.
  var top: Int
  private let packer: FramebufferPacker
  /// A row of 32-bit pixels, and the row in the device's format, in cached memory.
  private let words: UnsafeMutablePointer<UInt32>
  private let packed: UnsafeMutableRawPointer

  /// Maps the device's memory.
  ///
  /// - Parameters:
  ///   - device: the framebuffer.
  ///   - rows: the number of rows to map.
  /// - Throws: `FramebufferError` if it cannot be mapped.
  init(_ device: FramebufferDevice, rows: Int) throws(FramebufferError) {
    self.device = device
    self.rows = rows
    top = device.layout.top
    base = try device.map(rows: rows, PROT_WRITE)
    packer = FramebufferPacker(device.layout.format)
    words = .allocate(capacity: device.layout.width)
    packed = .allocate(
      byteCount: device.layout.width * device.layout.format.bytes + 8, alignment: 16)
  }

  deinit {
    munmap(base, device.layout.mapBytes(rows: rows))
    words.deallocate()
    packed.deallocate()
  }

  /// The first pixel of the picture whose first row is `top`.
  func picture(at top: Int) -> UnsafeMutableRawPointer {
    let layout = device.layout
    return base + layout.mapOffset + top * layout.rowBytes
  }

  /// Copies `rect` of a shadow to the visible picture, converted to the device's format, row by row
  /// and in order.
  func copy(
    _ rect: PixelRect, from shadow: UnsafeRawPointer, rowBytes: Int, format: PixelFormat
  ) {
    let layout = device.layout
    let seen = rect.intersection(
      PixelRect(x: 0, y: 0, width: layout.width, height: layout.height))
    guard !seen.isEmpty else { return }
    let own = layout.format
    for y in seen.y..<seen.maxY {
      let source = shadow + (y * rowBytes + seen.x * format.bytes)
      let row: UnsafeRawPointer
      if own.scanout == format {
        row = source
      } else if format == .xrgb8888 {
        packer.pack(
          source.assumingMemoryBound(to: UInt32.self), to: packed, count: seen.width)
        row = UnsafeRawPointer(packed)
      } else {
        expand565(source.assumingMemoryBound(to: UInt16.self), words, seen.width)
        packer.pack(words, to: packed, count: seen.width)
        row = UnsafeRawPointer(packed)
      }
      let start = (top + y) * layout.rowBytes + (layout.left + seen.x) * own.bytes
      memcpy(base + layout.mapOffset + start, row, seen.width * own.bytes)
    }
  }

  /// Blackens the visible picture.
  func clear() {
    let layout = device.layout
    for y in 0..<layout.height {
      memset(
        picture(at: top) + y * layout.rowBytes + layout.left * layout.format.bytes, 0,
        layout.width * layout.format.bytes)
    }
  }

  /// Reads the picture whose first row is `top` through a mapping of its own, row by row. Returns
  /// false if it cannot be mapped.
  func readPicture(at top: Int, _ row: (_ y: Int, _ pixels: UnsafeRawPointer) -> Void) -> Bool {
    let layout = device.layout
    guard let view = try? device.map(rows: rows, PROT_READ) else { return false }
    defer { munmap(view, layout.mapBytes(rows: rows)) }
    for y in 0..<layout.height {
      let start = layout.mapOffset + (top + y) * layout.rowBytes
      memcpy(packed, view + start, layout.width * layout.format.bytes)
      row(y, packed)
    }
    return true
  }
}
