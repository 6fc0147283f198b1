/// Ordered dithering of 8-bit channels to RGB565.
///
/// The pattern is Bayer's 4x4 matrix, anchored to the coordinates that the caller gives. Anchored
/// to a tile or to the world (4 divides every tile edge), it neither shimmers while the map is
/// panned nor shows seams between tiles.
///
/// With `M` the matrix's entry (0 ... 15) at `(x & 3, y & 3)`:
///
///     red, blue:  (v - (v >> 5) + (M >> 1)) >> 3
///     green:      (v - (v >> 6) + (M >> 2)) >> 2
///
/// `v - (v >> 5)` maps 0 ... 255 to 0 ... 248, and the widened value `q << 3 | q >> 2` of every
/// 5-bit `q` exactly to `q << 3` (6 bits likewise). So black, white and every colour that RGB565
/// can represent come out unchanged at every position, nothing overflows, and the mean over the
/// pattern is the value itself.
public enum RGB565Dither {
  /// Packs one pixel.
  ///
  /// - Parameters:
  ///   - argb: `0xAARRGGBB`; the alpha byte is ignored.
  ///   - x: The column in the pattern; any integer.
  ///   - y: The row in the pattern; any integer.
  /// - Returns: The pixel as RGB565.
  @inlinable
  public static func pack(_ argb: UInt32, x: Int, y: Int) -> UInt16 {
    pack(argb, offsets: offsets(x: x, y: y))
  }

  /// What the pattern adds at `(x, y)`, one byte per channel (`0x00RRGGBB`): 0 ... 7 for red and
  /// blue, 0 ... 3 for green.
  @inlinable @inline(__always)
  public static func offsets(x: Int, y: Int) -> UInt32 {
    // Rows of Bayer's matrix, the first column in the lowest nibble:
    //   0 8 2 10 / 12 4 14 6 / 3 11 1 9 / 15 7 13 5
    let matrix: UInt64 = 0x5d7f_91b3_6e4c_a280
    let place = UInt64(truncatingIfNeeded: (y & 3) &* 16 &+ (x & 3) &* 4)
    let level = UInt32(truncatingIfNeeded: matrix &>> place) & 15
    return (level &>> 1) &* 0x0001_0001 | (level &>> 2) &<< 8
  }

  /// Packs one pixel, `0xAARRGGBB` with alpha ignored, with offsets from `offsets(x:y:)`.
  @inlinable @inline(__always)
  public static func pack(_ argb: UInt32, offsets: UInt32) -> UInt16 {
    // All three channels at once; no channel borrows from or carries into its neighbour.
    let scaled =
      (argb & 0x00ff_ffff) &- ((argb &>> 5) & 0x0007_0007) &- ((argb &>> 6) & 0x0000_0300)
      &+ offsets
    return UInt16(
      truncatingIfNeeded: ((scaled &>> 8) & 0xf800) | ((scaled &>> 5) & 0x07e0)
        | ((scaled &>> 3) & 0x001f))
  }
}
