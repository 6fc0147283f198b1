/// What draws runs of pixels that are covered alike.
protocol CoverageInk {
  /// Draws `count` pixels of a row, from `column`, with a coverage of 1 ... 255.
  mutating func run(_ row: Int, _ column: Int, count: Int, coverage: UInt32)
}

/// A colour on a canvas.
struct PaintInk: CoverageInk {
  /// `0xAARRGGBB`, not premultiplied.
  let color: UInt32
  let paint: Paint
  let pixels: UnsafeMutablePointer<UInt32>
  let stride: Int

  init(_ color: UInt32, on canvas: PixelCanvas) {
    self.color = color
    paint = Paint(color)
    pixels = canvas.pixels
    stride = canvas.stride
  }

  @inline(__always)
  func run(_ row: Int, _ column: Int, count: Int, coverage: UInt32) {
    paint.blend(pixels + (row &* stride &+ column), count: count, coverage: coverage)
  }
}

/// An ink whose edges are steeper: coverage c counts as 3c² − 2c³.
struct SmoothInk<Ink: CoverageInk>: CoverageInk {
  var ink: Ink

  @inline(__always)
  mutating func run(_ row: Int, _ column: Int, count: Int, coverage: UInt32) {
    let smooth = (coverage &* coverage &* (765 &- 2 &* coverage) &+ 32_512) / 65_025
    if smooth > 0 { ink.run(row, column, count: count, coverage: smooth) }
  }
}

/// An ink without half covered pixels.
struct HardInk<Ink: CoverageInk>: CoverageInk {
  var ink: Ink

  @inline(__always)
  mutating func run(_ row: Int, _ column: Int, count: Int, coverage: UInt32) {
    if coverage >= 128 { ink.run(row, column, count: count, coverage: 255) }
  }
}

/// A pattern on a canvas.
struct PatternInk: CoverageInk {
  let pattern: UnsafeBufferPointer<UInt32>
  let width: Int
  let height: Int
  /// The pattern's pixel at the canvas's upper left corner.
  let startX: Int
  let startY: Int
  /// 0 ... 255.
  let opacity: UInt32
  let canvas: PixelCanvas

  init(
    _ pattern: FillPattern, _ pixels: UnsafeBufferPointer<UInt32>, opacity: UInt32,
    on canvas: PixelCanvas
  ) {
    self.pattern = pixels
    self.opacity = opacity
    self.canvas = canvas
    width = pattern.width
    height = pattern.height
    startX = Self.remainder(pattern.originX, width)
    startY = Self.remainder(pattern.originY, height)
  }

  /// The remainder of −`origin` by `size`, 0 or more.
  private static func remainder(_ origin: Int, _ size: Int) -> Int {
    let rest = origin % size
    return rest > 0 ? size - rest : -rest
  }

  func run(_ row: Int, _ column: Int, count: Int, coverage: UInt32) {
    let pixels = canvas.pixels + row * canvas.stride + column
    let line = (startY + row) % height * width
    let factor = Paint.times(opacity, coverage) & 0xFF
    var x = (startX + column) % width
    for index in 0..<count {
      let source = pattern[line + x]
      x += 1
      if x == width { x = 0 }
      pixels[index] = Paint.over(pixels[index], Paint.faded(source, factor))
    }
  }
}

/// A colour prepared for blending.
struct Paint {
  /// The alpha of 0xAARRGGBB.
  let alpha: UInt32
  /// Red, green and blue, not premultiplied, and 255 for alpha; see `spread`.
  private let channels: UInt64
  /// The premultiplied pixel at full coverage.
  let word: UInt32

  init(_ color: UInt32) {
    alpha = color >> 24
    channels = Paint.spread(color | 0xFF00_0000)
    word = Paint.times(channels, alpha)
  }

  /// Both channels of `pair` times `factor` / 255, rounded.
  @inline(__always)
  static func times(_ pair: UInt32, _ factor: UInt32) -> UInt32 {
    let product = pair &* factor &+ 0x0080_0080
    return (product &+ (product &>> 8 & 0x00FF_00FF)) &>> 8 & 0x00FF_00FF
  }

  /// A pixel's four channels in 16 bits each.
  @inline(__always)
  static func spread(_ word: UInt32) -> UInt64 {
    UInt64(word & 0x00FF_00FF) | UInt64(word & 0xFF00_FF00) &<< 24
  }

  /// Four channels times `factor` / 255, rounded, as a pixel.
  @inline(__always)
  static func times(_ channels: UInt64, _ factor: UInt32) -> UInt32 {
    let product = channels &* UInt64(factor) &+ 0x0080_0080_0080_0080
    let high = (product &+ (product &>> 8 & 0x00FF_00FF_00FF_00FF)) &>> 8 & 0x00FF_00FF_00FF_00FF
    return UInt32(truncatingIfNeeded: high | high &>> 24)
  }

  /// All channels of a premultiplied pixel times `factor` / 255.
  @inline(__always)
  static func faded(_ word: UInt32, _ factor: UInt32) -> UInt32 {
    factor == 255
      ? word : times(word & 0x00FF_00FF, factor) | times(word &>> 8 & 0x00FF_00FF, factor) &<< 8
  }

  /// A premultiplied pixel over another one.
  @inline(__always)
  static func over(_ under: UInt32, _ source: UInt32) -> UInt32 {
    let rest = 255 &- source &>> 24
    return source
      &+ (times(under & 0x00FF_00FF, rest) | times(under &>> 8 & 0x00FF_00FF, rest) &<< 8)
  }

  /// Blends `count` pixels with a coverage of `coverage` / 255.
  @inline(__always)
  func blend(_ pixels: UnsafeMutablePointer<UInt32>, count: Int, coverage: UInt32) {
    let source =
      coverage == 255 ? word : Paint.times(channels, Paint.times(alpha, coverage) & 0xFF)
    let rest = 255 &- source &>> 24
    if count == 1 {
      pixels[0] = rest == 0 ? source : source &+ Paint.times(Paint.spread(pixels[0]), rest)
    } else if rest == 0 {
      pixels.update(repeating: source, count: count)
    } else {
      for index in 0..<count { pixels[index] = Paint.over(pixels[index], source) }
    }
  }
}
