import Drawing
import MapGeometry
import MapScene
import Pixels

#if canImport(Glibc)
  import Glibc
#endif

/// A label that was drawn: premultiplied argb with the anchor's place in it.
public final class LabelPicture {
  /// The picture, for sprites.
  public let image: SpriteImage
  /// Columns from the picture's left edge to the anchor; may lie outside.
  public let originX: Int
  /// Rows from the picture's upper edge to the anchor.
  public let originY: Int

  /// Creates a picture from its pixels and the anchor's place in it.
  public init(image: SpriteImage, originX: Int, originY: Int) {
    self.image = image
    self.originX = originX
    self.originY = originY
  }

  /// Its size in memory in bytes.
  public var bytes: Int { image.bytes + 128 }

  /// The pixels that it touches with its anchor at (x, y), turned by `angle`.
  public func rect(x: Int, y: Int, angle: Float = 0) -> PixelRect {
    if angle == 0 {
      return PixelRect(
        x: x &- originX, y: y &- originY, width: image.width, height: image.height)
    }
    let (c, s) = (cosf(angle), sinf(angle))
    let (cx, cy) = (
      Float(image.width) / 2 - Float(originX), Float(image.height) / 2 - Float(originY)
    )
    let (w, h) = (Float(image.width) / 2, Float(image.height) / 2)
    let (rx, ry) = (abs(w * c) + abs(h * s) + 1, abs(w * s) + abs(h * c) + 1)
    let (mx, my) = (cx * c - cy * s, cx * s + cy * c)
    let left = Int((mx - rx).rounded(.down))
    let top = Int((my - ry).rounded(.down))
    return PixelRect(
      x: x &+ left, y: y &+ top, width: Int((mx + rx).rounded(.up)) - left,
      height: Int((my + ry).rounded(.up)) - top)
  }

  /// Blends the picture over a canvas, without allocating memory.
  ///
  /// - Parameters:
  ///   - canvas: Premultiplied or opaque pixels.
  ///   - clip: The pixels of the canvas that may change; nil: all.
  ///   - x: The column of the anchor.
  ///   - y: The row of the anchor.
  ///   - angle: Clockwise, in radians.
  ///   - opacity: 0 ... 255.
  public func blend(
    on canvas: PixelCanvas, clip: PixelRect? = nil, x: Int, y: Int, angle: Float = 0,
    opacity: UInt8 = 255
  ) {
    let whole = PixelRect(x: 0, y: 0, width: canvas.width, height: canvas.height)
    let area = rect(x: x, y: y, angle: angle).intersection(whole).intersection(clip ?? whole)
    guard !area.isEmpty, opacity > 0, image.width > 0, image.height > 0 else { return }
    if angle == 0 {
      for row in area.y..<area.maxY {
        let from = image.pixels + (row - y + originY) * image.width + (area.x - x + originX)
        let to = canvas.pixels + row * canvas.stride + area.x
        for column in 0..<area.width {
          let source = from[column]
          if source == 0 { continue }
          to[column] = PixelMath.over(source, UInt32(opacity), to[column])
        }
      }
      return
    }
    turned(area, on: canvas, x: x, y: y, angle: angle, opacity: UInt32(opacity))
  }

  /// Columns that are looked at together for whether there is anything to sample. Text along a road
  /// leaves most of its picture empty.
  private static let chunk = 16

  /// Samples the picture backwards, in 1/65536 pixel.
  private func turned(
    _ area: PixelRect, on canvas: PixelCanvas, x: Int, y: Int, angle: Float, opacity: UInt32
  ) {
    let (c, s) = (cosf(angle), sinf(angle))
    let (stepX, stepY) = (Int((c * 65536).rounded()), Int((-s * 65536).rounded()))
    let fits = max(image.width, image.height) < 1 << 15
    func draw(_ samples: UnsafeMutableBufferPointer<UInt32>) {
      guard let samples = samples.baseAddress else { return }
      for row in area.y..<area.maxY {
        let dx = Float(area.x - x) + 0.5
        let dy = Float(row - y) + 0.5
        let u = Int((dx * c + dy * s + Float(originX) - 0.5) * 65536)
        let v = Int((dy * c - dx * s + Float(originY) - 0.5) * 65536)
        let to = canvas.pixels + row * canvas.stride + area.x
        // Most of a turned word's rectangle is empty: only the columns that meet it are looked at.
        var columns = 0..<area.width
        Self.narrow(&columns, u, stepX, -1, image.width)
        Self.narrow(&columns, v, stepY, -1, image.height)
        // Of these, the ones with four pixels of the picture around them.
        var inner = fits ? columns : columns.lowerBound..<columns.lowerBound
        Self.narrow(&inner, u, stepX, 0, image.width - 1)
        Self.narrow(&inner, v, stepY, 0, image.height - 1)
        edge(columns.lowerBound..<inner.lowerBound, u, v, stepX, stepY, to, opacity)
        var column = inner.lowerBound
        while column < inner.upperBound {
          let count = min(Self.chunk, inner.upperBound - column)
          let (firstU, firstV) = (u + stepX * column, v + stepY * column)
          let (lastU, lastV) = (firstU + stepX * (count - 1), firstV + stepY * (count - 1))
          if hasPixels(
            columns: min(firstU, lastU) >> 16...max(firstU, lastU) >> 16 + 1,
            rows: min(firstV, lastV) >> 16...max(firstV, lastV) >> 16 + 1)
          {
            rotateBlock(
              source: image.pixels, sourceStride: image.width, u: firstU, v: firstV, du: stepX,
              dv: stepY, destination: samples, destinationStride: Self.chunk, width: count,
              height: 1)
            blendOver(
              samples, into: to + column, count, opacity: Int(opacity + opacity >> 7))
          }
          column += count
        }
        edge(inner.upperBound..<columns.upperBound, u, v, stepX, stepY, to, opacity)
      }
    }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: Self.chunk) { draw($0) }
  }

  /// Samples columns of a row at the picture's edge, beyond which everything is transparent.
  private func edge(
    _ columns: Range<Int>, _ u: Int, _ v: Int, _ stepX: Int, _ stepY: Int,
    _ to: UnsafeMutablePointer<UInt32>, _ opacity: UInt32
  ) {
    for column in columns {
      let (u, v) = (u + stepX * column, v + stepY * column)
      let source = sample(u >> 16, v >> 16, UInt32(u >> 8 & 255), UInt32(v >> 8 & 255))
      if source != 0 { to[column] = PixelMath.over(source, opacity, to[column]) }
    }
  }

  /// Whether a part of the picture may have pixels that are not transparent.
  private func hasPixels(columns: ClosedRange<Int>, rows: ClosedRange<Int>) -> Bool {
    let (top, bottom) = (max(rows.lowerBound, 0), min(rows.upperBound, image.height - 1))
    guard top <= bottom else { return false }
    for row in top...bottom {
      let span = image.columns[row]
      if span.left < span.right, Int(span.left) <= columns.upperBound,
        Int(span.right) > columns.lowerBound
      {
        return true
      }
    }
    return false
  }

  /// Leaves the columns in which `start + column * step` is from `least` pixels to below `most`
  /// pixels, in 1/65536 pixel. If there are none, the range lies within the former one.
  private static func narrow(
    _ columns: inout Range<Int>, _ start: Int, _ step: Int, _ least: Int, _ most: Int
  ) {
    let (low, high) = (least << 16 - start, most << 16 - start)
    func floor(_ value: Int, _ by: Int) -> Int {
      value >= 0 ? value / by : -((-value + by - 1) / by)
    }
    var (from, to) = (columns.lowerBound, columns.upperBound)
    if step > 0 {
      from = max(from, floor(low - 1, step) + 1)
      to = min(to, floor(high - 1, step) + 1)
    } else if step < 0 {
      from = max(from, floor(-high, -step) + 1)
      to = min(to, floor(-low, -step) + 1)
    } else if low > 0 || high <= 0 {
      to = from
    }
    from = min(from, columns.upperBound)
    columns = from..<max(from, to)
  }

  @inline(__always)
  private func sample(_ left: Int, _ top: Int, _ fx: UInt32, _ fy: UInt32) -> UInt32 {
    let width = image.width
    let at = image.pixels + top * width + left
    let hasLeft = left >= 0
    let hasRight = left + 1 < width
    var (a, b, c, d): (UInt32, UInt32, UInt32, UInt32) = (0, 0, 0, 0)
    if top >= 0 {
      if hasLeft { a = at[0] }
      if hasRight { b = at[1] }
    }
    if top + 1 < image.height {
      if hasLeft { c = at[width] }
      if hasRight { d = at[width + 1] }
    }
    if a | b | c | d == 0 { return 0 }
    return PixelMath.mix(PixelMath.mix(a, b, fx), PixelMath.mix(c, d, fx), fy)
  }
}

/// Arithmetic on premultiplied pixels.
enum PixelMath {
  /// Both channels of `pair` times `factor` / 255, rounded.
  @inline(__always)
  static func times(_ pair: UInt32, _ factor: UInt32) -> UInt32 {
    let product = pair &* factor &+ 0x0080_0080
    return (product &+ (product &>> 8 & 0x00FF_00FF)) &>> 8 & 0x00FF_00FF
  }

  /// A pixel times `factor` / 255.
  @inline(__always)
  static func scaled(_ pixel: UInt32, _ factor: UInt32) -> UInt32 {
    times(pixel & 0x00FF_00FF, factor) | times(pixel &>> 8 & 0x00FF_00FF, factor) &<< 8
  }

  /// `source` times `opacity` / 255 over `under`.
  @inline(__always)
  static func over(_ source: UInt32, _ opacity: UInt32, _ under: UInt32) -> UInt32 {
    let top = opacity == 255 ? source : scaled(source, opacity)
    return top &+ scaled(under, 255 &- top &>> 24)
  }

  /// Between two pixels, `part` / 256 of the way.
  @inline(__always)
  static func mix(_ a: UInt32, _ b: UInt32, _ part: UInt32) -> UInt32 {
    let rest = 256 &- part
    let low = ((a & 0x00FF_00FF) &* rest &+ (b & 0x00FF_00FF) &* part) &>> 8 & 0x00FF_00FF
    let high =
      ((a &>> 8 & 0x00FF_00FF) &* rest &+ (b &>> 8 & 0x00FF_00FF) &* part) & 0xFF00_FF00
    return low | high
  }

  /// The premultiplied pixel of a colour `0xAARRGGBB` with a coverage of 0 ... 255.
  @inline(__always)
  static func premultiplied(_ color: UInt32, _ coverage: UInt32) -> UInt32 {
    let alpha = times(color &>> 24, coverage) & 0xFF
    return times(color & 0x00FF_00FF, alpha)
      | (times(color &>> 8 & 0xFF | 0x00FF_0000, alpha) &<< 8)
  }
}
