import MapScene

/// The text and colours of cells without a map.
extension Kiosk {
  /// Provides the loader with painters of quiet cells, in the present text and colours.
  func provideQuietCells() {
    pipeline.loader.provideQuietCell = { [weak self] index in
      guard let self else { return nil }
      return QuietCell(
        label: book.quietText(of: index), edge: pipeline.scene.cell ?? 256 * pipeline.scale,
        scale: pipeline.scale,
        colors: theme.transform, text: overMap.text)
    }
  }
}
