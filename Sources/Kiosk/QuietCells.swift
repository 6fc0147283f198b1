import MapScene

/// Cells without a map.
extension Kiosk {
  /// Makes the loader paint quiet cells with the present text and colours.
  func provideQuietCells() {
    pipeline.loader.provideQuietCell = { [weak self] index in
      guard let self else { return nil }
      return QuietCell(
        words: book.quietWords(of: index), edge: 256 * pipeline.scale, scale: pipeline.scale,
        colors: theme.transform, text: overMap.text)
    }
  }
}
