import MapScene

/// Cells without a map.
extension Kiosk {
  /// Draws the quiet cells of the sources of these numbers into the cache.
  func drawQuietCells(_ indices: [Int]) {
    for index in indices {
      _ = QuietCell.draw(
        source: index, name: book.quietWords(of: index), edge: 256 * pipeline.scale,
        scale: pipeline.scale, opaque: pipeline.loader.opaque, colors: theme.transform,
        text: overMap.text, cache: pipeline.cache)
    }
  }
}
