import MapScene

/// Cells without a map.
extension Kiosk {
  /// Provides the loader with painters of quiet cells, in the present colours.
  func provideQuietCells() {
    pipeline.loader.provideQuietCell = { [weak self] _ in
      guard let self else { return nil }
      return QuietCell(
        edge: pipeline.scene.cell ?? 256 * pipeline.scale, scale: pipeline.scale, palette: palette)
    }
  }
}
