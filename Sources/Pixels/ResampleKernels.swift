// Bilinear resampling in two passes (across a row, then between two rows), halving and enlarging.
//
// Weights have 7 bits, 0 ... 128, so that `difference * weight + 64` stays within 16 bits with a
// sign. One interpolation is `p + (((q - p) * w + 64) >> 7)`: the nearest whole number, exact at
// weights 0 and 128 and wherever `p == q`. Two of them stay within one of exact bilinear. Alpha is
// interpolated as the colours are, which is right for premultiplied pixels.

/// `p` and `q` mixed byte by byte; every pixel's weight, 0 ... 128, is in both of its lanes.
@inlinable @inline(__always)
func lerp4(_ p: Lanes, _ q: Lanes, _ weight: SignedLanes) -> Lanes {
  let even = lerpLanes(evenBytes(p), evenBytes(q), weight)
  let odd = lerpLanes(oddBytes(p), oddBytes(q), weight)
  return joined(even, odd)
}

/// `p` and `q`, lanes of 0 ... 255, mixed.
@inlinable @inline(__always)
func lerpLanes(_ p: Lanes, _ q: Lanes, _ weight: SignedLanes) -> Lanes {
  let scaled = (signed(q) &- signed(p)) &* weight &+ SignedLanes(repeating: 64)
  return unsigned(signed(p) &+ (scaled &>> SignedLanes(repeating: 7)))
}

/// One byte-wise mix of two words, as `lerp4` does it.
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

/// Samples a row at even steps, bilinear between neighbours.
///
/// Pixel `n` of the destination lies between the source's words `i` and `i + 1` with
/// `i = (position + n * step) >> 16`, weighted by the upper 7 bits of the fraction. A fraction
/// below 1/128 copies exactly.
///
/// - Parameters:
///   - source: Readable at every such `i` and `i + 1`.
///   - position: Of the first sample, 16.16 fixed point; not negative.
///   - step: Between samples, 16.16 fixed point; not negative.
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

/// Where the samples of a row lie, for rows that are all sampled alike: for each four of them, 32 bytes
/// with the words' numbers (32 bits each) and their weights in lanes.
public struct ResampleTable {
  @usableFromInline let base: UnsafeMutableRawPointer

  /// Bytes of a table for `count` samples.
  @inlinable
  public static func bytes(_ count: Int) -> Int { (count &+ 3) &>> 2 &* 32 }

  /// - Parameter memory: `bytes(count)` bytes, aligned to 16, for as long as this is used.
  @inlinable
  public init(_ memory: UnsafeMutableRawPointer) { base = memory }

  /// Notes `count` samples from `position` on, `step` apart; both as `resampleRow` takes them.
  @inlinable
  public func fill(count: Int, position: Int, step: Int) {
    var place = position
    for group in 0..<(max(0, count) &+ 3) &>> 2 {
      let out = base + group &* 32
      let numbers = SIMD4<Int32>(
        Int32(truncatingIfNeeded: place &>> 16),
        Int32(truncatingIfNeeded: (place &+ step) &>> 16),
        Int32(truncatingIfNeeded: (place &+ 2 &* step) &>> 16),
        Int32(truncatingIfNeeded: (place &+ 3 &* step) &>> 16))
      out.storeBytes(of: numbers, as: SIMD4<Int32>.self)
      out.storeBytes(
        of: weights(fourPlaces(place, step)), toByteOffset: 16, as: SignedLanes.self)
      place &+= 4 &* step
    }
  }

  /// The word before sample `at`.
  @inlinable @inline(__always)
  func number(_ at: Int) -> Int {
    let group = base + (at &>> 2) &* 32
    return Int(group.load(fromByteOffset: (at & 3) &* 4, as: Int32.self))
  }

  /// The weight of the word after sample `at`.
  @inlinable @inline(__always)
  func weight(_ at: Int) -> UInt32 {
    let group = base + (at &>> 2) &* 32
    return UInt32(group.load(fromByteOffset: 16 &+ (at & 3) &* 4, as: UInt16.self))
  }

  /// The words around samples `at` ... `at` + 3, and their weights; `at` is a multiple of 4.
  @inlinable @inline(__always)
  func four(
    _ source: UnsafePointer<UInt32>, _ at: Int
  ) -> (pairs: Pairs, weights: SignedLanes) {
    let group = base + at &* 8
    return (
      Pairs(
        source + Int(group.load(as: Int32.self)),
        source + Int(group.load(fromByteOffset: 4, as: Int32.self)),
        source + Int(group.load(fromByteOffset: 8, as: Int32.self)),
        source + Int(group.load(fromByteOffset: 12, as: Int32.self))),
      group.load(fromByteOffset: 16, as: SignedLanes.self)
    )
  }

  /// The same of two rows.
  @inlinable @inline(__always)
  func four(
    _ source: UnsafePointer<UInt32>, _ other: UnsafePointer<UInt32>, _ at: Int
  ) -> (first: Pairs, second: Pairs, weights: SignedLanes) {
    let group = base + at &* 8
    let a = Int(group.load(as: Int32.self))
    let b = Int(group.load(fromByteOffset: 4, as: Int32.self))
    let c = Int(group.load(fromByteOffset: 8, as: Int32.self))
    let d = Int(group.load(fromByteOffset: 12, as: Int32.self))
    return (
      Pairs(source + a, source + b, source + c, source + d),
      Pairs(other + a, other + b, other + c, other + d),
      group.load(fromByteOffset: 16, as: SignedLanes.self)
    )
  }
}

/// `resampleRow` at the samples of a table.
@inlinable
public func resampleRow(
  source: UnsafePointer<UInt32>, table: ResampleTable,
  destination: UnsafeMutablePointer<UInt32>, count: Int
) {
  var at = 0
  while at &+ 4 <= count {
    let (pairs, weights) = table.four(source, at)
    store4(lerp4(pairs.first, pairs.second, weights), destination + at)
    at &+= 4
  }
  while at < count {
    let from = source + table.number(at)
    destination[at] = lerp1(from[0], from[1], table.weight(at))
    at &+= 1
  }
}

/// The same for two rows, with the results as lanes that `lerpPlanes` takes: for each four pixels their
/// even bytes, then their odd ones, 32 bytes together. The last four may be fewer.
///
/// - Parameters:
///   - next: Words from the first row to the second.
///   - destination: The first row's lanes; the second's follow `room` pixels after.
@inlinable
public func resampleRowsToPlanes(
  source: UnsafePointer<UInt32>, next: Int, table: ResampleTable,
  destination: UnsafeMutablePointer<UInt16>, room: Int, count: Int
) {
  let out = UnsafeMutableRawPointer(destination)
  let other = out + room &* 8
  var at = 0
  while at &+ 4 <= count {
    let (first, second, weights) = table.four(source, source + next, at)
    storePlanes(first, weights, out + at &* 8)
    storePlanes(second, weights, other + at &* 8)
    at &+= 4
  }
  let group = at &* 8
  while at < count {
    let number = table.number(at)
    let weight = table.weight(at)
    let byte = group &+ (at & 3) &* 4
    func store(_ from: UnsafePointer<UInt32>, _ to: UnsafeMutableRawPointer) {
      let pixel = lerp1(from[0], from[1], weight)
      to.storeBytes(of: pixel & 0x00ff_00ff, toByteOffset: byte, as: UInt32.self)
      to.storeBytes(of: (pixel &>> 8) & 0x00ff_00ff, toByteOffset: byte &+ 16, as: UInt32.self)
    }
    store(source + number, out)
    store(source + next + number, other)
    at &+= 1
  }
}

@inlinable @inline(__always)
func storePlanes(_ pairs: Pairs, _ weights: SignedLanes, _ out: UnsafeMutableRawPointer) {
  out.storeBytes(
    of: lerpLanes(evenBytes(pairs.first), evenBytes(pairs.second), weights), as: Lanes.self)
  out.storeBytes(
    of: lerpLanes(oddBytes(pairs.first), oddBytes(pairs.second), weights), toByteOffset: 16,
    as: Lanes.self)
}

/// `lerpRows` of two rows that `resampleRowsToPlanes` wrote.
///
/// - Parameter weight: Of `b`, 0 ... 127; at 0 `b` is not read.
@inlinable
public func lerpPlanes(
  _ a: UnsafePointer<UInt16>, _ b: UnsafePointer<UInt16>, weight: Int,
  _ destination: UnsafeMutablePointer<UInt32>, _ count: Int
) {
  let four = SignedLanes(repeating: Int16(truncatingIfNeeded: weight))
  let upper = UnsafeRawPointer(a)
  let lower = UnsafeRawPointer(weight == 0 ? a : b)
  var at = 0
  while at &+ 4 <= count {
    let even = lerpLanes(
      upper.loadUnaligned(fromByteOffset: at &* 8, as: Lanes.self),
      lower.loadUnaligned(fromByteOffset: at &* 8, as: Lanes.self), four)
    let odd = lerpLanes(
      upper.loadUnaligned(fromByteOffset: at &* 8 &+ 16, as: Lanes.self),
      lower.loadUnaligned(fromByteOffset: at &* 8 &+ 16, as: Lanes.self), four)
    store4(joined(even, odd), destination + at)
    at &+= 4
  }
  let group = at &* 8
  while at < count {
    let byte = group &+ (at & 3) &* 4
    func pixel(_ row: UnsafeRawPointer) -> UInt32 {
      row.loadUnaligned(fromByteOffset: byte, as: UInt32.self)
        | row.loadUnaligned(fromByteOffset: byte &+ 16, as: UInt32.self) &<< 8
    }
    destination[at] = lerp1(pixel(upper), pixel(lower), UInt32(truncatingIfNeeded: weight))
    at &+= 1
  }
}

/// Four pairs of neighbouring words, parted into first and second ones.
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

/// Two neighbouring words.
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
/// - Parameter weight: Of `b`, 0 ... 128.
@inlinable
public func lerpRows(
  _ a: UnsafePointer<UInt32>, _ b: UnsafePointer<UInt32>, weight: Int,
  _ destination: UnsafeMutablePointer<UInt32>, _ count: Int
) {
  guard weight > 0 else { return moveRow(a, destination, count) }
  guard weight < 128 else { return moveRow(b, destination, count) }
  let four = SignedLanes(repeating: Int16(truncatingIfNeeded: weight))
  var at = 0
  while at &+ 4 <= count {
    store4(lerp4(load4(a + at), load4(b + at), four), destination + at)
    at &+= 4
  }
  let one = UInt32(truncatingIfNeeded: weight)
  while at < count {
    destination[at] = lerp1(a[at], b[at], one)
    at &+= 1
  }
}

/// Copies a row unless it lies there already.
@inlinable @inline(__always)
func moveRow(
  _ source: UnsafePointer<UInt32>, _ destination: UnsafeMutablePointer<UInt32>, _ count: Int
) {
  if UnsafePointer(destination) != source { copyRow(source, destination, count) }
}

/// Halves two rows to one: every byte is the mean of its four, `(a + b + c + d + 2) >> 2`.
///
/// - Parameters:
///   - row0: The upper row, `2 * count` words.
///   - row1: The lower row, `2 * count` words.
///   - count: Pixels written.
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
