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

  /// The colours of new pictures. Pictures drawn earlier do not change.
  public var theme = PictureTheme.day {
    didSet { if (theme.kind == .red) != (oldValue.kind == .red) { ground = nil } }
  }
  /// Whether the map is dark. By day it may be, as with aerial pictures; text on it is then light.
  /// In the red theme it is, unless it shows pictures of something bright.
  public var isGroundDark: Bool {
    get { ground ?? (theme.kind == .red) }
    set { ground = newValue }
  }
  /// What was chosen; nil: nothing yet.
  private var ground: Bool?
  /// The colours of words on the map and of their halo: 0xAARRGGBB, not premultiplied.
  var wordsOnMap: (ink: UInt32, halo: UInt32) { words(onDark: isGroundDark) }

  /// The same for words over a dark part of the map, or a light one. By night words are light.
  func words(onDark: Bool) -> (ink: UInt32, halo: UInt32) {
    theme.words(naming: nil, onDark: onDark)
  }

  /// The halo of words in a colour that someone chose: the one from which it differs most.
  func halo(around ink: UInt32) -> UInt32 {
    guard theme.kind == .day else { return theme.halo }
    let (light, dark) = (PictureTheme.day.halo, PictureTheme.night.halo)
    return InkContrast.between(ink, light) >= InkContrast.between(ink, dark) ? light : dark
  }
  /// Pixels per point of everything over the map: the display's scale times the size of the HUD.
  /// Pictures drawn earlier do not change.
  public var unit = 1.0
  /// The least pixels per point for what must not take the map's room: those of the display.
  public var leastUnit = 1.0

  /// A length in whole pixels.
  ///
  /// - Parameter points: The length in points.
  /// - Returns: The nearest number of pixels.
  public func px(_ points: Double) -> Int { Int((points * unit).rounded()) }

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

  /// Calls `body` with another unit.
  ///
  /// - Parameters:
  ///   - other: Pixels per point meanwhile.
  ///   - body: What is drawn or measured.
  /// - Returns: What `body` returns.
  func with<Result>(unit other: Double, _ body: () -> Result) -> Result {
    let own = unit
    unit = other
    defer { unit = own }
    return body()
  }

  /// Draws a picture.
  ///
  /// - Parameters:
  ///   - width: The width in pixels.
  ///   - height: The height in pixels.
  ///   - draw: Draws on the canvas, which starts transparent.
  /// - Returns: The picture.
  public func image(width: Int, height: Int, draw: (PixelCanvas) -> Void) -> SpriteImage {
    SpriteImage(width: width, height: height) { pixels, stride in
      draw(PixelCanvas(pixels, stride: stride, width: width, height: height))
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
  ///   - radius: The radius of its corners in points.
  ///   - canvas: The picture.
  public func plate(
    _ style: HudStyle.Plate, radius: Double = HudStyle.radius, on canvas: PixelCanvas
  ) {
    plate(
      style, x: 0, y: 0, width: Double(canvas.width), height: Double(canvas.height),
      radius: radius, on: canvas)
  }

  /// Draws a plate with round corners and a thin border.
  ///
  /// - Parameters:
  ///   - style: The plate's colours.
  ///   - x: Its left edge in pixels.
  ///   - y: Its upper edge in pixels.
  ///   - width: Its width in pixels.
  ///   - height: Its height in pixels.
  ///   - radius: The radius of its corners in points.
  ///   - canvas: The picture.
  public func plate(
    _ style: HudStyle.Plate, x: Double, y: Double, width: Double, height: Double,
    radius: Double = HudStyle.radius, on canvas: PixelCanvas
  ) {
    let s = unit
    let round = min(radius * s, width / 2, height / 2)
    var path = Path()
    path.addRoundedRect(x, y, width, height, radius: round)
    fill(path, style.field, on: canvas)
    path.addRoundedRect(x + s, y + s, width - 2 * s, height - 2 * s, radius: max(0, round - s))
    fill(path, style.border, rule: .evenOdd, on: canvas)
  }

  /// Draws lines of text below each other. Those of a paragraph that is written from right to left
  /// end at the right edge.
  ///
  /// - Parameters:
  ///   - lines: The lines.
  ///   - size: The font's size in points.
  ///   - weight: Regular or bold.
  ///   - color: 0xAARRGGBB, not premultiplied.
  ///   - x: The left edge in pixels.
  ///   - y: The top of the first line in pixels.
  ///   - width: The width from edge to edge in pixels.
  ///   - isCentered: Whether lines are centred between the edges.
  ///   - isRight: Whether lines end at the right edge; nil: those that are read from there.
  ///   - canvas: The picture.
  /// - Returns: The row below the last line.
  @discardableResult
  public func drawLines(
    _ lines: [String], size: Double, weight: TextRenderer.Weight = .regular, color: UInt32,
    x: Int, y: Int, width: Int, isCentered: Bool = false, isRight: Bool? = nil,
    on canvas: PixelCanvas
  ) -> Int {
    let line = self.line(size, weight: weight)
    var top = y
    for text in lines {
      let room = width - self.width(text, size: px(size), weight: weight)
      let isRight = isRight ?? (TextDirection(of: text) == .rightToLeft)
      let indent = isCentered ? room / 2 : isRight ? max(0, room) : 0
      drawText(
        text, size: px(size), weight: weight, color: color, x: x + indent,
        baseline: top + line.baseline, on: canvas)
      top += line.height
    }
    return top
  }

  /// The baseline and the height of a line of text.
  ///
  /// - Parameters:
  ///   - size: The font's size in points.
  ///   - weight: Regular or bold.
  /// - Returns: Both in pixels from the line's top.
  public func line(
    _ size: Double, weight: TextRenderer.Weight = .regular
  ) -> (baseline: Int, height: Int) {
    let own = lineHeight(px(size), weight: weight)
    let height = px(HudStyle.line(size))
    return ((height - own.height) / 2 + own.ascent, height)
  }

  /// Draws a line of text.
  ///
  /// - Parameters:
  ///   - line: The text.
  ///   - size: The font's size in pixels.
  ///   - weight: Regular or bold.
  ///   - color: 0xAARRGGBB, not premultiplied.
  ///   - halo: The colour of the outline, which is as wide as `haloWidth`; nil: there is none.
  ///   - x: The left end in pixels.
  ///   - baseline: The row of the baseline in pixels.
  ///   - canvas: The picture.
  public func drawText(
    _ line: String, size: Int, weight: TextRenderer.Weight = .regular, color: UInt32,
    halo: UInt32? = nil, x: Int, baseline: Int, on canvas: PixelCanvas
  ) {
    text?.draw(
      line, size: size, weight: weight, color: color, halo: halo, haloWidth: haloWidth,
      into: canvas.pixels, stride: canvas.stride, width: canvas.width, height: canvas.height, at: x,
      baselineY: baseline)
  }

  /// The width of the halo around words on the map, in pixels.
  var haloWidth: Double { HudStyle.halo * unit }

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
