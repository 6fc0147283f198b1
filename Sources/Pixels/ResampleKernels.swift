import CPixels

// Bilinear resampling in two passes (across a row, then between two rows), halving and enlarging.
//
// Weights have 7 bits, 0 ... 128, so that `difference * weight + 64` stays within 16 bits with a
// sign. One interpolation is `p + (((q - p) * w + 64) >> 7)`: the nearest whole number, exact at
// weights 0 and 128 and wherever `p == q`. Two of them stay within one of exact bilinear. Alpha is
// interpolated as the colours are, which is right for premultiplied pixels.

/// Mixes `p` and `q` byte by byte; every pixel's weight, 0 ... 128, is in both of its lanes.
@inlinable @inline(__always)
func lerp4(_ p: Lanes, _ q: Lanes, _ weight: SignedLanes) -> Lanes {
  let even = lerpLanes(evenBytes(p), evenBytes(q), weight)
  let odd = lerpLanes(oddBytes(p), oddBytes(q), weight)
  return joined(even, odd)
}

/// Mixes `p` and `q`, whose lanes are 0 ... 255.
@inlinable @inline(__always)
func lerpLanes(_ p: Lanes, _ q: Lanes, _ weight: SignedLanes) -> Lanes {
  let scaled = (signed(q) &- signed(p)) &* weight &+ SignedLanes(repeating: 64)
  return unsigned(signed(p) &+ (scaled &>> SignedLanes(repeating: 7)))
}

/// Mixes two pixels byte by byte, as `lerp4` does.
@inlinable @inline(__always)
func lerp1(_ p: UInt32, _ q: UInt32, _ weight: UInt32) -> UInt32 {
  // p * (128 - w) + q * w + 64 is the same number, in unsigned halves of 32 bits.
  let rest = 128 &- weight
  let mask: UInt32 = 0x00ff_00ff
  let half: UInt32 = 0x0040_0040
  let even = ((p & mask) &* rest &+ (q & mask) &* weight &+ half) &>> 7
  let odd = ((p &>> 8) & mask) &* rest &+ ((q &>> 8) & mask) &* weight &+ half
  return (even & mask) | ((odd &<< 1) & 0xff00_ff00)
}

/// Samples a row at equal steps, bilinear between neighbours.
///
/// Pixel `n` of the destination is between the source's pixels `i` and `i + 1` with `i = (position
/// + n * step) >> 16`, weighted by the upper 7 bits of the fraction. A fraction below 1/128 copies
/// exactly.
///
/// - Parameters:
///   - source: Readable at every such `i` and `i + 1`.
///   - destination: `count` pixels.
///   - count: The number of pixels to write.
///   - position: The first sample's position, 16.16 fixed point; not negative.
///   - step: The distance between samples, 16.16 fixed point; not negative.
@inlinable
public func resampleRow(
  source: UnsafePointer<UInt32>, destination: UnsafeMutablePointer<UInt32>, count: Int,
  position: Int, step: Int
) {
  var place = position
  var at = 0
  var fractions = fourPlaces(place, step)
  let advance = SIMD4<UInt32>(repeating: UInt32(truncatingIfNeeded: 4 &* step))
  while at &+ 4 <= count {
    let pairs = Pairs(
      source + (place &>> 16), source + ((place &+ step) &>> 16),
      source + ((place &+ 2 &* step) &>> 16), source + ((place &+ 3 &* step) &>> 16))
    store4(lerp4(pairs.first, pairs.second, weights(fractions)), destination + at)
    fractions = fractions &+ advance
    place &+= 4 &* step
    at &+= 4
  }
  while at < count {
    let from = source + (place &>> 16)
    let weight = UInt32(truncatingIfNeeded: place &>> 9) & 127
    destination[at] = lerp1(from[0], from[1], weight)
    place &+= step
    at &+= 1
  }
}

/// The sample positions of a row, for rows that are all sampled at the same ones: indices of pixels
/// with their weights, in the layout of the C kernels.
public struct ResampleTable {
  @usableFromInline let base: UnsafeMutableRawPointer

  /// Bytes of a table for `count` samples; a multiple of 128.
  @inlinable
  public static func bytes(_ count: Int) -> Int { (count &+ 7) &>> 3 &* 128 }

  /// - Parameter memory: `bytes(count)` bytes, aligned to 16, for as long as this is used.
  @inlinable
  public init(_ memory: UnsafeMutableRawPointer) { base = memory }

  /// Stores `count` samples from `position` on, `step` apart, in the units of `resampleRow`.
  @inlinable
  public func fill(count: Int, position: Int, step: Int) {
    if count > 0 { waypost_resample_table(base, count, Int64(position), Int64(step)) }
  }
}

/// Mixes two rows as `lerpRows` does, and samples the result as `resampleRow` does.
///
/// - Parameters:
///   - source: The first row.
///   - next: 32-bit pixels from the first row to the second.
///   - weight: The second row's weight, 0 ... 127; at 0 it is not read.
///   - table: The samples, which are in a row's first 1022 pixels.
///   - destination: `count` pixels.
///   - count: The number of pixels to write.
@inlinable
public func resampleBetween(
  source: UnsafePointer<UInt32>, next: Int, weight: Int, table: ResampleTable,
  destination: UnsafeMutablePointer<UInt32>, count: Int
) {
  guard count > 0 else { return }
  waypost_resample_between(
    source, source + next, UInt32(truncatingIfNeeded: weight), table.base, destination, count)
}

/// `resampleBetween` to RGB565 with the pattern of `RGB565Dither`.
///
/// - Parameters:
///   - source: The first row.
///   - next: 32-bit pixels from the first row to the second.
///   - weight: The second row's weight, 0 ... 127; at 0 it is not read.
///   - table: The samples, which are in a row's first 1022 pixels.
///   - destination: `count` pixels.
///   - count: The number of pixels to write.
///   - x: The first pixel's column in the pattern.
///   - y: The row in the pattern.
@inlinable
public func resampleBetween565(
  source: UnsafePointer<UInt32>, next: Int, weight: Int, table: ResampleTable,
  destination: UnsafeMutablePointer<UInt16>, count: Int, x: Int, y: Int
) {
  guard count > 0 else { return }
  withDitherOffsets(x: x, y: y) {
    waypost_resample_between565(
      source, source + next, UInt32(truncatingIfNeeded: weight), table.base, destination, count,
      $0)
  }
}

/// Samples two rows at a table's positions, and leaves the results as lanes for `lerpPlanes`, in
/// whole groups of eight pixels.
///
/// - Parameters:
///   - source: The first row.
///   - next: 32-bit pixels from the first row to the second.
///   - table: The samples, which are in a row's first 1022 pixels.
///   - destination: The first row's lanes, at most 8 bytes per pixel, aligned to 16; the second
///     row's follow `room` pixels later.
///   - room: `count` or more, a multiple of 8.
///   - count: The number of samples.
@inlinable
public func resampleRowsToPlanes(
  source: UnsafePointer<UInt32>, next: Int, table: ResampleTable,
  destination: UnsafeMutablePointer<UInt16>, room: Int, count: Int
) {
  guard count > 0 else { return }
  waypost_resample_lanes(
    source, source + next, table.base, destination, destination + room &* 4, count)
}

/// `lerpRows` of two rows that `resampleRowsToPlanes` wrote.
///
/// - Parameters:
///   - a: The first row's lanes.
///   - b: The second row's lanes.
///   - weight: The weight of `b`, 0 ... 127; at 0 `b` is not read.
///   - destination: `count` pixels.
///   - count: The number of pixels to write.
@inlinable
public func lerpPlanes(
  _ a: UnsafePointer<UInt16>, _ b: UnsafePointer<UInt16>, weight: Int,
  _ destination: UnsafeMutablePointer<UInt32>, _ count: Int
) {
  if count > 0 {
    waypost_mix_lanes(a, b, UInt32(truncatingIfNeeded: weight), destination, count)
  }
}

/// `resampleRowsToPlanes` for `lerpPlanes565`: without alpha, each colour separately.
@inlinable
public func resampleRowsToPlanes565(
  source: UnsafePointer<UInt32>, next: Int, table: ResampleTable,
  destination: UnsafeMutablePointer<UInt16>, room: Int, count: Int
) {
  guard count > 0 else { return }
  waypost_resample_planes(
    source, source + next, table.base, destination, destination + room &* 4, count)
}

/// `lerpPlanes` of two rows that `resampleRowsToPlanes565` wrote, to RGB565 with `RGB565Dither`'s
/// pattern.
///
/// - Parameters:
///   - a: The first row's lanes.
///   - b: The second row's lanes.
///   - weight: The weight of `b`, 0 ... 127; at 0 `b` is not read.
///   - destination: `count` pixels.
///   - count: The number of pixels to write.
///   - x: The first pixel's column in the pattern.
///   - y: The row in the pattern.
@inlinable
public func lerpPlanes565(
  _ a: UnsafePointer<UInt16>, _ b: UnsafePointer<UInt16>, weight: Int,
  _ destination: UnsafeMutablePointer<UInt16>, _ count: Int, x: Int, y: Int
) {
  guard count > 0 else { return }
  withDitherOffsets(x: x, y: y) {
    waypost_mix_planes565(a, b, UInt32(truncatingIfNeeded: weight), destination, count, $0)
  }
}

/// Four pairs of neighbouring pixels, split into the first and the second ones.
@frozen @usableFromInline
struct Pairs {
  @usableFromInline let first: Lanes
  @usableFromInline let second: Lanes

  @inlinable @inline(__always)
  init(
    _ a: UnsafePointer<UInt32>, _ b: UnsafePointer<UInt32>, _ c: UnsafePointer<UInt32>,
    _ d: UnsafePointer<UInt32>
  ) {
    let low = SIMD4<UInt32>(lowHalf: pair(a), highHalf: pair(b))
    let high = SIMD4<UInt32>(lowHalf: pair(c), highHalf: pair(d))
    first = lanes(SIMD4(lowHalf: low.evenHalf, highHalf: high.evenHalf))
    second = lanes(SIMD4(lowHalf: low.oddHalf, highHalf: high.oddHalf))
  }
}

/// Two neighbouring pixels.
@inlinable @inline(__always)
func pair(_ source: UnsafePointer<UInt32>) -> SIMD2<UInt32> {
  UnsafeRawPointer(source).loadUnaligned(as: SIMD2<UInt32>.self)
}

/// The upper 7 bits of four 16.16 fractions, each in both lanes of its pixel.
@inlinable @inline(__always)
func weights(_ places: SIMD4<UInt32>) -> SignedLanes {
  let weight = (places &>> SIMD4(repeating: 9)) & SIMD4(repeating: 127)
  return signed(lanes(weight | (weight &<< SIMD4(repeating: 16))))
}

/// Mixes two rows: `a` at weight 0, `b` at weight 128. The destination may be `a` or `b`.
///
/// - Parameters:
///   - a: The first row.
///   - b: The second row.
///   - weight: The weight of `b`, 0 ... 128.
///   - destination: `count` pixels.
///   - count: The number of pixels.
@inlinable
public func lerpRows(
  _ a: UnsafePointer<UInt32>, _ b: UnsafePointer<UInt32>, weight: Int,
  _ destination: UnsafeMutablePointer<UInt32>, _ count: Int
) {
  guard weight > 0 else { return moveRow(a, destination, count) }
  guard weight < 128 else { return moveRow(b, destination, count) }
  if count > 0 { waypost_mix_rows(a, b, UInt32(truncatingIfNeeded: weight), destination, count) }
}

/// Copies a row unless it is there already.
@inlinable @inline(__always)
func moveRow(
  _ source: UnsafePointer<UInt32>, _ destination: UnsafeMutablePointer<UInt32>, _ count: Int
) {
  if UnsafePointer(destination) != source { copyRow(source, destination, count) }
}

/// Halves two rows to one: every byte is the mean of four, `(a + b + c + d + 2) >> 2`.
///
/// - Parameters:
///   - row0: The upper row, `2 * count` pixels.
///   - row1: The lower row, `2 * count` pixels.
///   - destination: `count` pixels.
///   - count: The number of pixels to write.
@inlinable
public func reduce2x2(
  _ row0: UnsafePointer<UInt32>, _ row1: UnsafePointer<UInt32>,
  _ destination: UnsafeMutablePointer<UInt32>, _ count: Int
) {
  let two = Lanes(repeating: 2)
  var at = 0
  while at &+ 4 <= count {
    let a = load4(row0 + (2 &* at))
    let b = load4(row0 + (2 &* at &+ 4))
    let c = load4(row1 + (2 &* at))
    let d = load4(row1 + (2 &* at &+ 4))
    let even = pairSums(evenBytes(a) &+ evenBytes(c), evenBytes(b) &+ evenBytes(d))
    let odd = pairSums(oddBytes(a) &+ oddBytes(c), oddBytes(b) &+ oddBytes(d))
    store4(
      joined((even &+ two) &>> two, (odd &+ two) &>> two), destination + at)
    at &+= 4
  }
  while at < count {
    let mask: UInt32 = 0x00ff_00ff
    let a = row0[2 &* at]
    let b = row0[2 &* at &+ 1]
    let c = row1[2 &* at]
    let d = row1[2 &* at &+ 1]
    let even = (a & mask) &+ (b & mask) &+ (c & mask) &+ (d & mask) &+ 0x0002_0002
    let odd =
      ((a &>> 8) & mask) &+ ((b &>> 8) & mask) &+ ((c &>> 8) & mask) &+ ((d &>> 8) & mask)
      &+ 0x0002_0002
    destination[at] = ((even &>> 2) & mask) | ((odd &<< 6) & 0xff00_ff00)
    at &+= 1
  }
}

/// The sums of neighbouring pixels in eight.
@inlinable @inline(__always)
func pairSums(_ low: Lanes, _ high: Lanes) -> Lanes {
  let all = SIMD8<UInt32>(lowHalf: words(low), highHalf: words(high))
  return lanes(all.evenHalf) &+ lanes(all.oddHalf)
}
