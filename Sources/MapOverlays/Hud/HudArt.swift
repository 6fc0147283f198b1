import Drawing
import Glibc
import MapGeometry
import MapScene
import Pixels

/// Draws the pictures of the HUD's parts.
struct HudArt {
  let painter: SpritePainter

  private var theme: PictureTheme { painter.theme }

  private func px(_ points: Double) -> Int { painter.px(points) }

  private func widest(_ lines: [String], _ size: Double, _ weight: TextRenderer.Weight) -> Int {
    lines.map { painter.width($0, size: px(size), weight: weight) }.max() ?? 0
  }

  /// Lines of text on a plate.
  func lines(_ lines: [String], _ size: Double, _ style: HudStyle.Plate) -> PlatePicture? {
    guard painter.text != nil, !lines.isEmpty else { return nil }
    let (padX, padY) = (px(HudStyle.padX), px(HudStyle.padY))
    let width = widest(lines, size, .regular)
    let height = lines.count * painter.line(size).height
    return painter.plated(width: width + 2 * padX, height: height + 2 * padY, style: style) {
      painter.drawLines(lines, size: size, color: style.ink, x: padX, y: padY, width: width, on: $0)
    }
  }

  /// The attribution's plate, for the lower right corner: only its upper left corner is round.
  func attribution(_ lines: [String]) -> PlatePicture? {
    guard painter.text != nil, !lines.isEmpty else { return nil }
    let size = HudStyle.fine
    let (padX, padY) = (px(HudStyle.padX), px(HudStyle.padY))
    let inner = widest(lines, size, .regular)
    let width = inner + 2 * padX
    let height = lines.count * painter.line(size).height + 2 * padY
    let image = painter.image(width: width, height: height) {
      // The other round corners lie outside the picture.
      let r = HudStyle.radius * painter.unit
      painter.plate(
        theme.plateStyle, x: 0, y: 0, width: Double(width) + 2 * r, height: Double(height) + 2 * r,
        on: $0)
      painter.drawLines(
        lines, size: size, color: theme.ink, x: padX, y: padY, width: inner, on: $0)
    }
    return PlatePicture(image: image, insetX: 0, insetY: 0, width: width, height: height)
  }

  func scaleBar(_ bar: ScaleBar?, _ text: String) -> PlatePicture? {
    guard let bar, painter.text != nil else { return nil }
    let size = px(HudStyle.body)
    let line = painter.line(HudStyle.body)
    let textWidth = painter.width(text, size: size)
    let padX = px(HudStyle.padX)
    let inner = max(bar.pixels, textWidth)
    let top = px(HudStyle.padY)
    let barY = top + line.height
    let tick = px(8)
    return painter.plated(
      width: inner + 2 * padX, height: barY + tick + px(HudStyle.padY)
    ) { canvas in
      painter.drawText(
        text, size: size, color: theme.ink, x: padX + (inner - textWidth) / 2,
        baseline: top + line.baseline, on: canvas)
      // Exactly as long as stated, between the outer edges of the ticks.
      let x = Double(padX + (inner - bar.pixels) / 2)
      let (w, line) = (Double(bar.pixels), Double(max(1, px(2))))
      let (top, foot) = (Double(barY), Double(barY + tick))
      var path = Path()
      path.addRect(x, top, line, foot - top)
      path.addRect(x + w - line, top, line, foot - top)
      path.addRect(x, foot - line, w, line)
      painter.fill(path, theme.ink, on: canvas)
    }
  }

  // MARK: The compass

  /// The width of the compass, in points.
  static let compass = 56.0
  private static let needle = 34.0
  /// How far the needle's middle is behind that of the disc, in points: its letter has room before
  /// its tip.
  private static let needleBack = 4.0
  /// The letter keeps inside this radius in points, which is 2 less than that of the border's inner
  /// edge, and it keeps the second distance from the needle's tip.
  private static let letterReach = compass / 2 - 3
  private static let letterGap = 0.5

  func north(_ bearing: Int, _ letter: String) -> PlatePicture? {
    let s = painter.unit
    let edge = px(HudArt.compass)
    return painter.plated(width: edge, height: edge, radius: HudArt.compass / 2) { canvas in
      let c = Double(edge) / 2
      let turn = -Double(bearing) * .pi / 180
      func point(_ x: Double, _ y: Double) -> [Double] {
        [c + (x * cos(turn) - y * sin(turn)) * s, c + (x * sin(turn) + y * cos(turn)) * s]
      }
      let (middle, half) = (HudArt.needleBack, HudArt.needle / 2)
      var north = Path()
      north.addPolygon(point(-6, middle) + point(0, middle - half) + point(6, middle))
      var south = Path()
      south.addPolygon(point(-6, middle) + point(0, middle + half) + point(6, middle))
      painter.fill(south, theme.secondInk & 0x00FF_FFFF | 0x9900_0000, on: canvas)
      painter.fill(north, theme.accent, on: canvas)
      // The letter stays upright, between the tip and the rim in every direction.
      let most = HudArt.letterReach - (half - middle) - HudArt.letterGap
      guard let (size, ink) = fitting(letter, diagonal: most * s) else { return }
      let at = point(0, diagonal(of: ink) / 2 / s - HudArt.letterReach)
      painter.drawText(
        letter, size: size, weight: .bold, color: theme.ink,
        x: Int((at[0] - Double(2 * ink.x + ink.width) / 2).rounded()),
        baseline: Int((at[1] - Double(2 * ink.y + ink.height) / 2).rounded()), on: canvas)
    }
  }

  /// The size in pixels at which the ink of a bold text is at most that far across, and its ink
  /// from the pen's start on the baseline. Nil if it has none.
  private func fitting(_ text: String, diagonal most: Double) -> (size: Int, ink: PixelRect)? {
    let usual = px(11)
    guard let ink = ink(of: text, size: usual) else { return nil }
    let across = diagonal(of: ink)
    if across <= most { return (usual, ink) }
    let size = max(4, Int(Double(usual) * most / across))
    return self.ink(of: text, size: size).map { (size, $0) }
  }

  private func diagonal(of rect: PixelRect) -> Double {
    Double(rect.width * rect.width + rect.height * rect.height).squareRoot()
  }

  /// The pixels that a bold text of a few letters inks, from the pen's start on the baseline.
  private func ink(of text: String, size: Int) -> PixelRect? {
    let width = min(painter.width(text, size: size, weight: .bold), 8 * size) + 2 * size
    let image = painter.image(width: width, height: 3 * size) {
      painter.drawText(
        text, size: size, weight: .bold, color: 0xFFFF_FFFF, x: size, baseline: 2 * size, on: $0)
    }
    var (left, right, top, bottom) = (Int.max, -1, Int.max, -1)
    for y in 0..<image.height {
      for x in 0..<image.width where image.pixels[y * image.width + x] != 0 {
        (left, right) = (min(left, x), max(right, x))
        (top, bottom) = (min(top, y), max(bottom, y))
      }
    }
    guard right >= left else { return nil }
    return PixelRect(
      x: left - size, y: top - 2 * size, width: right - left + 1, height: bottom - top + 1)
  }

  // MARK: Cards

  /// A message of at most `room` pixels' width.
  func card(_ card: HudContent.Card, _ room: Int, isCompact: Bool = false) -> PlatePicture? {
    guard let text = painter.text else { return nil }
    let pad = px(isCompact ? HudStyle.padX : 20)
    let padY = px(isCompact ? HudStyle.padY : 16)
    let title = text.wrap(
      card.title, size: px(HudStyle.title), weight: .bold, width: max(16, room - 2 * pad),
      maxLines: 3)
    let body = text.wrap(
      card.text, size: px(HudStyle.body), width: max(16, room - 2 * pad), maxLines: 4)
    let inner = max(widest(title, HudStyle.title, .bold), widest(body, HudStyle.body, .regular))
    let between = body.isEmpty ? 0 : px(4)
    let height =
      2 * padY + title.count * painter.line(HudStyle.title, weight: .bold).height + between
      + body.count * painter.line(HudStyle.body).height
    return painter.plated(width: inner + 2 * pad, height: height) {
      let y = painter.drawLines(
        title, size: HudStyle.title, weight: .bold, color: theme.ink, x: pad, y: padY,
        width: inner, isCentered: true, on: $0)
      painter.drawLines(
        body, size: HudStyle.body, color: theme.secondInk, x: pad, y: y + between, width: inner,
        isCentered: true, on: $0)
    }
  }
}
