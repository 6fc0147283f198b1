import CPixels

/// Samples a turned block, bilinear with 7-bit weights (see `lerpLanes` for the rounding).
///
/// Pixel (x, y) of the destination is sampled at column `u + x * du - y * dv` and row `v + x * dv +
/// y * du` of the source, in 16.16 fixed point. A turn by an angle, without a change of scale, has
/// `du = cos * 65536` and `dv = sin * 65536`. A sample at (i + f, j + g) mixes the pixels (i, j),
/// (i + 1, j), (i, j + 1), (i + 1, j + 1).
///
/// For blocks of about 32 x 32 pixels from a scratch block that stays in the cache: rows of a
/// turned view cross many tiles, blocks cross few.
///
/// - Parameters:
///   - source: The pixel at column 0, row 0. All four pixels of every sample must be readable,
///     including those at negative columns and rows.
///   - sourceStride: 32-bit pixels from one row of the source to the next. It fits 16 bits with
///     sign, as do the samples' whole columns and rows.
///   - u: The first sample's column, 16.16.
///   - v: The first sample's row, 16.16.
///   - du: `cos * 65536` of the turn.
///   - dv: `sin * 65536` of the turn.
///   - destination: `height` rows of `width` pixels.
///   - destinationStride: Pixels from one row of the destination to the next.
///   - width: Pixels in a row.
///   - height: Rows.
///   - next: The source of the next block, prefetched meanwhile.
@inlinable
public func rotateBlock(
  source: UnsafePointer<UInt32>, sourceStride: Int, u: Int, v: Int, du: Int, dv: Int,
  destination: UnsafeMutablePointer<UInt32>, destinationStride: Int, width: Int, height: Int,
  next: BlockAhead = BlockAhead()
) {
  guard width > 0, height > 0 else { return }
  waypost_rotate_block(
    source, sourceStride, Int64(u), Int64(v), Int64(du), Int64(dv), destination,
    destinationStride, width, height, next.block)
}

/// `rotateBlock` to RGB565 with the pattern of `RGB565Dither`.
///
/// - Parameters:
///   - source: The pixel at column 0, row 0. All four pixels of every sample must be readable,
///     including those at negative columns and rows.
///   - sourceStride: 32-bit pixels from one row of the source to the next. It fits 16 bits with
///     sign, as do the samples' whole columns and rows.
///   - u: The first sample's column, 16.16.
///   - v: The first sample's row, 16.16.
///   - du: `cos * 65536` of the turn.
///   - dv: `sin * 65536` of the turn.
///   - destination: `height` rows of `width` pixels.
///   - destinationStride: Pixels from one row of the destination to the next.
///   - width: Pixels in a row.
///   - height: Rows.
///   - x: The first pixel's column in the pattern.
///   - y: The first pixel's row in the pattern.
///   - next: The source of the next block, prefetched meanwhile.
@inlinable
public func rotateBlock565(
  source: UnsafePointer<UInt32>, sourceStride: Int, u: Int, v: Int, du: Int, dv: Int,
  destination: UnsafeMutablePointer<UInt16>, destinationStride: Int, width: Int, height: Int,
  x: Int, y: Int, next: BlockAhead = BlockAhead()
) {
  guard width > 0, height > 0 else { return }
  withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 16) { offsets in
    guard let base = offsets.baseAddress else { return }
    for i in 0..<16 { base[i] = RGB565Dither.offsets(x: x &+ i & 3, y: y &+ i &>> 2) }
    waypost_rotate_block565(
      source, sourceStride, Int64(u), Int64(v), Int64(du), Int64(dv), destination,
      destinationStride, width, height, next.block, base)
  }
}

/// A block of 32-bit pixels that will be read soon.
@frozen
public struct BlockAhead {
  @usableFromInline var block = waypost_block()

  /// Creates a block of no pixels, so `fetch` does nothing.
  @inlinable
  public init() {}

  /// Creates a block of `height` rows of `width` pixels; rows are `stride` pixels apart.
  @inlinable
  public init(_ words: UnsafePointer<UInt32>, stride: Int, width: Int, height: Int) {
    block = waypost_block(words: words, stride: stride, width: max(0, width), rows: max(0, height))
  }

  /// Prefetches the whole block now.
  @inlinable
  public func fetch() { waypost_fetch(block) }
}

/// Four positions, 16.16, a step apart. Only their fractions matter, so they may wrap.
@inlinable @inline(__always)
func fourPlaces(_ first: Int, _ step: Int) -> SIMD4<UInt32> {
  SIMD4(
    UInt32(truncatingIfNeeded: first), UInt32(truncatingIfNeeded: first &+ step),
    UInt32(truncatingIfNeeded: first &+ 2 &* step), UInt32(truncatingIfNeeded: first &+ 3 &* step))
}
