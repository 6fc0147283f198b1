import MapGeometry
import MapScene

/// Light and dark words.
extension MarkerLayer {
  /// Chooses for each word on the screen whether it is light or dark, by what lies under it; to be
  /// called while the view rests, after `update`.
  ///
  /// By night all words are light; in the red theme those over something bright are dark.
  ///
  /// - Parameters:
  ///   - ground: How light the map is as a whole, 0 (black) ... 255 (white).
  ///   - keeping: Whether words for which a choice was made keep it.
  ///   - light: How light the map is in a part of the view, in pixels; nil: unknown.
  /// - Returns: Whether a word changes with the next `update`.
  public func chooseInks(
    ground: Int, keeping: Bool, _ light: (PixelRect) -> Int?
  ) -> Bool {
    guard painter.theme.kind != .night, let view = shownView, !layout.labels.isEmpty else {
      return false
    }
    if let inkBasis, inkBasis == (view, placings, ground) { return false }
    inkBasis = (view, placings, ground)
    let t = ViewTransform(view)
    let screen = PixelRect(x: 0, y: 0, width: t.width, height: t.height)
    var isNews = false
    // Two labels may have one place and one text; the first decides for both.
    var seen = Set<LabelMemory.Key>()
    for label in layout.labels where seen.insert(label.key).inserted {
      let at = t.pixel(gridX: label.gridX, gridY: label.gridY)
      let rect = PixelRect(
        x: at.x + label.dx, y: at.y + label.dy, width: label.image.width,
        height: label.image.height
      ).intersection(screen)
      if rect.isEmpty || keeping && layout.inks.isKnown(label.key) { continue }
      if let light = light(rect), layout.inks.choose(label.key, light, painter) { isNews = true }
    }
    if isNews {
      layout.invalidate()
      isStale = true
    }
    return isNews
  }
}
