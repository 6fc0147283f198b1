// Blending into rows in cached memory. These kernels read their destination, so never give them
// scanout memory.
//
// Rounding is exact: `x / 255` is `(x + 128 + ((x + 128) >> 8)) >> 8`, the nearest whole number
// for every 0 ... 65025, and `x / 256` is `(x + 128) >> 8`.

import CPixels

/// Draws a row of premultiplied ARGB over an xrgb row in cached memory (Porter-Duff "over").
///
/// Each channel becomes `s + d * (255 - a) / 255`, where `s` and `a` are the source's channel and
/// alpha times `opacity / 256`; both divisions are rounded. A sum above 255, which only pixels that
/// are not premultiplied have, becomes 255. Eight pixels that are all clear are skipped. The
/// destination's alpha byte stays 255.
///
/// - Parameters:
///   - source: Premultiplied ARGB.
///   - destination: xrgb; read and written.
///   - count: The number of pixels.
///   - opacity: 0 (draws nothing) ... 256 (unchanged).
public func blendOver(
  _ source: UnsafePointer<UInt32>, into destination: UnsafeMutablePointer<UInt32>, _ count: Int,
  opacity: Int
) {
  guard opacity > 0, count > 0 else { return }
  waypost_blend_over(source, destination, count, UInt32(min(opacity, 256)))
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
public func blend(
  _ source: UnsafePointer<UInt32>, over under: UnsafePointer<UInt32>,
  to destination: UnsafeMutablePointer<UInt32>, _ count: Int, opacity: Int
) {
  guard count > 0 else { return }
  waypost_blend(source, under, destination, count, UInt32(min(max(opacity, 0), 256)))
}
