import Drawing
import MapGeometry
import MapScene
import Pixels

/// Draws the pictures of sprites: plates, words, icons, in the theme's colours.
///
/// Sizes are given in points; a picture's pixels are `scale` times as many.
public final class SpritePainter {
  private let makeText: () -> TextRenderer?
  /// The renderer of the HUD's font; made when the first word is drawn.
  public var text: TextRenderer? {
    if !hasText {
      hasText = true
      renderer = makeText()
    }
    return renderer
  }
  private var renderer: TextRenderer?
  /// Whether a word was drawn.
  public private(set) var hasText = false
  private lazy var rasteriser = PathRasteriser()

  /// What the theme does to all colours. Pictures that were made before keep theirs.
  public var transform = ColorTransform.identity

  /// - Parameter makeText: gives the renderer of the HUD's font; called when the first word is drawn.
  public init(makeText: @escaping () -> TextRenderer?) { self.makeText = makeText }

  /// Bytes of the letters that are kept.
  public var textBytes: Int { renderer?.bytes ?? 0 }

  /// Has the renderer made anew: the fonts are others.
  public func forgetText() {
    renderer = nil
    hasText = false
    fontVersion += 1
  }

  /// Counts how often the fonts changed.
  public private(set) var fontVersion = 0

  /// A picture of so many pixels, transparent where `draw` leaves it.
  public func image(width: Int, height: Int, draw: (PixelCanvas) -> Void) -> SpriteImage {
    SpriteImage(width: width, height: height) { pixels, stride in
      draw(PixelCanvas(pixels, stride: stride, width: width, height: height))
      transform.apply(to: pixels, count: width * height)
    }
  }

  /// - Parameter color: 0xAARRGGBB, not premultiplied.
  public func fill(
    _ path: Path, _ color: UInt32, rule: PathRasteriser.Rule = .nonZero, on canvas: PixelCanvas
  ) {
    rasteriser.fill(path, rule: rule, color: color, on: canvas)
  }

  public func stroke(_ path: Path, width: Double, _ color: UInt32, on canvas: PixelCanvas) {
    rasteriser.stroke(path, width: width, color: color, on: canvas)
  }

  /// A field with round corners and a fine border, as large as the canvas.
  public func plate(_ style: HudStyle.Plate, scale: Int, on canvas: PixelCanvas) {
    plate(
      style, x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height), scale: scale,
      on: canvas)
  }

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

  /// A line of words with its baseline at `baseline`, `x` and `baseline` in pixels.
  public func words(
    _ line: String, size: Int, weight: TextRenderer.Weight = .regular, color: UInt32,
    halo: UInt32? = nil, x: Int, baseline: Int, on canvas: PixelCanvas
  ) {
    text?.draw(
      line, size: size, weight: weight, color: color, halo: halo, into: canvas.pixels,
      stride: canvas.stride, width: canvas.width, height: canvas.height, at: x,
      baselineY: baseline)
  }

  /// A line's ascent and height in pixels.
  public func lineHeight(
    _ size: Int, weight: TextRenderer.Weight = .regular
  ) -> (ascent: Int, height: Int) {
    guard let m = text?.measure("", size: size, weight: weight) else { return (size, size) }
    return (m.ascent, m.ascent + m.descent)
  }

  /// How wide a line is in pixels.
  public func width(_ line: String, size: Int, weight: TextRenderer.Weight = .regular) -> Int {
    text?.measure(line, size: size, weight: weight).width ?? 0
  }
}

/// The look of what lies over the map: a few sizes, distances and colours, the same everywhere.
/// Lengths are points.
public enum HudStyle {
  /// Words that are to be read at arm's length.
  public static let body = 15
  public static let title = 20
  /// Whose data it is: there to be found.
  public static let fine = 11
  public static let radius = 7.0
  /// From the screen's edge to a plate.
  public static let margin = 10
  /// Between plates.
  public static let gap = 8

  /// The colours of a plate: 0xAARRGGBB, not premultiplied.
  public struct Plate: Sendable, Equatable {
    public var field: UInt32
    public var border: UInt32
    public var ink: UInt32
  }

  /// What is always there.
  public static let light = Plate(field: 0xD8FF_FFFF, border: 0x4028_3238, ink: 0xFF1B_262C)
  /// What comes and goes.
  public static let dark = Plate(field: 0xE01B_262C, border: 0x5000_0000, ink: 0xFFFF_FFFF)
  /// What is wrong.
  public static let alarm = Plate(field: 0xF07A_1616, border: 0x60FF_FFFF, ink: 0xFFFF_FFFF)

  public static let north: UInt32 = 0xFFC6_2828
  public static let south: UInt32 = 0xFF78_8A94
  /// Round letters on the map.
  public static let halo: UInt32 = 0xF0FF_FFFF
  public static let label: UInt32 = 0xFF1B_262C
}
