import Drawing
import MapGeometry
import MapScene
import Pixels

/// Draws the pictures of sprites (plates, text, icons) in the theme's colours.
public final class SpritePainter {
  private let makeText: () -> TextRenderer?
  /// The renderer of the HUD's font, created on first use; nil: there is no font.
  public var text: TextRenderer? {
    if !hasText {
      hasText = true
      renderer = makeText()
    }
    return renderer
  }
  private var renderer: TextRenderer?
  /// Whether the renderer was created since the fonts last changed.
  public private(set) var hasText = false
  private lazy var rasteriser = PathRasteriser()

  /// The theme's change to all colours. Pictures drawn earlier do not change.
  public var transform = ColorTransform.identity

  /// Creates a painter.
  ///
  /// - Parameter makeText: Creates the renderer of the HUD's font; called on first use.
  public init(makeText: @escaping () -> TextRenderer?) { self.makeText = makeText }

  /// Bytes of the cached glyphs.
  public var textBytes: Int { renderer?.bytes ?? 0 }

  /// Drops the renderer, because the fonts changed.
  public func forgetText() {
    renderer = nil
    hasText = false
    fontVersion += 1
  }

  /// A number that increases whenever the fonts change.
  public private(set) var fontVersion = 0

  /// Draws a picture.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - draw: Draws on the canvas, which starts transparent.
  /// - Returns: The picture in the theme's colours.
  public func image(width: Int, height: Int, draw: (PixelCanvas) -> Void) -> SpriteImage {
    SpriteImage(width: width, height: height) { pixels, stride in
      draw(PixelCanvas(pixels, stride: stride, width: width, height: height))
      transform.apply(to: pixels, count: width * height)
    }
  }

  /// Fills a path.
  ///
  /// - Parameters:
  ///   - path: The path in pixels.
  ///   - color: 0xAARRGGBB, not premultiplied.
  ///   - rule: Which parts of the path are inside.
  ///   - canvas: The picture.
  public func fill(
    _ path: Path, _ color: UInt32, rule: PathRasteriser.Rule = .nonZero, on canvas: PixelCanvas
  ) {
    rasteriser.fill(path, rule: rule, color: color, on: canvas)
  }

  /// Strokes a path.
  ///
  /// - Parameters:
  ///   - path: The path in pixels.
  ///   - width: The line's width in pixels.
  ///   - color: 0xAARRGGBB, not premultiplied.
  ///   - canvas: The picture.
  public func stroke(_ path: Path, width: Double, _ color: UInt32, on canvas: PixelCanvas) {
    rasteriser.stroke(path, width: width, color: color, on: canvas)
  }

  /// Draws a plate with round corners and a thin border over the whole canvas.
  ///
  /// - Parameters:
  ///   - style: The plate's colours.
  ///   - scale: Pixels per point.
  ///   - canvas: The picture.
  public func plate(_ style: HudStyle.Plate, scale: Int, on canvas: PixelCanvas) {
    plate(
      style, x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height), scale: scale,
      on: canvas)
  }

  /// Draws a plate with round corners and a thin border.
  ///
  /// - Parameters:
  ///   - style: The plate's colours.
  ///   - x: Its left edge in pixels.
  ///   - y: Its upper edge in pixels.
  ///   - width: Its width in pixels.
  ///   - height: Its height in pixels.
  ///   - scale: Pixels per point.
  ///   - canvas: The picture.
  public func plate(
    _ style: HudStyle.Plate, x: Double, y: Double, width: Double, height: Double, scale: Int,
    on canvas: PixelCanvas
  ) {
    let s = Double(scale)
    var path = Path()
    path.addRoundedRect(
      x + s, y + s, width - 2 * s, height - 2 * s, radius: (HudStyle.radius - 1) * s)
    fill(path, style.field, on: canvas)
    path.addRoundedRect(x, y, width, height, radius: HudStyle.radius * s)
    fill(path, style.border, rule: .evenOdd, on: canvas)
  }

  /// Draws a line of text.
  ///
  /// - Parameters:
  ///   - line: The text.
  ///   - size: The font's size in pixels.
  ///   - weight: Regular or bold.
  ///   - color: 0xAARRGGBB, not premultiplied.
  ///   - halo: The colour of the outline; nil: there is none.
  ///   - x: The left end in pixels.
  ///   - baseline: The row of the baseline in pixels.
  ///   - canvas: The picture.
  public func drawText(
    _ line: String, size: Int, weight: TextRenderer.Weight = .regular, color: UInt32,
    halo: UInt32? = nil, x: Int, baseline: Int, on canvas: PixelCanvas
  ) {
    text?.draw(
      line, size: size, weight: weight, color: color, halo: halo, into: canvas.pixels,
      stride: canvas.stride, width: canvas.width, height: canvas.height, at: x,
      baselineY: baseline)
  }

  /// The ascent and height of a line in pixels.
  ///
  /// - Parameters:
  ///   - size: The font's size in pixels.
  ///   - weight: Regular or bold.
  /// - Returns: Both in pixels.
  public func lineHeight(
    _ size: Int, weight: TextRenderer.Weight = .regular
  ) -> (ascent: Int, height: Int) {
    guard let m = text?.measure("", size: size, weight: weight) else { return (size, size) }
    return (m.ascent, m.ascent + m.descent)
  }

  /// The width of a line in pixels.
  ///
  /// - Parameters:
  ///   - line: The text.
  ///   - size: The font's size in pixels.
  ///   - weight: Regular or bold.
  /// - Returns: The width.
  public func width(_ line: String, size: Int, weight: TextRenderer.Weight = .regular) -> Int {
    text?.measure(line, size: size, weight: weight).width ?? 0
  }
}

/// The sizes, distances and colours of everything over the map. Lengths are in points.
public enum HudStyle {
  /// The size of text to be read at arm's length, in points.
  public static let body = 15
  /// The size of cards' titles, in points.
  public static let title = 20
  /// The size of the attribution, in points.
  public static let fine = 11
  /// The radius of a plate's corners, in points.
  public static let radius = 7.0
  /// The distance from the screen's edge to a plate, in points.
  public static let margin = 10
  /// The distance between plates, in points.
  public static let gap = 8

  /// The colours of a plate: 0xAARRGGBB, not premultiplied.
  public struct Plate: Sendable, Equatable {
    /// The background's colour.
    public var field: UInt32
    /// The border's colour.
    public var border: UInt32
    /// The text's colour.
    public var ink: UInt32
  }

  /// The colours of permanent plates.
  public static let light = Plate(field: 0xD8FF_FFFF, border: 0x4028_3238, ink: 0xFF1B_262C)
  /// The colours of temporary plates.
  public static let dark = Plate(field: 0xE01B_262C, border: 0x5000_0000, ink: 0xFFFF_FFFF)
  /// The colours of warnings.
  public static let alarm = Plate(field: 0xF07A_1616, border: 0x60FF_FFFF, ink: 0xFFFF_FFFF)

  /// The colour of the compass needle's northern half, 0xAARRGGBB.
  public static let north: UInt32 = 0xFFC6_2828
  /// The colour of the compass needle's southern half, 0xAARRGGBB.
  public static let south: UInt32 = 0xFF78_8A94
  /// The colour of the halo around text on the map, 0xAARRGGBB.
  public static let halo: UInt32 = 0xF0FF_FFFF
  /// The colour of labels on the map, 0xAARRGGBB.
  public static let label: UInt32 = 0xFF1B_262C
}
