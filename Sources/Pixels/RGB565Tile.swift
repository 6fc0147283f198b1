/// Converts a finished `argb8888` tile that has no transparency to an opaque tile format, in place.
///
/// - Parameters:
///   - tile: `edge * edge` pixels of 4 bytes without padding, aligned to 4. Afterwards the first
///     `edge * edge * format.bytes` bytes are the tile.
///   - edge: The tile's side in pixels.
///   - format: `.xrgb8888` changes nothing, because an opaque premultiplied pixel already has that
///     format; `.rgb565` is dithered, with the pattern anchored to the tile's top left pixel.
public func convertOpaqueTile(
  _ tile: UnsafeMutableRawBufferPointer, edge: Int, to format: TilePixelFormat
) {
  precondition(edge > 0 && tile.count >= edge * edge * 4, "a tile's size")
  guard format == .rgb565, let base = tile.baseAddress else { return }
  RGB565Tile.pack(UnsafeRawPointer(base), edge: edge, into: base)
}

package enum RGB565Tile {
  /// Dithers `edge * edge` pixels. The target may be the source: a pixel is written only where the
  /// pixels were read before.
  package static func pack(
    _ source: UnsafeRawPointer, edge: Int, into target: UnsafeMutableRawPointer
  ) {
    for y in 0..<edge {
      // Eight are read before they are written.
      pack565(
        (source + y &* edge &* 4).assumingMemoryBound(to: UInt32.self),
        (target + y &* edge &* 2).assumingMemoryBound(to: UInt16.self), edge, x: 0, y: y)
    }
  }
}
