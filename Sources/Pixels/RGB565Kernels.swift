import CPixels

/// Widens one RGB565 pixel to xrgb by bit replication: 5 bits `q` become `q << 3 | q >> 2`, 6 bits
/// become `q << 2 | q >> 4`.
@inlinable @inline(__always)
public func expand565(_ value: UInt16) -> UInt32 {
  let v = UInt32(value)
  let red = (v &<< 8) & 0xf8_0000 | (v &<< 3) & 0x07_0000
  let green = (v &<< 5) & 0xfc00 | (v &>> 1) & 0x0300
  let blue = (v &<< 3) & 0xf8 | (v &>> 2) & 0x07
  return 0xff00_0000 | red | green | blue
}

/// Widens a row of `count` RGB565 pixels to xrgb by bit replication.
@inlinable
public func expand565(
  _ source: UnsafePointer<UInt16>, _ destination: UnsafeMutablePointer<UInt32>, _ count: Int
) {
  if count > 0 { waypost_expand565(source, destination, count) }
}

/// Packs a row of 32-bit pixels to RGB565 with `RGB565Dither`'s pattern; alpha is ignored. The
/// destination may begin where the source does.
///
/// - Parameters:
///   - source: `count` xrgb pixels.
///   - destination: `count` RGB565 pixels.
///   - count: The number of pixels.
///   - x: The first pixel's column in the pattern (in its tile, or in the world).
///   - y: The row in the pattern.
@inlinable
public func pack565(
  _ source: UnsafePointer<UInt32>, _ destination: UnsafeMutablePointer<UInt16>, _ count: Int,
  x: Int, y: Int
) {
  guard count > 0 else { return }
  withDitherOffsets(x: x, y: y) { waypost_pack565(source, destination, count, $0) }
}

/// The offsets of `RGB565Dither` for four pixels from (x, y) on.
@inlinable @inline(__always)
func withDitherOffsets(x: Int, y: Int, _ body: (UnsafePointer<UInt32>) -> Void) {
  let offsets = SIMD4<UInt32>(
    RGB565Dither.offsets(x: x, y: y), RGB565Dither.offsets(x: x &+ 1, y: y),
    RGB565Dither.offsets(x: x &+ 2, y: y), RGB565Dither.offsets(x: x &+ 3, y: y))
  withUnsafePointer(to: offsets) { four in
    four.withMemoryRebound(to: UInt32.self, capacity: 4) { body($0) }
  }
}
