/// What the blocks of 16 × 16 pixels of a transparent tile contain, so that clear and opaque blocks
/// are drawn without blending.
public enum TileCover {
  /// A block's edge in pixels.
  public static let block = 16
  /// Every pixel is clear.
  public static let clear: UInt8 = 0
  /// Some pixels are clear or translucent, others are not.
  public static let mixed: UInt8 = 1
  /// Every pixel is opaque.
  public static let opaque: UInt8 = 2

  /// Bytes of the cover of a tile of `edge` pixels; 0 if the edge is not a multiple of a block's.
  public static func bytes(edge: Int) -> Int {
    edge % block == 0 ? (edge / block) * (edge / block) : 0
  }

  /// Computes a tile's cover: one byte per block, row by row.
  ///
  /// - Parameters:
  ///   - pixels: `edge` × `edge` premultiplied pixels without padding.
  ///   - edge: The tile's side in pixels, a multiple of `block`.
  ///   - cover: The result, `bytes(edge:)` bytes.
  public static func write(
    _ pixels: UnsafePointer<UInt32>, edge: Int, to cover: UnsafeMutablePointer<UInt8>
  ) {
    let blocks = edge / block
    for y in 0..<blocks {
      for x in 0..<blocks {
        var row = pixels + y * block * edge + x * block
        var any = SIMD4<UInt32>()
        var all = SIMD4<UInt32>(repeating: .max)
        for _ in 0..<block {
          for part in 0..<block / 4 {
            let four = words(load4(row + 4 * part))
            any |= four
            all &= four
          }
          row += edge
        }
        let some = any[0] | any[1] | any[2] | any[3]
        let every = all[0] & all[1] & all[2] & all[3]
        cover[y * blocks + x] = some == 0 ? clear : every >> 24 == 255 ? opaque : mixed
      }
    }
  }
}
