// Blending into rows in cached memory. These kernels read their destination, so never give them
// scanout memory.
//
// Rounding is exact: `x / 255` is `(x + 128 + ((x + 128) >> 8)) >> 8`, the nearest whole number
// for every 0 ... 65025, and `x / 256` is `(x + 128) >> 8`.

/// `x / 255`, rounded, for every lane of 0 ... 65025.
@inlinable @inline(__always)
func dividedBy255(_ x: Lanes) -> Lanes {
  let biased = x &+ Lanes(repeating: 128)
  return (biased &+ (biased &>> Lanes(repeating: 8))) &>> Lanes(repeating: 8)
}

/// Every pixel's alpha in both of its 16-bit lanes.
@inlinable @inline(__always)
func alphas(_ pixels: Lanes) -> Lanes {
  let alpha = words(pixels) &>> SIMD4(repeating: 24)
  return lanes(alpha | (alpha &<< SIMD4(repeating: 16)))
}

/// `source + destination * (255 - alpha) / 255` for four premultiplied pixels. A sum above 255,
/// which only pixels that are not premultiplied have, becomes 255.
@inlinable @inline(__always)
func over4(_ source: Lanes, _ destination: Lanes) -> Lanes {
  let rest = Lanes(repeating: 255) &- alphas(source)
  let even = evenBytes(source) &+ dividedBy255(evenBytes(destination) &* rest)
  let odd = oddBytes(source) &+ dividedBy255(oddBytes(destination) &* rest)
  let limit = SignedLanes(repeating: 255)
  return joined(
    unsigned(pointwiseMin(signed(even), limit)), unsigned(pointwiseMin(signed(odd), limit)))
}

/// Every byte times `opacity / 256`, rounded; `opacity` is 0 ... 256 in every lane.
@inlinable @inline(__always)
func faded4(_ pixels: Lanes, _ opacity: Lanes) -> Lanes {
  let half = Lanes(repeating: 128)
  let even = (evenBytes(pixels) &* opacity &+ half) &>> Lanes(repeating: 8)
  let odd = (oddBytes(pixels) &* opacity &+ half) & Lanes(repeating: 0xff00)
  return even | odd
}

/// Up to three pixels in the first lanes; the others are zero.
@inlinable @inline(__always)
func loadFewer(_ source: UnsafePointer<UInt32>, _ count: Int) -> Lanes {
  lanes(
    SIMD4(
      source[0], count > 1 ? source[1] : 0, count > 2 ? source[2] : 0, 0))
}

@inlinable @inline(__always)
func storeFewer(_ pixels: Lanes, _ destination: UnsafeMutablePointer<UInt32>, _ count: Int) {
  let four = words(pixels)
  destination[0] = four[0]
  if count > 1 { destination[1] = four[1] }
  if count > 2 { destination[2] = four[2] }
}

/// Draws a row of premultiplied ARGB over an xrgb row in cached memory (Porter-Duff "over").
///
/// Each channel becomes `s + d * (255 - a) / 255`, where `s` and `a` are the source's channel and
/// alpha times `opacity / 256`; both divisions are rounded. Four pixels that are all clear are
/// skipped, four that are all opaque are copied (at full opacity). The destination's alpha byte
/// stays 255.
///
/// - Parameters:
///   - source: Premultiplied ARGB.
///   - destination: xrgb; read and written.
///   - count: The number of pixels.
///   - opacity: 0 (draws nothing) ... 256 (unchanged).
@inlinable
public func blendOver(
  _ source: UnsafePointer<UInt32>, into destination: UnsafeMutablePointer<UInt32>, _ count: Int,
  opacity: Int
) {
  guard opacity > 0 else { return }
  let full = opacity >= 256
  let fade = Lanes(repeating: UInt16(truncatingIfNeeded: min(opacity, 256)))
  let opaque = SIMD2<UInt64>(repeating: 0xff00_0000_ff00_0000)
  var at = 0
  while at &+ 4 <= count {
    let pixels = load4(source + at)
    let pairs = unsafeBitCast(pixels, to: SIMD2<UInt64>.self)
    let any = pairs[0] | pairs[1]
    if any == 0 {
      at &+= 4
      continue
    }
    if full {
      if pairs[0] & pairs[1] & opaque[0] == opaque[0] {
        store4(pixels, destination + at)
      } else {
        store4(over4(pixels, load4(UnsafePointer(destination) + at)), destination + at)
      }
    } else {
      let faded = faded4(pixels, fade)
      store4(over4(faded, load4(UnsafePointer(destination) + at)), destination + at)
    }
    at &+= 4
  }
  guard at < count else { return }
  var pixels = loadFewer(source + at, count &- at)
  if !full { pixels = faded4(pixels, fade) }
  let under = loadFewer(UnsafePointer(destination) + at, count &- at)
  storeFewer(over4(pixels, under), destination + at, count &- at)
}

/// Blends a row of premultiplied ARGB over an xrgb row, like `blendOver`, but writes the result to
/// a third row, which is not read. It may be in scanout memory, or be `under` itself.
///
/// - Parameters:
///   - source: Premultiplied ARGB.
///   - under: xrgb; read only.
///   - destination: xrgb; written only.
///   - count: The number of pixels.
///   - opacity: 0 (copies `under`) ... 256 (unchanged).
@inlinable
public func blend(
  _ source: UnsafePointer<UInt32>, over under: UnsafePointer<UInt32>,
  to destination: UnsafeMutablePointer<UInt32>, _ count: Int, opacity: Int
) {
  let full = opacity >= 256
  let fade = Lanes(repeating: UInt16(truncatingIfNeeded: max(0, min(opacity, 256))))
  let opaque: UInt64 = 0xff00_0000_ff00_0000
  var at = 0
  while at &+ 4 <= count {
    let pixels = load4(source + at)
    let pairs = unsafeBitCast(pixels, to: SIMD2<UInt64>.self)
    if pairs[0] | pairs[1] == 0 {
      store4(load4(under + at), destination + at)
    } else if full, pairs[0] & pairs[1] & opaque == opaque {
      store4(pixels, destination + at)
    } else {
      store4(over4(full ? pixels : faded4(pixels, fade), load4(under + at)), destination + at)
    }
    at &+= 4
  }
  guard at < count else { return }
  var pixels = loadFewer(source + at, count &- at)
  if !full { pixels = faded4(pixels, fade) }
  let below = loadFewer(under + at, count &- at)
  storeFewer(over4(pixels, below), destination + at, count &- at)
}
