import Pixels
import TileSources

/// A change of a picture's colours, as `filters` of a source and `night` of the theme list them.
public enum Filter: Sendable, Hashable, CustomStringConvertible {
  /// Blends the colour over the picture with the colour's alpha.
  case tint(Color)
  /// Multiplies every channel by 0 to 4; 1 changes nothing.
  case brightness(Double)
  case grayscale
  case invert
  /// Blends a colour over each tile: a different one for each, and always the same one for the same
  /// tile. The value is its opacity, above 0 and up to 1 (opaque).
  case mosaic(Double)
  /// Turns light into dark and keeps the hue, for maps at night.
  case dark
  /// Replaces every colour by a red of its lightness, for astronomy.
  case red

  /// The night's change of pictures that must not be inverted; see `ColorFilter.dim`.
  static let dim = Filter.brightness(0.53)

  /// The valid spellings, as messages list them.
  public static let forms =
    "\"tint:#rrggbbaa\", \"brightness:0.6\" (0 to 4), \"grayscale\", \"invert\", "
    + "\"mosaic:0.2\" (above 0, up to 1), \"dark\", \"red\""

  /// A list may have at most this many filters.
  public static let maxCount = 16

  /// The filter that `text` spells, such as "invert" or "brightness:0.6"; nil if it spells none.
  public init?(_ text: String) {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let value = parts.count == 2 ? String(parts[1]) : nil
    switch (parts.first.map(String.init) ?? "", value) {
    case ("grayscale", nil): self = .grayscale
    case ("invert", nil): self = .invert
    case ("dark", nil): self = .dark
    case ("red", nil): self = .red
    case ("tint", let value?):
      guard let color = Color(value) else { return nil }
      self = .tint(color)
    case ("brightness", let value?):
      guard let factor = Quantities.decimal(value), factor <= 4 else { return nil }
      self = .brightness(factor)
    case ("mosaic", let value?):
      guard let share = Quantities.decimal(value), share > 0, share <= 1 else { return nil }
      self = .mosaic(share)
    default: return nil
    }
  }

  /// The spelling in the configuration, such as "brightness:0.6". `init(_:)` reads it back.
  public var description: String {
    switch self {
    case .tint(let color): "tint:\(color)"
    case .brightness(let factor): "brightness:\(brief(factor))"
    case .grayscale: "grayscale"
    case .invert: "invert"
    case .mosaic(let share): "mosaic:\(brief(share))"
    case .dark: "dark"
    case .red: "red"
    }
  }
}

extension Filter {
  /// The filter as the pixel kernels apply it; nil for a mosaic, whose colour depends on the tile.
  public var colors: ColorFilter? {
    switch self {
    case .tint(let color): .tint(color.word)
    case .brightness(let factor): .brightness(factor)
    case .grayscale: .grayscale
    case .invert: .invert
    case .dark: .dark
    case .red: .red
    case .mosaic: nil
    }
  }
}

extension SourceSpec.Night {
  /// The filters of this source at night.
  ///
  /// - Parameter theme: The theme's filters for all maps.
  /// - Returns: The source's filters. The red filter always remains, so that every colour is red.
  public func filters(_ theme: [Filter]) -> [Filter] {
    let red = theme.filter { $0 == .red }
    switch self {
    case .theme: return theme
    case .dim: return [.dim] + red
    case .keep: return red
    }
  }
}

extension Color {
  /// A colour from `word`.
  ///
  /// - Parameter word: 0xAARRGGBB, not multiplied by alpha.
  package init(word: UInt32) {
    self.init(
      red: UInt8(word >> 16 & 255), green: UInt8(word >> 8 & 255), blue: UInt8(word & 255),
      alpha: UInt8(word >> 24))
  }

  /// The colour as 0xAARRGGBB, not multiplied by alpha.
  public var word: UInt32 {
    UInt32(alpha) << 24 | UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }
}
