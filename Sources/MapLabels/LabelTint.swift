import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// The colour change of the map, applied to its labels.
///
/// Text and halos change like the map below them: dark text on light paper becomes light text on a
/// dark map, and a red map has only red labels. Text keeps a contrast of 4.5:1 to its halo, or as
/// much as the change allows.
public struct LabelTint: Sendable, Equatable {
  /// What is done to the map.
  public let transform: ColorTransform

  /// The change by which maps without a night of their own become dark.
  public static let dark = LabelTint(ColorTransform([.dark]))

  /// The least contrast between words and halo.
  static let contrast: Float = 4.5

  /// Creates the change of labels.
  ///
  /// - Parameter transform: What is done to the map's colours.
  public init(_ transform: ColorTransform) { self.transform = transform }

  /// The settings with other colours.
  func settings(_ plain: LabelSettings) -> LabelSettings {
    if plain.keepsColors { return plain }
    var new = plain
    new.textHaloColor = shown(plain.textHaloColor)
    new.textColor = ink(plain.textColor, over: plain.textHaloWidth > 0 ? new.textHaloColor : 0)
    new.iconHaloColor = shown(plain.iconHaloColor)
    new.iconColor = ink(plain.iconColor, over: plain.iconHaloWidth > 0 ? new.iconHaloColor : 0)
    return new
  }

  /// The colour of words.
  ///
  /// - Parameters:
  ///   - plain: The style's colour, 0xAARRGGBB, not premultiplied.
  ///   - halo: The halo's colour, already changed; transparent: there is none.
  /// - Returns: The colour to draw, as opaque as the style's.
  func ink(_ plain: UInt32, over halo: UInt32) -> UInt32 {
    let color = shown(plain)
    guard halo >> 24 >= 0x80, Self.contrast(color, halo) < Self.contrast else { return color }
    // Mix the colour towards the map's black or white, then beyond it, until the text can be read.
    let (black, white) = (shown(0xFF00_0000), shown(0xFFFF_FFFF))
    let end = Self.contrast(black, halo) > Self.contrast(white, halo) ? black : white
    let isLight = Self.luminance(end) > Self.luminance(halo)
    var mixed = color
    for (from, to) in [(color, end), (end, isLight ? Self.brightest(end) : 0)] {
      for part in 1...4 {
        mixed = PixelMath.mix(from, to, UInt32(part * 64))
        if Self.contrast(mixed, halo) >= Self.contrast {
          return color & 0xFF00_0000 | mixed & 0xFF_FFFF
        }
      }
    }
    return color & 0xFF00_0000 | mixed & 0xFF_FFFF
  }

  /// The colour as bright as it gets with the same hue.
  private static func brightest(_ color: UInt32) -> UInt32 {
    let most = max(1, max(color >> 16 & 0xFF, color >> 8 & 0xFF, color & 0xFF))
    func channel(_ shift: UInt32) -> UInt32 { ((color >> shift & 0xFF) * 255 / most) << shift }
    return channel(16) | channel(8) | channel(0)
  }

  /// Changes the premultiplied pixels of an icon.
  func change(_ pixels: UnsafeMutableBufferPointer<UInt32>) {
    if let start = pixels.baseAddress { transform.apply(to: start, count: pixels.count) }
  }

  /// A colour that is not premultiplied.
  private func shown(_ color: UInt32) -> UInt32 {
    color & 0xFF00_0000 | transform.apply(color | 0xFF00_0000) & 0xFF_FFFF
  }

  /// The relative luminance of a colour, 0 ... 1 (WCAG 2).
  static func luminance(_ color: UInt32) -> Float {
    func linear(_ shift: UInt32) -> Float {
      let value = Float(color >> shift & 0xFF) / 255
      return value <= 0.04045 ? value / 12.92 : powf((value + 0.055) / 1.055, 2.4)
    }
    return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
  }

  /// The contrast between two colours, 1 ... 21 (WCAG 2).
  static func contrast(_ a: UInt32, _ b: UInt32) -> Float {
    let (one, two) = (luminance(a), luminance(b))
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }
}
