import Drawing
import MapGeometry
import MapScene
import Pixels

/// The picture of a plate, which is larger than the plate if that has a shadow.
public struct PlatePicture {
  /// The plate and its shadow.
  public var image: SpriteImage
  /// The column of the picture where the plate begins.
  public var insetX: Int
  /// The row of the picture where the plate begins.
  public var insetY: Int
  /// The plate's width in pixels.
  public var width: Int
  /// The plate's height in pixels.
  public var height: Int

  /// The sprite whose plate has its upper left corner at (x, y).
  ///
  /// - Parameters:
  ///   - x: The column in view pixels.
  ///   - y: The row in view pixels.
  /// - Returns: The sprite.
  public func sprite(x: Int, y: Int) -> Sprite {
    Sprite(image, x: x - insetX, y: y - insetY)
  }
}

extension SpritePainter {
  /// The shadow's distance below the plate and its blur, in points.
  private static let shadowDrop = 2.0
  private static let shadowBlur = 6.0

  /// Draws a plate with its border and shadow, and what is on it.
  ///
  /// - Parameters:
  ///   - width: The plate's width in pixels.
  ///   - height: The plate's height in pixels.
  ///   - style: The plate's colours; nil: those of the theme's plates.
  ///   - radius: The radius of its corners in points.
  ///   - draw: Draws on the plate. Pixel (0, 0) is the plate's corner.
  /// - Returns: The picture.
  public func plated(
    width: Int, height: Int, style: HudStyle.Plate? = nil, radius: Double = HudStyle.radius,
    draw: (PixelCanvas) -> Void
  ) -> PlatePicture {
    let side = theme.shadow == nil ? 0 : px(SpritePainter.shadowBlur)
    let top = max(0, side - px(SpritePainter.shadowDrop))
    let bottom = theme.shadow == nil ? 0 : side + px(SpritePainter.shadowDrop)
    let image = SpriteImage(width: width + 2 * side, height: height + top + bottom) {
      pixels, stride in
      if let shadow = theme.shadow {
        drop(
          shadow, PixelRect(x: side, y: top, width: width, height: height), radius: radius * unit,
          PixelCanvas(
            pixels, stride: stride, width: width + 2 * side, height: height + top + bottom))
      }
      let canvas = PixelCanvas(
        pixels + top * stride + side, stride: stride, width: width, height: height)
      plate(style ?? theme.plateStyle, radius: radius, on: canvas)
      draw(canvas)
    }
    return PlatePicture(
      image: image, insetX: side, insetY: top, width: width, height: height)
  }

  /// Draws the soft shadow of a plate on a transparent canvas.
  private func drop(_ color: UInt32, _ plate: PixelRect, radius: Double, _ canvas: PixelCanvas) {
    let blur = SpritePainter.shadowBlur * unit
    let halfWidth = Double(plate.width) / 2
    let halfHeight = Double(plate.height) / 2
    let round = min(radius, halfWidth, halfHeight)
    let centerX = Double(plate.x) + halfWidth
    let centerY = Double(plate.y) + halfHeight + SpritePainter.shadowDrop * unit
    let drop = SpritePainter.shadowDrop * unit
    let opacity = Double(color >> 24)
    // What lies under the middle of the plate is not seen.
    let inside = Int(round.rounded(.up)) + 1
    let hidden = (plate.x + inside)..<max(plate.x + inside, plate.maxX - inside)
    for y in 0..<canvas.height {
      let isMiddle = y >= plate.y + inside && y < plate.maxY - inside
      var x = 0
      while x < canvas.width {
        if isMiddle, x == hidden.lowerBound, !hidden.isEmpty { x = hidden.upperBound }
        let dx = max(abs(Double(x) + 0.5 - centerX) - halfWidth + round, 0)
        let dy = max(abs(Double(y) + 0.5 - centerY) - halfHeight + round, 0)
        let distance = (dx * dx + dy * dy).squareRoot() - round
        let t = min(max((blur - distance) / (2 * blur), 0), 1)
        let alpha = UInt32((opacity * t * t * (3 - 2 * t)).rounded())
        // Under the plate it would shine through.
        let ownY = max(abs(Double(y) + 0.5 - centerY + drop) - halfHeight + round, 0)
        if (dx * dx + ownY * ownY).squareRoot() - round < -1 {
          x += 1
          continue
        }
        // The colour is black, so premultiplied it is its alpha alone.
        canvas.pixels[y * canvas.stride + x] = alpha << 24
        x += 1
      }
    }
  }
}
