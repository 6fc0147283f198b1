#if canImport(Glibc)
  import Glibc
#endif

/// The contrast of colours (WCAG 2.1).
enum InkContrast {
  /// The least contrast of signs and large words to their ground.
  static let ofSigns = 3.0
  /// The least contrast of words to what is around them.
  static let ofWords = 4.5
  /// The least contrast of the colours of lines' names and of their halo. A little of the map shows
  /// through the soft halo of small letters, which takes up to a sixth of it.
  static let ofNames = 1.2 * ofWords

  /// The contrast between two opaque colours, 1 ... 21.
  static func between(_ a: UInt32, _ b: UInt32) -> Double {
    let (one, two) = (luminance(a), luminance(b))
    return (max(one, two) + 0.05) / (min(one, two) + 0.05)
  }

  /// A user's colour as the ground of a light sign. In the red theme it is darkened enough for the
  /// sign to stand out.
  static func ground(_ color: UInt32, _ theme: PictureTheme) -> UInt32 {
    let shown = theme.shown(color)
    guard theme.kind == .red else { return shown }
    return shown & 0xFF00_0000 | min(shown >> 16 & 0xFF, 0x70) << 16
  }

  /// A theme's plate as it is seen over the worst map, since plates let a little of it through:
  /// 0xFFRRGGBB. The worst is black by day, white at night, and pure red in red nights.
  static func plate(_ theme: PictureTheme) -> UInt32 {
    let map: UInt32 =
      switch theme.kind {
      case .day: 0
      case .night: 0xFF_FFFF
      case .red: 0xFF_0000
      }
    let alpha = theme.plate >> 24
    func channel(_ shift: UInt32) -> UInt32 {
      let (own, below) = (theme.plate >> shift & 0xFF, map >> shift & 0xFF)
      return ((own * alpha + below * (0xFF - alpha)) / 0xFF) << shift
    }
    return 0xFF00_0000 | channel(16) | channel(8) | channel(0)
  }

  /// A user's colour as a line on a plate: mixed with the plate's ink, but only as much as it takes
  /// to tell it from the plate over any map.
  static func line(_ color: UInt32, _ theme: PictureTheme) -> UInt32 {
    let shown = theme.shown(color | 0xFF00_0000)
    let plate = plate(theme)
    for part in stride(from: UInt32(0), to: 16, by: 1) {
      func mixed(_ shift: UInt32) -> UInt32 {
        let (own, ink) = (shown >> shift & 0xFF, theme.ink >> shift & 0xFF)
        return ((own * (16 - part) + ink * part) / 16) << shift
      }
      let mix = 0xFF00_0000 | mixed(16) | mixed(8) | mixed(0)
      if between(mix, plate) >= ofSigns { return mix }
    }
    return theme.ink
  }

  /// The colour of a sign: `light` if it can be told from its ground, else the better of both.
  static func sign(on ground: UInt32, _ light: UInt32, else dark: UInt32) -> UInt32 {
    let contrast = between(light, ground)
    return contrast >= ofSigns || contrast >= between(dark, ground) ? light : dark
  }

  /// The linear light of each value of a channel.
  private static let linear: [Double] = (0..<256).map {
    let value = Double($0) / 255
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
  }

  private static func luminance(_ color: UInt32) -> Double {
    func linear(_ shift: UInt32) -> Double { Self.linear[Int(color >> shift & 0xFF)] }
    return 0.2126 * linear(16) + 0.7152 * linear(8) + 0.0722 * linear(0)
  }
}
