import Pixels

/// Converts rows of pixels 0xFFRRGGBB to a framebuffer's format, in ordinary memory.
///
/// A channel of n bits gets the n highest bits of the eight repeated: fewer than eight are cut off,
/// more are filled by bit replication. White stays all ones and black all zeros, and a colour that
/// was widened from the channel's depth comes back exactly.
public struct FramebufferPacker: Sendable {
  /// How a channel that was repeated to 16 bits is moved into the pixel.
  private struct Move: Sendable {
    let right: UInt32
    let left: UInt32

    init(_ channel: FramebufferFormat.Channel) {
      right = UInt32(16 - channel.length)
      left = UInt32(channel.offset)
    }

    @inline(__always)
    func callAsFunction(_ value: UInt32) -> UInt32 {
      ((value | value &<< 8) &>> right) &<< left
    }
  }

  /// The format of the result.
  public let format: FramebufferFormat
  private let red: Move
  private let green: Move
  private let blue: Move
  private let opaque: UInt32

  /// Creates a packer for pixels of `format`.
  public init(_ format: FramebufferFormat) {
    self.format = format
    red = Move(format.red)
    green = Move(format.green)
    blue = Move(format.blue)
    opaque = ((UInt32(1) &<< UInt32(format.alpha.length)) &- 1) &<< UInt32(format.alpha.offset)
  }

  /// Converts one pixel 0xFFRRGGBB; its highest byte is ignored.
  @inline(__always)
  public func pack(_ word: UInt32) -> UInt32 {
    red(word &>> 16 & 0xff) | green(word &>> 8 & 0xff) | blue(word & 0xff) | opaque
  }

  /// Converts `count` pixels to `count * format.bytes` bytes.
  ///
  /// - Parameters:
  ///   - source: the pixels, 0xFFRRGGBB.
  ///   - destination: the result, aligned to 4 bytes. Must not overlap `source`.
  ///   - count: the number of pixels.
  public func pack(
    _ source: UnsafePointer<UInt32>, to destination: UnsafeMutableRawPointer, count: Int
  ) {
    switch format.bits {
    case 16:
      let pixels = destination.assumingMemoryBound(to: UInt16.self)
      for x in 0..<max(0, count) { pixels[x] = UInt16(truncatingIfNeeded: pack(source[x])) }
    case 24:
      let bytes = destination.assumingMemoryBound(to: UInt8.self)
      for x in 0..<max(0, count) {
        let pixel = pack(source[x])
        bytes[3 &* x] = UInt8(truncatingIfNeeded: pixel)
        bytes[3 &* x &+ 1] = UInt8(truncatingIfNeeded: pixel &>> 8)
        bytes[3 &* x &+ 2] = UInt8(truncatingIfNeeded: pixel &>> 16)
      }
    default:
      let pixels = destination.assumingMemoryBound(to: UInt32.self)
      for x in 0..<max(0, count) { pixels[x] = pack(source[x]) }
    }
  }
}
