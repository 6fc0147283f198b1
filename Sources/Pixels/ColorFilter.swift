/// One step of a change of colours. Alpha stays as it is.
///
/// Channels are those of the stored sRGB values (0 ... 255), without gamma.
public enum ColorFilter: Sendable, Hashable {
  /// Lays a colour over the picture where there is one: 0xAARRGGBB, not premultiplied; each channel
  /// becomes `c * (1 - a) + t * a`.
  case tint(UInt32)
  /// Multiplies every channel, 0 ... 4, at most to 255.
  case brightness(Double)
  /// The luma of ITU-R BT.709: `0.2126 R + 0.7152 G + 0.0722 B`.
  case grayscale
  /// `255 - c`.
  case invert
}
