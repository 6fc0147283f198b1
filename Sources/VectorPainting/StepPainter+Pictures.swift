import Images
import MapStyle
import TileLoading
import TileSources

extension StepPainter {
  /// Draws the picture of a `raster` layer, if there is one. What cannot be decoded is left out,
  /// and added to `faults`.
  ///
  /// - Returns: Nil if all went well; else why the tile is not painted.
  mutating func draw(
    _ style: RasterStyle, _ picture: VectorPicture?, _ decoder: TileDecoder,
    _ faults: inout [TileError]
  ) -> PaintOutcome? {
    guard let picture else { return nil }
    let context = StyleContext(zoom: request.zoom, images: images.names)
    let opacity = min(max(style.opacity.value(context), 0), 1)
    guard opacity > 0 else { return nil }
    let painter = PicturePainter(
      part: picture.part, isNearest: style.resampling.value(context) == .nearest,
      colors: RasterColors(style, context), opacity: opacity, canvas: canvas, isOpaque: isOpaque,
      decoder: decoder, isCancelled: isCancelled)
    switch painter.draw(picture.payload.bytes, as: picture.payload.format) {
    case .drawn(let isOpaque):
      noteDrawn(coversAll: isOpaque)
      return nil
    case .cancelled: return .cancelled
    case .failed(let reason):
      faults.append(TileError(file: picture.file, tile: picture.tile, reason: reason))
      return nil
    case .lacksMemory(let reason): return .lacksMemory(reason)
    }
  }
}
