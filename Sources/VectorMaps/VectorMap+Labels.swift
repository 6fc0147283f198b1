import MapGeometry
import MapLabels
import MapScene
import Pixels
import TileLoading
import TileSources

extension VectorMap {
  /// Places and draws the labels of a picture made without a daemon.
  ///
  /// - Parameters:
  ///   - source: The map that `renderer` draws, as `open` returned it.
  ///   - renderer: Draws the picture afterwards.
  ///   - isNight: Whether a map that has a night of its own shows it.
  ///   - theme: The theme's changes of the tiles' colours, which labels follow. To a map that shows
  ///     its own night only red applies.
  ///   - fonts: The fonts.
  ///   - obstacles: Parts of the picture that labels keep clear of, in pixels.
  ///   - keepsWhole: Whether labels are left out that the picture's edge would cut off. A line's
  ///     only name is moved along it instead, if it then fits.
  ///   - more: Tiles with other labels, such as names along the lines of overlays.
  ///   - lines: The lines that those names keep clear of; nil: none.
  ///   - lacking: Returns the fonts to begin again with if none of `fonts` has letters that are
  ///     needed, given a language for each of their scripts; nil: the letters are drawn as boxes.
  /// - Returns: The labels as sprites, the lowest first; only `more` for a map of pictures.
  public static func labels(
    of source: any TileSource, in renderer: StillRenderer, isNight: Bool = false,
    theme: [ColorFilter] = [], fonts: LabelFonts = .bundled, obstacles: [PixelRect] = [],
    keepsWhole: Bool = false, and more: [LabelTile] = [],
    clearOf lines: (any LabelLines)? = nil,
    lacking: (Set<String>) -> LabelFonts? = { _ in nil }
  ) -> [Sprite] {
    guard let painter = (source as? any DrawnSource)?.painter as? any LabelledPainter else {
      if more.isEmpty { return [] }
      return renderer.labelSprites(
        fonts: fonts, obstacles: obstacles, keepsWhole: keepsWhole, and: more, clearOf: lines,
        lacking: lacking)
    }
    let theme = isNight && painter.hasNight ? theme.filter { $0 == .red } : theme
    return renderer.labelSprites(
      fonts: fonts, icons: painter.labelIcons(isNight: isNight),
      tint: theme.isEmpty ? nil : LabelTint(ColorTransform(theme)), obstacles: obstacles,
      keepsWhole: keepsWhole, and: more, clearOf: lines, lacking: lacking)
  }
}
