/// Converts a finished `argb8888` tile that has no transparency to an opaque tile format, in place.
///
/// - Parameters:
///   - tile: `edge * edge` pixels of 4 bytes without padding, aligned to 4. Afterwards the first
///     `edge * edge * format.bytes` bytes are the tile.
///   - edge: The tile's side in pixels.
///   - format: `.xrgb8888` changes nothing (an opaque premultiplied pixel is one already);
///     `.rgb565` is dithered, the pattern anchored to the tile's top left pixel.
public func convertOpaqueTile(
  _ tile: UnsafeMutableRawBufferPointer, edge: Int, to format: TilePixelFormat
) {
  precondition(edge > 0 && tile.count >= edge * edge * 4, "a tile's size")
  guard format == .rgb565, let base = tile.baseAddress else { return }
  RGB565Tile.pack(UnsafeRawPointer(base), edge: edge, into: base)
}

enum RGB565Tile {
  /// Dithers `edge * edge` pixels. The target may be the source: a pixel is written where only
  /// pixels that were read lie.
  static func pack(_ source: UnsafeRawPointer, edge: Int, into target: UnsafeMutableRawPointer) {
    for y in 0..<edge {
      let from = source + y &* edge &* 4
      let to = target + y &* edge &* 2
      let offsets = (
        RGB565Dither.offsets(x: 0, y: y), RGB565Dither.offsets(x: 1, y: y),
        RGB565Dither.offsets(x: 2, y: y), RGB565Dither.offsets(x: 3, y: y)
      )
      var x = 0
      while x &+ 4 <= edge {
        // All four are read before one is written.
        let p = (from + x &* 4).loadUnaligned(as: SIMD4<UInt32>.self)
        let a = RGB565Dither.pack(p[0], offsets: offsets.0)
        let b = RGB565Dither.pack(p[1], offsets: offsets.1)
        let c = RGB565Dither.pack(p[2], offsets: offsets.2)
        let d = RGB565Dither.pack(p[3], offsets: offsets.3)
        let four =
          UInt64(a) | UInt64(b) &<< 16 | UInt64(c) &<< 32 | UInt64(d) &<< 48
        (to + x &* 2).storeBytes(of: four.littleEndian, as: UInt64.self)
        x &+= 4
      }
      while x < edge {
        let pixel = (from + x &* 4).loadUnaligned(as: UInt32.self)
        (to + x &* 2).storeBytes(of: RGB565Dither.pack(pixel, x: x, y: y), as: UInt16.self)
        x &+= 1
      }
    }
  }
}
