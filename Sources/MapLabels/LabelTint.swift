import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// Colours for the night where a style has none of its own.
///
/// The map below is changed by the theme's filters. Its words are not: they get light ink with a
/// dark halo, at a contrast of at least 4.5:1 between the two.
public struct LabelTint: Sendable, Equatable {
  /// What the theme does to the map; it is done to icons as well.
  let transform: ColorTransform
  /// The colour of words that cannot keep their own.
  let ink: UInt32
  /// The colour of halos.
  let halo: UInt32
  /// Whether only red light is wanted.
  let isRed: Bool

  /// The least contrast between ink and halo.
  static let contrast: Float = 4.5

  /// Creates the tint of a night.
  ///
  /// - Parameter transform: The theme's change of the map's colours.
  public init(night transform: ColorTransform) {
    self.transform = transform
    let white = transform.apply(0xFFFF_FFFF)
    let (red, green, blue) = (white >> 16 & 0xFF, white >> 8 & 0xFF, white & 0xFF)
    isRed = green < 0x20 && blue < 0x20 && red > 2 * max(green, blue)
    ink = isRed ? 0xFFE5_3935 : 0xFFE9_DFD3
    halo = isRed ? 0xFF0A_0000 : 0xFF0B_0F12
  }

  /// The settings with colours of the night.
  func settings(_ day: LabelSettings) -> LabelSettings {
    var night = day
    night.textColor = ink(day.textColor)
    night.iconColor = ink(day.iconColor)
    night.textHaloColor = halo
    night.iconHaloColor = halo & 0xFF_FFFF | day.iconHaloColor & 0xFF00_0000
    // Also words that need no halo by day lie on any colour now.
    let width = LabelType.limited(day.textHaloWidth, 0...16)
    night.textHaloWidth = day.textHaloColor >> 24 < 0x80 ? 1 : max(width, 1)
    return night
  }

  /// The ink for words of a colour: of the same hue, but light.
  func ink(_ day: UInt32) -> UInt32 {
    let alpha = day & 0xFF00_0000
    if isRed { return alpha | ink & 0xFF_FFFF }
    var color = day & 0xFF_FFFF
    if Self.luminance(color) < 0.4 { color = Self.inverted(color) }
    // Towards the ink until it can be read.
    for part in 0...4 {
      let mixed = PixelMath.mix(color, ink & 0xFF_FFFF, UInt32(part * 64))
      if Self.contrast(mixed, halo) >= Self.contrast { return alpha | mixed & 0xFF_FFFF }
    }
    return alpha | ink & 0xFF_FFFF
  }

  /// A premultiplied pixel of an icon.
  func pixel(_ day: UInt32) -> UInt32 {
    let alpha = day >> 24
    if alpha == 0 || transform.isIdentity { return day }
    func whole(_ shift: UInt32) -> UInt32 { min(255, (day >> shift & 0xFF) * 255 / alpha) }
    let color = 0xFF00_0000 | whole(16) << 16 | whole(8) << 8 | whole(0)
    return PixelMath.premultiplied(transform.apply(color), alpha)
  }

  /// The colour with its lightness inverted: hue and chroma stay.
  private static func inverted(_ color: UInt32) -> UInt32 {
    let (red, green, blue) = (Int(color >> 16 & 0xFF), Int(color >> 8 & 0xFF), Int(color & 0xFF))
    let move = 255 - max(red, green, blue) - min(red, green, blue)
    return UInt32(red + move) << 16 | UInt32(green + move) << 8 | UInt32(blue + move)
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
