import LineNames
import MapGeometry
import MapOverlays

/// The lines of overlays, for the words over the map.
extension OverMap {
  /// Sets the lines of overlays, beside which the labels of points stand.
  func setLines(_ lines: [OverlayLines]) { markers.lines = lines }

  /// Sets the selected line, which labels of markers keep clear of; nil: none is.
  func setSelected(_ line: SelectedLine?) { markers.selectedLine = line }

  /// How words along lines look in the present colours and size.
  func lineWords(in view: Viewport) -> OverlayNames.Words {
    OverlayNames.Words(
      theme: painter.theme, isGroundDark: painter.isGroundDark,
      size: painter.unit / Double(view.scale), view: view)
  }
}
