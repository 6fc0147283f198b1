import Drawing
import MapGeometry
import MapScene

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
    let box = rect(x: x, y: y, angle: angle)
    image.blend(
      turn(angle),
      PixelRect(x: area.x - box.x, y: area.y - box.y, width: area.width, height: area.height),
      into: canvas.pixels + area.y * canvas.stride + area.x, stride: canvas.stride,
      opacity: Int(opacity) + Int(opacity >> 7))
  }

  private func turn(_ angle: Float) -> SpriteTurn {
    SpriteTurn(angle, over: rect(x: 0, y: 0, angle: angle), originX: originX, originY: originY)
  }

  /// The picture as a sprite with its anchor at (x, y).
  ///
  /// - Parameters:
  ///   - x: The column of the anchor.
  ///   - y: The row of the anchor.
  ///   - angle: Clockwise, in radians.
  ///   - opacity: 0 ... 255.
  /// - Returns: A sprite of the upright picture, which is turned where it is drawn.
  public func sprite(x: Int, y: Int, angle: Float = 0, opacity: UInt8 = 255) -> Sprite {
    let box = rect(x: x, y: y, angle: angle)
    var sprite = Sprite(image, x: box.x, y: box.y)
    sprite.opacity = Int(opacity) + Int(opacity >> 7)
    if angle != 0 { sprite.turn = turn(angle) }
    return sprite
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
