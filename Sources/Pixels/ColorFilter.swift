/// One step of a colour change. Alpha does not change.
///
/// Channels are the stored sRGB values (0 ... 255), without gamma correction.
public enum ColorFilter: Sendable, Hashable {
  /// Blends a colour, 0xAARRGGBB and not premultiplied, over the picture: with its alpha `a`, each
  /// channel becomes `c * (1 - a) + t * a`.
  case tint(UInt32)
  /// Multiplies every channel by 0 ... 4, and limits the result to 255.
  case brightness(Double)
  /// Replaces every channel by the luma of ITU-R BT.709: `0.2126 R + 0.7152 G + 0.0722 B`.
  case grayscale
  /// Replaces every channel by `255 - c`.
  case invert
  /// Turns light into dark and keeps the hue: black words on white become light words on a dark
  /// grey. The luma of ITU-R BT.709 is inverted and compressed to 28 ... 212, and the colour
  /// differences are kept at nine tenths. What leaves 0 ... 255 is cut off.
  case dark
  /// Replaces every colour by a red of its luma (ITU-R BT.709); white becomes pure red.
  case red

  /// The night's change of pictures that must not be inverted: white has a luminance of 0.24, which
  /// is below the limit of 0.25 that lights have at night.
  public static let dim = ColorFilter.brightness(0.53)
}
