import MapGeometry
import Pixels
import TileLoading

/// A tile that is stretched to a size on the grid that is not a power of two of its own: it was
/// painted for cells of another size, and stands in until the tile for the present size is there.
///
/// Sampled bilinearly; beyond the tile's edge its last pixels repeat.
struct ScaledTile {
  private let pixels: UnsafeRawPointer
  private let rowBytes: Int
  private let edge: Int
  private let isNarrow: Bool
  /// Tile pixels per grid pixel, in 32.32 fixed point.
  private let stepX, stepY: Int

  /// - Parameters:
  ///   - tile: The tile.
  ///   - scaling: Its size on the grid.
  init(_ tile: TileCache.Entry, to scaling: FramePlan.Scaling) {
    pixels = UnsafeRawPointer(tile.pixels)
    edge = Int(tile.edge)
    isNarrow = tile.format == .rgb565
    rowBytes = edge * tile.format.bytes
    stepX = (edge << 32) / max(1, scaling.width)
    stepY = (edge << 32) / max(1, scaling.height)
  }

  /// Draws `part` of the stretched tile.
  ///
  /// - Parameters:
  ///   - part: In grid pixels from the tile's upper left corner.
  ///   - out: The first pixel.
  ///   - stride: Pixels from row to row of `out`.
  ///   - blend: Whether to blend the tile over what `out` holds.
  ///   - row: Memory for one row.
  func draw(
    _ part: PixelRect, to out: UnsafeMutablePointer<UInt32>, stride: Int, blend: Bool,
    row: UnsafeMutablePointer<UInt32>
  ) {
    for j in 0..<part.height {
      let target = out + j * stride
      let (upper, lower, weight) = place(part.y + j, stepY)
      let first = pixels + upper * rowBytes
      let second = pixels + lower * rowBytes
      if isNarrow {
        sample(
          first.assumingMemoryBound(to: UInt16.self), second.assumingMemoryBound(to: UInt16.self),
          weight, part.x, part.width, blend ? row : target, widened)
      } else {
        sample(
          first.assumingMemoryBound(to: UInt32.self), second.assumingMemoryBound(to: UInt32.self),
          weight, part.x, part.width, blend ? row : target, unchanged)
      }
      if blend { blendOver(row, into: target, part.width, opacity: 256) }
    }
  }

  /// The two neighbours of the centre of grid pixel `at`, and the second one's weight, 0 ... 128.
  @inline(__always)
  private func place(_ at: Int, _ step: Int) -> (first: Int, second: Int, weight: UInt32) {
    let last = edge - 1
    let sample = (2 &* at &+ 1) &* step / 2 &- 1 << 31
    if sample <= 0 { return (0, 0, 0) }
    let whole = sample >> 32
    if whole >= last { return (last, last, 0) }
    return (whole, whole + 1, UInt32((sample & 0xFFFF_FFFF) >> 25))
  }

  @inline(__always)
  private func sample<Pixel>(
    _ upper: UnsafePointer<Pixel>, _ lower: UnsafePointer<Pixel>, _ weight: UInt32, _ x: Int,
    _ count: Int, _ out: UnsafeMutablePointer<UInt32>, _ word: (Pixel) -> UInt32
  ) {
    for i in 0..<count {
      let (left, right, across) = place(x + i, stepX)
      let top = mix(word(upper[left]), word(upper[right]), across)
      let bottom = mix(word(lower[left]), word(lower[right]), across)
      out[i] = mix(top, bottom, weight)
    }
  }

  /// `a` and `b` mixed with the weight of `b`, 0 ... 128, rounded to the nearest.
  @inline(__always)
  private func mix(_ a: UInt32, _ b: UInt32, _ weight: UInt32) -> UInt32 {
    let even = (a & 0xFF_00FF) &* (128 &- weight) &+ (b & 0xFF_00FF) &* weight &+ 0x40_0040
    let odd =
      (a >> 8 & 0xFF_00FF) &* (128 &- weight) &+ (b >> 8 & 0xFF_00FF) &* weight
      &+ 0x40_0040
    return (even >> 7 & 0xFF_00FF) | (odd >> 7 & 0xFF_00FF) << 8
  }

  @inline(__always)
  private func unchanged(_ word: UInt32) -> UInt32 { word }

  @inline(__always)
  private func widened(_ half: UInt16) -> UInt32 {
    let (r, g, b) = (UInt32(half >> 11), UInt32(half >> 5 & 63), UInt32(half & 31))
    return 0xFF00_0000 | (r << 3 | r >> 2) << 16 | (g << 2 | g >> 4) << 8 | (b << 3 | b >> 2)
  }
}
