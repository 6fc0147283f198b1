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

  /// How many blocks lie along the edge of a tile of `edge` pixels. The last one may be smaller.
  @inlinable
  public static func blocks(edge: Int) -> Int { (edge + block - 1) / block }

  /// Bytes of the cover of a tile of `edge` pixels.
  public static func bytes(edge: Int) -> Int { blocks(edge: edge) * blocks(edge: edge) }

  /// Computes a tile's cover: one byte per block, row by row.
  ///
  /// - Parameters:
  ///   - pixels: `edge` × `edge` premultiplied pixels without padding.
  ///   - edge: The tile's side in pixels.
  ///   - cover: The result, `bytes(edge:)` bytes.
  public static func write(
    _ pixels: UnsafePointer<UInt32>, edge: Int, to cover: UnsafeMutablePointer<UInt8>
  ) {
    let count = blocks(edge: edge)
    for y in 0..<count {
      for x in 0..<count {
        let first = pixels + y * block * edge + x * block
        cover[y * count + x] =
          (x + 1) * block <= edge && (y + 1) * block <= edge
          ? content(ofBlock: first, edge: edge)
          : content(
            first, edge: edge, width: min(block, edge - x * block),
            height: min(block, edge - y * block))
      }
    }
  }

  /// What a whole block contains.
  private static func content(ofBlock first: UnsafePointer<UInt32>, edge: Int) -> UInt8 {
    var row = first
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
    return content(
      any: any[0] | any[1] | any[2] | any[3], all: all[0] & all[1] & all[2] & all[3])
  }

  /// What a block at the tile's right or lower edge contains.
  private static func content(
    _ first: UnsafePointer<UInt32>, edge: Int, width: Int, height: Int
  ) -> UInt8 {
    var (any, all): (UInt32, UInt32) = (0, .max)
    for y in 0..<height {
      for x in 0..<width {
        any |= first[y * edge + x]
        all &= first[y * edge + x]
      }
    }
    return content(any: any, all: all)
  }

  private static func content(any: UInt32, all: UInt32) -> UInt8 {
    any == 0 ? clear : all >> 24 == 255 ? opaque : mixed
  }
}
