/// Widens one RGB565 pixel to an xrgb word by bit replication: 5 bits `q` become `q << 3 | q >> 2`,
/// 6 bits become `q << 2 | q >> 4`.
@inlinable @inline(__always)
public func expand565(_ value: UInt16) -> UInt32 {
  let v = UInt32(value)
  let red = (v &<< 8) & 0xf8_0000 | (v &<< 3) & 0x07_0000
  let green = (v &<< 5) & 0xfc00 | (v &>> 1) & 0x0300
  let blue = (v &<< 3) & 0xf8 | (v &>> 2) & 0x07
  return 0xff00_0000 | red | green | blue
}

/// Widens a row of RGB565 to xrgb words by bit replication.
@inlinable
public func expand565(
  _ source: UnsafePointer<UInt16>, _ destination: UnsafeMutablePointer<UInt32>, _ count: Int
) {
  // Pixel by pixel: the compiler makes better vectors of this than of lanes woven by hand.
  var at = 0
  while at < count {
    destination[at] = expand565(source[at])
    at &+= 1
  }
}

/// Packs a row of words to RGB565 with `RGB565Dither`'s pattern; alpha is ignored.
///
/// - Parameters:
///   - x: The first pixel's column in the pattern (in its tile, or in the world).
///   - y: The row in the pattern.
@inlinable
public func pack565(
  _ source: UnsafePointer<UInt32>, _ destination: UnsafeMutablePointer<UInt16>, _ count: Int,
  x: Int, y: Int
) {
  let offsets = SIMD4<UInt32>(
    RGB565Dither.offsets(x: x, y: y), RGB565Dither.offsets(x: x &+ 1, y: y),
    RGB565Dither.offsets(x: x &+ 2, y: y), RGB565Dither.offsets(x: x &+ 3, y: y))
  var at = 0
  while at &+ 8 <= count {
    let first = packedWords(words(load4(source + at)), offsets)
    let second = packedWords(words(load4(source + (at &+ 4))), offsets)
    let packed = Lanes(lowHalf: lanes(first).evenHalf, highHalf: lanes(second).evenHalf)
    UnsafeMutableRawPointer(destination + at).storeBytes(of: packed, as: Lanes.self)
    at &+= 8
  }
  while at < count {
    destination[at] = RGB565Dither.pack(source[at], offsets: offsets[at & 3])
    at &+= 1
  }
}

/// `RGB565Dither.pack` for four pixels, each in the low half of its word.
@inlinable @inline(__always)
func packedWords(_ pixels: SIMD4<UInt32>, _ offsets: SIMD4<UInt32>) -> SIMD4<UInt32> {
  typealias V = SIMD4<UInt32>
  let scaled =
    pixels &- ((pixels &>> V(repeating: 5)) & V(repeating: 0x0007_0007))
    &- ((pixels &>> V(repeating: 6)) & V(repeating: 0x0000_0300)) &+ offsets
  return ((scaled &>> V(repeating: 8)) & V(repeating: 0xf800))
    | ((scaled &>> V(repeating: 5)) & V(repeating: 0x07e0))
    | ((scaled &>> V(repeating: 3)) & V(repeating: 0x001f))
}
