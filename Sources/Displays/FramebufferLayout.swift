import CLinux
import Glibc

/// How a framebuffer's memory is laid out, checked against everything that a driver may report.
public struct FramebufferLayout: Equatable, Sendable {
  /// The largest width and height in pixels.
  public static let maxSide = 16384

  /// The width in pixels.
  public let width: Int
  /// The height in pixels.
  public let height: Int
  /// How a pixel is laid out.
  public let format: FramebufferFormat
  /// Bytes from one row to the next.
  public let rowBytes: Int
  /// The number of rows that can be panned to, at least `height`.
  public let virtualHeight: Int
  /// The row that is shown at the top.
  public let top: Int
  /// The column that is shown at the left edge.
  public let left: Int
  /// Bytes from the start of a mapping to the first row, because the memory need not begin on a
  /// page.
  public let mapOffset: Int
  /// Whether the visible rows can start a whole picture further down.
  public let pans: Bool

  /// - Throws: `FramebufferError` if the driver contradicts itself, or if it is not true colour of
  ///   16, 24 or 32 bits.
  public init(
    mode: fb_var_screeninfo, memory: fb_fix_screeninfo, path: String
  ) throws(FramebufferError) {
    let (type, visual) = (memory.type, memory.visual)
    guard type == UInt32(FB_TYPE_PACKED_PIXELS), visual == UInt32(FB_VISUAL_TRUECOLOR),
      mode.grayscale == 0
    else {
      throw FramebufferError(
        path,
        "its pixels are not true colour (type \(type), visual \(visual), grayscale \(mode.grayscale)); "
          + "a mode with 16, 24 or 32 bits a pixel is needed (fbset -depth 16)")
    }
    let fields = [mode.red, mode.green, mode.blue, mode.transp]
    guard !fields.contains(where: { $0.msb_right != 0 && $0.length != 0 }),
      let format = FramebufferFormat(
        bits: Int(mode.bits_per_pixel), red: .init(fields[0]), green: .init(fields[1]),
        blue: .init(fields[2]), alpha: .init(fields[3]))
    else {
      throw FramebufferError(
        path,
        "\(mode.bits_per_pixel) bits a pixel, red \(Self.text(mode.red)), green "
          + "\(Self.text(mode.green)), blue \(Self.text(mode.blue)): a mode with 16, 24 or 32 bits "
          + "true colour is needed (fbset -depth 16)")
    }
    let (width, height) = (Int(mode.xres), Int(mode.yres))
    guard width >= 1, height >= 1, width <= Self.maxSide, height <= Self.maxSide else {
      throw FramebufferError(
        path, "\(width)x\(height) pixels: 1x1 to \(Self.maxSide)x\(Self.maxSide) can be drawn")
    }
    self.width = width
    self.height = height
    self.format = format
    rowBytes = Int(memory.line_length)
    left = Int(mode.xoffset)
    top = Int(mode.yoffset)
    let page = Int(sysconf(Int32(_SC_PAGESIZE)))
    mapOffset = Int(truncatingIfNeeded: memory.smem_start) & (page - 1)
    let bytes = Int(memory.smem_len)
    // All of these are 32-bit numbers, so no product overflows.
    guard rowBytes >= (left + width) * format.bytes, rowBytes <= 1 << 20,
      top <= 1 << 20, (top + height) * rowBytes <= bytes
    else {
      throw FramebufferError(
        path,
        "\(width)x\(height) pixels from (\(left), \(top)) on, \(format.bytes) bytes each, do not fit "
          + "rows of \(rowBytes) bytes in \(bytes) bytes; the driver contradicts itself")
    }
    virtualHeight = max(top + height, min(Int(mode.yres_virtual), bytes / rowBytes))
    let step = Int(memory.ypanstep)
    pans = step > 0 && height % max(1, step) == 0
  }

  /// The bytes to map for `rows` rows.
  func mapBytes(rows: Int) -> Int { mapOffset + rows * rowBytes }

  /// Whether two pictures fit one below the other, and either can be shown.
  public var canDouble: Bool { pans && virtualHeight >= 2 * height }

  private static func text(_ field: fb_bitfield) -> String { "\(field.length) at \(field.offset)" }
}

extension FramebufferFormat.Channel {
  init(_ field: fb_bitfield) {
    self.init(Int(field.offset), Int(field.length))
  }
}
