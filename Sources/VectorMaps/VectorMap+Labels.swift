import MapGeometry
import MapLabels
import MapScene
import TileLoading
import TileSources

extension VectorMap {
  /// Places and draws the labels of a picture made without a daemon.
  ///
  /// - Parameters:
  ///   - source: The map that `renderer` draws, as `open` returned it.
  ///   - renderer: Draws the picture afterwards.
  ///   - isNight: Whether it is night: the night's icons are used, and the labels of a map without
  ///     a night of its own become dark as its tiles do.
  ///   - fonts: The fonts.
  ///   - obstacles: Parts of the picture that labels keep clear of, in pixels.
  ///   - keepsWhole: Whether labels at points are left out that the picture's edge would cut off.
  /// - Returns: The labels as sprites, the lowest first; none for a map of pictures.
  public static func labels(
    of source: any TileSource, in renderer: StillRenderer, isNight: Bool = false,
    fonts: LabelFonts = .bundled, obstacles: [PixelRect] = [], keepsWhole: Bool = false
  ) -> [Sprite] {
    guard let painter = (source as? any DrawnSource)?.painter as? any LabelledPainter else {
      return []
    }
    return renderer.labelSprites(
      fonts: fonts, icons: painter.labelIcons(isNight: isNight),
      tint: isNight && !painter.hasNight ? .dark : nil,
      obstacles: obstacles,
      keepsWhole: keepsWhole)
  }
}
