import Glibc
import Pixels

/// How features are drawn on a tile, beside their styles.
public struct FeatureLook: Sendable {
  /// Pixels per point. All widths and dashes are multiplied by it.
  public var unit: Double
  /// The change to all colours but the theme's own.
  public let colors: ColorTransform
  /// The theme's colours.
  public let theme: PictureTheme
  /// `colors` without the changes that make maps dark or red, for which the theme has its own
  /// colours.
  private let chosen: ColorTransform

  /// The greatest factor by which a tile's lines may be drawn wider than at its own level: half a
  /// level.
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
    chosen =
      theme.kind == .day
      ? colors : ColorTransform(colors.filters.filter { $0 != .dark && $0 != .red })
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
    // Tiles of a level far from the view's zoom are only stand-ins.
    guard abs(offset) <= 0.52 else { return Double(scale) }
    return Double(edge) / 256 * exp2(offset)
  }

  /// The colour of lines to draw for a style's colour; both 0xAARRGGBB, not premultiplied.
  func line(_ color: UInt32) -> UInt32 { theme.line(own(color)) }

  /// The colour of areas to draw for a style's colour; both 0xAARRGGBB, not premultiplied.
  func area(_ color: UInt32) -> UInt32 { theme.area(own(color)) }

  /// The colour of a line in a style; 0xAARRGGBB, not premultiplied.
  func stroke(_ style: DrawnStyle) -> UInt32 {
    style.lines == .ink && theme.kind == .red ? theme.track(style.stroke) : line(style.stroke)
  }

  /// The colour of the rim around points; both 0xAARRGGBB, not premultiplied.
  func rim(_ color: UInt32) -> UInt32 { theme.rim(own(color)) }

  private func own(_ color: UInt32) -> UInt32 { chosen.isIdentity ? color : chosen.apply(color) }

  /// The colour of a casing, 0xAARRGGBB, not premultiplied.
  func color(_ casing: OverlayStyle.Casing) -> UInt32 {
    switch casing {
    case .none: 0
    case .theme: theme.casing
    // A casing colour that was chosen, dark for light lines, changes with the map.
    case .color(let color): colors.isIdentity ? color : colors.apply(color)
    }
  }
}
