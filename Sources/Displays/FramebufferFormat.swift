import Pixels

/// How a framebuffer's pixels are stored: 16, 24 or 32 bits each, with the channels where the
/// driver says (the kernel's `struct fb_bitfield`).
///
/// A pixel is a little-endian number. Pixels of 24 bits take three bytes without a gap.
public struct FramebufferFormat: Sendable, Equatable, CustomStringConvertible {
  /// The bits of one channel.
  public struct Channel: Sendable, Equatable {
    /// The number of the channel's lowest bit, counted from the pixel's lowest bit.
    public var offset: Int
    /// The number of bits, 1 to 16; for the alpha channel 0 to 16.
    public var length: Int

    /// Creates a channel of `length` bits that begins at bit `offset`.
    public init(_ offset: Int, _ length: Int) {
      self.offset = offset
      self.length = length
    }
  }

  /// Bits per pixel: 16, 24 or 32.
  public let bits: Int
  /// The red channel.
  public let red: Channel
  /// The green channel.
  public let green: Channel
  /// The blue channel.
  public let blue: Channel
  /// The alpha channel, written as all ones (opaque); length 0: none.
  public let alpha: Channel

  /// Creates a format. Nil for other depths, and for channels that have no bits, have more than 16,
  /// or lie outside the pixel.
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

  /// Bytes per pixel.
  public var bytes: Int { bits / 8 }

  /// The pixel format that is identical bit for bit; nil: pixels must be converted.
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

  /// The format that is best drawn in: rgb565, which is dithered, if the channels hold no more bits
  /// than that.
  public var drawing: PixelFormat {
    red.length <= 5 && green.length <= 6 && blue.length <= 5 ? .rgb565 : .xrgb8888
  }

  /// The channels in words: "16 bits: red 5 at 11, green 6 at 5, blue 5 at 0".
  public var description: String {
    var text = "\(bits) bits: red \(red.length) at \(red.offset), green \(green.length) at "
    text += "\(green.offset), blue \(blue.length) at \(blue.offset)"
    return alpha.length == 0 ? text : text + ", alpha \(alpha.length) at \(alpha.offset)"
  }
}
