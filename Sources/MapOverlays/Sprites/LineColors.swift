import Features
import Pixels

/// The colours of what overlays draw on the map, in each theme.
///
/// Overlays are why people look at the map, so their lines must stand out on every ground of each
/// map. At night a colour that is light enough stays unchanged, and others are mixed with white. In
/// the red theme all colours become bright reds.
extension PictureTheme {
  /// The lightest large ground of maps at night, trailhead's water: 0xAARRGGBB.
  static let nightGround: UInt32 = 0xFF14_3A52
  /// The same of red nights, trailhead's woods.
  static let redGround: UInt32 = 0xFF44_0000
  /// The least red of lines in red nights: 3:1 to `redGround`.
  private static let leastLine: UInt32 = 0xD4
  /// The red of the least value along tracks in red nights; the most has 0xFF.
  private static let leastTrack: UInt32 = 0x70

  /// The colour of a line, an outline or a point on the map.
  ///
  /// - Parameter color: What was chosen, 0xAARRGGBB, not premultiplied.
  /// - Returns: 0xAARRGGBB, not premultiplied.
  public func line(_ color: UInt32) -> UInt32 {
    switch kind {
    case .day: return color
    case .night:
      return color & 0xFF00_0000
        | PictureTheme.mixed(
          color, 0xFF_FFFF, until: InkContrast.ofSigns, PictureTheme.nightGround)
    case .red:
      let light = shown(color) >> 16 & 0xFF
      let least = PictureTheme.leastLine
      return color & 0xFF00_0000 | (least + light * (0xFF - least) / 0xFF) << 16
    }
  }

  /// The colour of an area on the map.
  ///
  /// - Parameter color: What was chosen, 0xAARRGGBB, not premultiplied.
  /// - Returns: 0xAARRGGBB, not premultiplied.
  public func area(_ color: UInt32) -> UInt32 { kind == .red ? shown(color) : line(color) }

  /// The colour of a stretch of a track that is coloured by a value. The red theme has no hues to
  /// put in order, so there the lowest value is the darkest red.
  ///
  /// - Parameter color: One of `FeatureRamp.colors`, or another: then it is that of a line.
  /// - Returns: As opaque as `color`.
  public func track(_ color: UInt32) -> UInt32 {
    let ramp = FeatureRamp.colors
    guard kind == .red, let number = ramp.firstIndex(of: color & 0xFF_FFFF) else {
      return line(color)
    }
    let least = PictureTheme.leastTrack
    let red = least + UInt32(number) * (0xFF - least) / UInt32(max(1, ramp.count - 1))
    return color & 0xFF00_0000 | red << 16
  }

  /// The colour of a line's name: the line's own, mixed with the colour of text until it can be
  /// read. Nil: the colour of other text, as in the red theme, where all lines look alike.
  ///
  /// - Parameter color: The line's, as it was chosen.
  /// - Returns: 0xFFRRGGBB.
  func name(_ color: UInt32) -> UInt32? {
    if kind == .red { return nil }
    return 0xFF00_0000 | PictureTheme.mixed(line(color), label, until: InkContrast.ofNames, halo)
  }

  /// The colours of words on the map, and of their halo.
  ///
  /// - Parameters:
  ///   - color: The colour of the line that they name as it was chosen, 0xAARRGGBB; nil: it has
  ///     several, or they name something else.
  ///   - onDark: Whether the map is so dark by day that words on it are light.
  /// - Returns: 0xFFRRGGBB each.
  public func words(naming color: UInt32?, onDark: Bool) -> (ink: UInt32, halo: UInt32) {
    if kind == .red, !onDark { return (halo, label) }
    let theme = kind == .day && onDark ? PictureTheme.night : self
    return (color.flatMap { theme.name($0) } ?? theme.label, theme.halo)
  }

  /// A colour mixed with another one, as far as it takes to reach a contrast to `ground`; all of
  /// them opaque. Returns 0x00RRGGBB.
  private static func mixed(
    _ color: UInt32, _ end: UInt32, until contrast: Double, _ ground: UInt32
  ) -> UInt32 {
    for part: UInt32 in 0..<32 {
      func channel(_ shift: UInt32) -> UInt32 {
        (((color >> shift & 0xFF) * (32 - part) + (end >> shift & 0xFF) * part) / 32) << shift
      }
      let mix = channel(16) | channel(8) | channel(0)
      if InkContrast.between(mix, ground) >= contrast { return mix }
    }
    return end & 0xFF_FFFF
  }

  /// The rim around points on the map; `plain` by day, 0xAARRGGBB.
  func rim(_ plain: UInt32) -> UInt32 { kind == .day ? plain : halo }
}

extension MapKey.Sign {
  /// The sign of an overlay in the very colours that the map has.
  ///
  /// - Parameter theme: The colours of what is over the map.
  /// - Returns: The sign.
  public func onMap(_ theme: PictureTheme) -> MapKey.Sign {
    switch self {
    case .line(let color, let width, let casing, let dash):
      .line(color: theme.line(color), width: width, casing: casing, dash: dash)
    case .area(let fill, let stroke):
      .area(fill: theme.area(fill), stroke: stroke == 0 ? 0 : theme.line(stroke))
    case .dot(let color): .dot(theme.line(color))
    case .icon, .cluster, .position: self
    case .ramp(let colors, let least, let most):
      .ramp(colors.map(theme.track), least: least, most: most)
    }
  }
}
