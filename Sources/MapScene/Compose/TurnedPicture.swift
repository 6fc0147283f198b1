import MapGeometry
import Pixels

/// Samples a turned picture where it is blended, so that a label that turns with the map needs no
/// picture of its own in each frame.
///
/// A pixel's value does not depend on the part that is drawn. Points into a picture, and is valid
/// while that is kept.
struct TurnedPicture {
  let pixels: UnsafePointer<UInt32>
  let columns: UnsafePointer<SpriteImage.Columns>
  let width: Int
  let height: Int
  let turn: SpriteTurn
  /// How many screen columns 1/65536 pixel of the picture spans, counted along its columns (`perX`)
  /// and its rows (`perY`); 0: none.
  private let perX: Double
  private let perY: Double

  /// The number of columns that are checked together for anything to sample. Text along a road
  /// leaves most of its picture empty.
  private static let chunk = 16

  init(_ image: SpriteImage, _ turn: SpriteTurn) {
    pixels = UnsafePointer(image.pixels)
    columns = UnsafePointer(image.columns)
    (width, height) = (image.width, image.height)
    self.turn = turn
    perX = turn.stepX == 0 ? 0 : 1 / Double(turn.stepX)
    perY = turn.stepY == 0 ? 0 : 1 / Double(turn.stepY)
  }

  /// Blends a part of the turned picture.
  ///
  /// - Parameters:
  ///   - part: The part, from the upper left corner of what the turned picture covers.
  ///   - words: The first pixel of the part, premultiplied or opaque.
  ///   - stride: Pixels from row to row.
  ///   - opacity: 0 ... 256.
  func blend(
    _ part: PixelRect, into words: UnsafeMutablePointer<UInt32>, stride: Int, opacity: Int
  ) {
    guard width > 0, height > 0, opacity > 0, !part.isEmpty else { return }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.chunk) { samples in
      guard let samples = samples.baseAddress else { return }
      for row in 0..<part.height {
        blend(
          part.y + row, part.x..<part.maxX, to: words + row * stride, samples, opacity)
      }
    }
  }

  /// Blends columns of a row; `to` is the pixel of the first of them.
  @inline(__always)
  private func blend(
    _ row: Int, _ range: Range<Int>, to: UnsafeMutablePointer<UInt32>,
    _ samples: UnsafeMutablePointer<UInt32>, _ opacity: Int
  ) {
    let u = turn.u &- turn.stepY &* row
    let v = turn.v &+ turn.stepX &* row
    // Most of a turned word's rectangle is empty: only the columns that meet it are looked at.
    var some = range
    Self.narrow(&some, u, turn.stepX, perX, -1, width, by: -1)
    Self.narrow(&some, v, turn.stepY, perY, -1, height, by: -1)
    if some.isEmpty { return }
    // Of these, the ones with four pixels of the picture around them.
    var inner = some
    if max(width, height) >= 1 << 15 { inner = some.lowerBound..<some.lowerBound }
    Self.narrow(&inner, u, turn.stepX, perX, 0, width - 1, by: 1)
    Self.narrow(&inner, v, turn.stepY, perY, 0, height - 1, by: 1)
    blendEdge(some.lowerBound..<inner.lowerBound, u, v, range.lowerBound, to, samples, opacity)
    var column = inner.lowerBound
    while column < inner.upperBound {
      let count = min(Self.chunk, inner.upperBound &- column)
      let (firstU, firstV) = (u &+ turn.stepX &* column, v &+ turn.stepY &* column)
      let (lastU, lastV) = (
        firstU &+ turn.stepX &* (count &- 1), firstV &+ turn.stepY &* (count &- 1)
      )
      if hasPixels(
        min(firstU, lastU) >> 16, max(firstU, lastU) >> 16 &+ 1, min(firstV, lastV) >> 16,
        max(firstV, lastV) >> 16 &+ 1)
      {
        rotateBlock(
          source: pixels, sourceStride: width, u: firstU, v: firstV, du: turn.stepX,
          dv: turn.stepY, destination: samples, destinationStride: Self.chunk, width: count,
          height: 1)
        blendOver(samples, into: to + (column - range.lowerBound), count, opacity: opacity)
      }
      column += count
    }
    blendEdge(inner.upperBound..<some.upperBound, u, v, range.lowerBound, to, samples, opacity)
  }

  /// Blends columns of a row at the picture's edge, beyond which everything is transparent. `to` is
  /// the pixel of column `first`.
  private func blendEdge(
    _ columns: Range<Int>, _ u: Int, _ v: Int, _ first: Int, _ to: UnsafeMutablePointer<UInt32>,
    _ samples: UnsafeMutablePointer<UInt32>, _ opacity: Int
  ) {
    var column = columns.lowerBound
    while column < columns.upperBound {
      let count = min(Self.chunk, columns.upperBound &- column)
      var any: UInt32 = 0
      for n in 0..<count {
        let (u, v) = (u &+ turn.stepX &* (column &+ n), v &+ turn.stepY &* (column &+ n))
        let value = sample(u >> 16, v >> 16, UInt32(u >> 8 & 255), UInt32(v >> 8 & 255))
        samples[n] = value
        any |= value
      }
      if any != 0 { blendOver(samples, into: to + (column - first), count, opacity: opacity) }
      column += count
    }
  }

  /// Whether these columns and rows of the picture may contain visible pixels. Some of them may lie
  /// outside the picture.
  @inline(__always)
  private func hasPixels(_ left: Int, _ right: Int, _ top: Int, _ bottom: Int) -> Bool {
    var row = max(top, 0)
    let end = min(bottom, height - 1)
    while row <= end {
      let span = columns[row]
      if span.left < span.right, Int(span.left) <= right, Int(span.right) > left { return true }
      row &+= 1
    }
    return false
  }

  /// Keeps the columns in which `start + column * step`, in 1/65536 pixel, is at least `least`
  /// pixels and below `most` pixels. With `by` -1 there may be one column too many at each end,
  /// with 1 up to two too few. Whether a column stays does not depend on the range. If none stays,
  /// the empty result lies within the previous range.
  @inline(__always)
  private static func narrow(
    _ columns: inout Range<Int>, _ start: Int, _ step: Int, _ per: Double, _ least: Int,
    _ most: Int, by: Int
  ) {
    let (low, high) = (least << 16 &- start, most << 16 &- start)
    if step == 0 {
      if low > 0 || high <= 0 { columns = columns.lowerBound..<columns.lowerBound }
      return
    }
    // Cut towards 0, which is less than a column; the margin is wider than that.
    let (a, b) = (Int(Double(low) * per), Int(Double(high) * per))
    let first = min(a, b) &+ 1 &+ by
    let end = max(a, b) &- by
    let left = min(max(first, columns.lowerBound), columns.upperBound)
    columns = left..<min(max(end, left), columns.upperBound)
  }

  /// The picture between four pixels, of which some may lie outside.
  @inline(__always)
  private func sample(_ left: Int, _ top: Int, _ fx: UInt32, _ fy: UInt32) -> UInt32 {
    let hasLeft = left >= 0 && left < width
    let hasRight = left >= -1 && left + 1 < width
    var (a, b, c, d): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    if top >= 0, top < height {
      let at = pixels + top * width + left
      if hasLeft { a = at[0] }
      if hasRight { b = at[1] }
    }
    if top >= -1, top + 1 < height {
      let at = pixels + (top + 1) * width + left
      if hasLeft { c = at[0] }
      if hasRight { d = at[1] }
    }
    if a | b | c | d == 0 { return 0 }
    return Self.mix(Self.mix(a, b, fx), Self.mix(c, d, fx), fy)
  }

  /// Between two premultiplied pixels, `part` / 256 of the way.
  @inline(__always)
  private static func mix(_ a: UInt32, _ b: UInt32, _ part: UInt32) -> UInt32 {
    let rest = 256 &- part
    let low = ((a & 0x00FF_00FF) &* rest &+ (b & 0x00FF_00FF) &* part) &>> 8 & 0x00FF_00FF
    let high =
      ((a &>> 8 & 0x00FF_00FF) &* rest &+ (b &>> 8 & 0x00FF_00FF) &* part) & 0xFF00_FF00
    return low | high
  }
}

extension SpriteImage {
  /// Blends the picture over other pixels while turning it, with the pixels that a sprite with this
  /// turn has on the screen.
  ///
  /// - Parameters:
  ///   - turn: The turn, made for this picture.
  ///   - part: The part to draw, from the upper left corner of what the turned picture covers.
  ///   - words: The first pixel of the part, premultiplied or opaque.
  ///   - stride: Pixels from row to row.
  ///   - opacity: 0 (nothing) ... 256 (as the picture says).
  public func blend(
    _ turn: SpriteTurn, _ part: PixelRect, into words: UnsafeMutablePointer<UInt32>, stride: Int,
    opacity: Int = 256
  ) {
    withExtendedLifetime(self) {
      TurnedPicture(self, turn).blend(part, into: words, stride: stride, opacity: opacity)
    }
  }
}
