import CBundled
import Drawing
import MapGeometry
import MapLabels
import MapScene
import TileLoading
import TileSources

extension VectorMap {
  /// The bundled fonts of labels: Noto Sans in three faces, then DejaVu Sans for scripts that it
  /// lacks.
  public static var labelFonts: LabelFonts {
    func font(_ start: UnsafePointer<UInt8>?, _ count: Int) -> FontSource {
      .memory(UnsafeRawBufferPointer(start: start, count: count))
    }
    return LabelFonts(
      regular: font(waypost_noto_regular_bytes(), waypost_noto_regular_size()),
      italic: font(waypost_noto_italic_bytes(), waypost_noto_italic_size()),
      semibold: font(waypost_noto_semibold_bytes(), waypost_noto_semibold_size()),
      others: [font(waypost_font_bytes(), waypost_font_size())])
  }

  /// The labels of a picture of `source`, bottom first; none if it has pictures.
  ///
  /// - Parameters:
  ///   - source: The map.
  ///   - renderer: Draws the picture; its tiles are loaded.
  ///   - others: Fonts for scripts that the bundled ones lack.
  public static func labels(
    of source: any TileSource, in renderer: StillRenderer, fonts others: [FontSource] = []
  ) -> [Sprite] {
    guard let painter = (source as? any DrawnSource)?.painter as? any LabelledPainter else {
      return []
    }
    var tiles: [LabelTile] = []
    renderer.visitBaseTiles { tile, world, companion in
      guard let labels = companion as? TileLabels else { return }
      tiles.append(LabelTile(tile, world: world, labels: labels))
    }
    var fonts = labelFonts
    fonts.others = others + fonts.others
    guard let type = try? LabelType(fonts) else { return [] }
    let placer = LabelPlacer(type: type, icons: painter.labelIcons(isNight: false))
    let placement = placer.place(
      LabelRequest(tiles: tiles, view: renderer.view), after: nil)
    let artist = LabelArtist(type: type)
    return placement.labels.map { artist.sprite($0) }
  }
}
