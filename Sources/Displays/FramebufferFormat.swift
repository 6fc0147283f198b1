import Pixels

/// How a framebuffer's pixels lie in memory: 16, 24 or 32 bits each, the channels where the driver
/// states (the kernel's `struct fb_bitfield`).
///
/// A pixel is a little-endian number; of 24 bits, its three bytes follow each other without a gap.
public struct FramebufferFormat: Sendable, Equatable, CustomStringConvertible {
  /// The bits of one channel.
  public struct Channel: Sendable, Equatable {
    /// Of the lowest bit, from the pixel's lowest.
    public var offset: Int
    /// How many, 1...16; of the alpha channel 0...16.
    public var length: Int

    /// A channel of `length` bits from bit `offset` on.
    public init(_ offset: Int, _ length: Int) {
      self.offset = offset
      self.length = length
    }
  }

  /// 16, 24 or 32.
  public let bits: Int
  /// Where red is.
  public let red: Channel
  /// Where green is.
  public let green: Channel
  /// Where blue is.
  public let blue: Channel
  /// Written as ones: opaque.
  public let alpha: Channel

  /// Nil for other depths, and for channels that have no bits, more than 16, or lie outside the
  /// pixel.
  public init?(bits: Int, red: Channel, green: Channel, blue: Channel, alpha: Channel) {
    guard bits == 16 || bits == 24 || bits == 32 else { return nil }
    for (channel, least) in [(red, 1), (green, 1), (blue, 1), (alpha, 0)] {
      guard channel.length >= least, channel.length <= 16, channel.offset >= 0,
        channel.offset <= bits - channel.length
      else { return nil }
    }
    self.bits = bits
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// Bytes a pixel.
  public var bytes: Int { bits / 8 }

  /// The format whose pixels are this one's, bit for bit; nil: they must be converted.
  public var scanout: PixelFormat? {
    let channels = [red, green, blue, alpha]
    if bits == 32, channels == [Channel(16, 8), Channel(8, 8), Channel(0, 8), alpha],
      alpha.length == 0
    {
      return .xrgb8888
    }
    if bits == 16, channels == [Channel(11, 5), Channel(5, 6), Channel(0, 5), alpha],
      alpha.length == 0
    {
      return .rgb565
    }
    return nil
  }

  /// What is best drawn in: rgb565, which is dithered, where the channels hold no more than it.
  public var drawing: PixelFormat {
    red.length <= 5 && green.length <= 6 && blue.length <= 5 ? .rgb565 : .xrgb8888
  }

  /// "16 bits: red 5 at 11, green 6 at 5, blue 5 at 0".
  public var description: String {
    var text = "\(bits) bits: red \(red.length) at \(red.offset), green \(green.length) at "
    text += "\(green.offset), blue \(blue.length) at \(blue.offset)"
    return alpha.length == 0 ? text : text + ", alpha \(alpha.length) at \(alpha.offset)"
  }
}
