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
///   - sourceStride: Words from one row of the source to the next.
///   - u: Column of the first sample.
///   - v: Row of the first sample.
///   - destinationStride: Words from one row of the destination to the next.
@inlinable
public func rotateBlock(
  source: UnsafePointer<UInt32>, sourceStride: Int, u: Int, v: Int, du: Int, dv: Int,
  destination: UnsafeMutablePointer<UInt32>, destinationStride: Int, width: Int, height: Int
) {
  var row = 0
  while row < height {
    rotateRow(
      source: source, sourceStride: sourceStride, u: u &- row &* dv, v: v &+ row &* du, du: du,
      dv: dv, destination: destination + row &* destinationStride, count: width)
    row &+= 1
  }
}

@inlinable @inline(__always)
func rotateRow(
  source: UnsafePointer<UInt32>, sourceStride: Int, u: Int, v: Int, du: Int, dv: Int,
  destination: UnsafeMutablePointer<UInt32>, count: Int
) {
  var u = u
  var v = v
  var columns = fourPlaces(u, du)
  var rows = fourPlaces(v, dv)
  let columnStep = SIMD4<UInt32>(repeating: UInt32(truncatingIfNeeded: 4 &* du))
  let rowStep = SIMD4<UInt32>(repeating: UInt32(truncatingIfNeeded: 4 &* dv))
  var at = 0
  while at &+ 4 <= count {
    let p0 = source + ((v &>> 16) &* sourceStride &+ (u &>> 16))
    u &+= du
    v &+= dv
    let p1 = source + ((v &>> 16) &* sourceStride &+ (u &>> 16))
    u &+= du
    v &+= dv
    let p2 = source + ((v &>> 16) &* sourceStride &+ (u &>> 16))
    u &+= du
    v &+= dv
    let p3 = source + ((v &>> 16) &* sourceStride &+ (u &>> 16))
    u &+= du
    v &+= dv
    let upper = Pairs(p0, p1, p2, p3)
    let lower = Pairs(p0 + sourceStride, p1 + sourceStride, p2 + sourceStride, p3 + sourceStride)
    // Between the rows first, and only the result is joined to bytes.
    let down = weights(rows)
    let across = weights(columns)
    let p = upper.first
    let q = upper.second
    let r = lower.first
    let s = lower.second
    let even = lerpLanes(
      lerpLanes(evenBytes(p), evenBytes(r), down), lerpLanes(evenBytes(q), evenBytes(s), down),
      across)
    let odd = lerpLanes(
      lerpLanes(oddBytes(p), oddBytes(r), down), lerpLanes(oddBytes(q), oddBytes(s), down),
      across)
    store4(joined(even, odd), destination + at)
    columns = columns &+ columnStep
    rows = rows &+ rowStep
    at &+= 4
  }
  while at < count {
    let p = source + ((v &>> 16) &* sourceStride &+ (u &>> 16))
    let q = p + sourceStride
    let across = UInt32(truncatingIfNeeded: u &>> 9) & 127
    let down = UInt32(truncatingIfNeeded: v &>> 9) & 127
    destination[at] = lerp1(lerp1(p[0], q[0], down), lerp1(p[1], q[1], down), across)
    u &+= du
    v &+= dv
    at &+= 1
  }
}

/// Four places, 16.16, a step apart; only their fractions count, so that they may wrap.
@inlinable @inline(__always)
func fourPlaces(_ first: Int, _ step: Int) -> SIMD4<UInt32> {
  SIMD4(
    UInt32(truncatingIfNeeded: first), UInt32(truncatingIfNeeded: first &+ step),
    UInt32(truncatingIfNeeded: first &+ 2 &* step), UInt32(truncatingIfNeeded: first &+ 3 &* step))
}
