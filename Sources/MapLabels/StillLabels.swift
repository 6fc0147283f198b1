import MapGeometry
import MapScene
import TileLoading

extension StillRenderer {
  /// Paints the map once to collect its labels, then places and draws them.
  ///
  /// - Parameters:
  ///   - fonts: The fonts.
  ///   - icons: The style's icons.
  ///   - tint: The change of the map's colours; nil: those of the style.
  ///   - obstacles: Parts of the picture that labels keep clear of, in pixels.
  ///   - keepsWhole: Whether labels are left out that the picture's edge would cut off. A line's
  ///     only name is moved along it instead, if it then fits.
  ///   - more: Tiles with other labels, such as names along the lines of overlays.
  ///   - lines: The lines that those names keep clear of; nil: none.
  ///   - lacking: Returns the fonts to begin again with if none of `fonts` has letters that are
  ///     needed, given a language for each of their scripts; nil: the letters are drawn as boxes.
  /// - Returns: The labels as sprites, the lowest first; none if the fonts cannot be used.
  public func labelSprites(
    fonts: LabelFonts, icons: LabelIcons = .none, tint: LabelTint? = nil,
    obstacles: [PixelRect] = [], keepsWhole: Bool = false, and more: [LabelTile] = [],
    clearOf lines: (any LabelLines)? = nil,
    lacking: (Set<String>) -> LabelFonts? = { _ in nil }
  ) -> [Sprite] {
    var tiles = more
    visitBaseTiles { tile, world, companion in
      guard let labels = companion as? TileLabels else { return }
      tiles.append(LabelTile(tile, world: world, labels: labels))
    }
    guard !tiles.isEmpty, var type = try? LabelType(fonts) else { return [] }
    var request = LabelRequest(
      tiles: tiles, view: view, obstacles: obstacles, keepsWhole: keepsWhole)
    request.lines = lines
    var placement = LabelPlacer(type: type, icons: icons).place(request, after: nil)
    if !type.lackingLanguages.isEmpty, let fonts = lacking(type.lackingLanguages),
      let other = try? LabelType(fonts)
    {
      type = other
      placement = LabelPlacer(type: type, icons: icons).place(request, after: nil)
    }
    let artist = LabelArtist(type: type, tint: tint)
    return placement.labels.map { artist.sprite($0) }
  }
}
