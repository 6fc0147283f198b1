import Glibc
import Pixels

/// How features are drawn on a tile, beside their styles.
public struct FeatureLook: Sendable {
  /// Pixels per point. All widths and dashes are multiplied by it.
  public var unit: Double
  /// The change to all colours but the theme's own.
  public var colors: ColorTransform
  /// The theme's colours.
  public var theme: PictureTheme

  /// How much wider than at its own level a tile's lines may have to be drawn: half a level.
  static let mostEnlarged = 1.45

  /// Creates a look.
  ///
  /// - Parameters:
  ///   - unit: Pixels per point.
  ///   - colors: The change to all colours but the theme's own.
  ///   - theme: The theme's colours.
  public init(
    unit: Double, colors: ColorTransform = .identity, theme: PictureTheme = .day
  ) {
    self.unit = unit
    self.colors = colors
    self.theme = theme
  }

  /// The pixels of a point on a tile such that it has the same size on the screen at every zoom.
  ///
  /// - Parameters:
  ///   - edge: The tile's edge in pixels.
  ///   - level: The tile's level.
  ///   - zoom: The zoom of the view.
  ///   - scale: The screen's pixels per point.
  /// - Returns: The pixels.
  static func unit(edge: Int, level: Int, zoom: Double, scale: Int) -> Double {
    let offset = Double(level) - zoom
    // Tiles of a level far from the view's zoom only stand in for others.
    guard abs(offset) <= 0.52 else { return Double(scale) }
    return Double(edge) / 256 * exp2(offset)
  }

  /// The colour to draw for a style's colour; both 0xAARRGGBB, not premultiplied.
  func color(_ color: UInt32) -> UInt32 { colors.isIdentity ? color : colors.apply(color) }

  /// The colour of a casing, 0xAARRGGBB, not premultiplied.
  func color(_ casing: OverlayStyle.Casing) -> UInt32 {
    switch casing {
    case .none: 0
    case .theme: theme.casing
    case .color(let color): self.color(color)
    }
  }
}
