import CPixels

/// Samples a turned block, bilinear with 7-bit weights (see `lerpLanes` for the rounding).
///
/// Pixel (x, y) of the destination is sampled at column `u + x * du - y * dv` and row
/// `v + x * dv + y * du` of the source, in 16.16 fixed point; a turn by an angle without a change
/// of scale has `du = cos * 65536` and `dv = sin * 65536`. A sample at (i + f, j + g) mixes the
/// words (i, j), (i + 1, j), (i, j + 1), (i + 1, j + 1).
///
/// Made for blocks of some 32 x 32 pixels out of a scratch block that stays in the cache: rows of
/// a turned view cross many tiles, blocks cross few.
///
/// - Parameters:
///   - source: Holds all four words of every sample; words of negative places too, if there are.
///   - sourceStride: Words from one row of the source to the next. It, and the samples' whole columns
///     and rows, have 15 bits and a sign.
///   - u: Column of the first sample.
///   - v: Row of the first sample.
///   - destinationStride: Words from one row of the destination to the next.
@inlinable
public func rotateBlock(
  source: UnsafePointer<UInt32>, sourceStride: Int, u: Int, v: Int, du: Int, dv: Int,
  destination: UnsafeMutablePointer<UInt32>, destinationStride: Int, width: Int, height: Int
) {
  guard width > 0 else { return }
  var row = 0
  while row < height {
    waypost_rotate_row(
      source, sourceStride, Int64(u &- row &* dv), Int64(v &+ row &* du), Int64(du), Int64(dv),
      destination + row &* destinationStride, width)
    row &+= 1
  }
}

/// The same to RGB565 with `RGB565Dither`'s pattern.
///
/// - Parameters:
///   - x: The first pixel's column in the pattern.
///   - y: Its row in the pattern.
@inlinable
public func rotateBlock565(
  source: UnsafePointer<UInt32>, sourceStride: Int, u: Int, v: Int, du: Int, dv: Int,
  destination: UnsafeMutablePointer<UInt16>, destinationStride: Int, width: Int, height: Int,
  x: Int, y: Int
) {
  guard width > 0 else { return }
  var row = 0
  while row < height {
    withDitherOffsets(x: x, y: y &+ row) {
      waypost_rotate_row565(
        source, sourceStride, Int64(u &- row &* dv), Int64(v &+ row &* du), Int64(du), Int64(dv),
        destination + row &* destinationStride, width, $0)
    }
    row &+= 1
  }
}

/// Four places, 16.16, a step apart; only their fractions count, so that they may wrap.
@inlinable @inline(__always)
func fourPlaces(_ first: Int, _ step: Int) -> SIMD4<UInt32> {
  SIMD4(
    UInt32(truncatingIfNeeded: first), UInt32(truncatingIfNeeded: first &+ step),
    UInt32(truncatingIfNeeded: first &+ 2 &* step), UInt32(truncatingIfNeeded: first &+ 3 &* step))
}
