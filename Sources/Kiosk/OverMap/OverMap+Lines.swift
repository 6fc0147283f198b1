import MapGeometry
import MapOverlays

/// The lines of overlays, for the words over the map.
extension OverMap {
  /// Sets the lines of overlays, beside which the labels of points stand.
  func setLines(_ lines: [OverlayLines]) { markers.lines = lines }

  /// How words along lines look in the present colours and size.
  func lineWords(in view: Viewport) -> OverlayNames.Words {
    let size = painter.unit / Double(view.scale)
    // Of a line across a small screen, a name is in view, too.
    let side = 0.6 * Double(min(view.width, view.height)) / Double(view.scale)
    return OverlayNames.Words(
      theme: painter.theme, isGroundDark: painter.isGroundDark, size: size,
      distance: min(max(side, 160 * size), 400 * size))
  }
}
