import Drawing
import Glibc
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
    let (padX, padY) = (px(HudStyle.gap), px(HudStyle.gap / 2))
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
    let top = px(HudStyle.padY / 2)
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

  func north(_ bearing: Int, _ letter: String) -> PlatePicture? {
    let s = painter.unit
    let edge = px(HudArt.compass)
    return painter.plated(width: edge, height: edge, radius: HudArt.compass / 2) { canvas in
      let c = Double(edge) / 2
      let turn = -Double(bearing) * .pi / 180
      func point(_ x: Double, _ y: Double) -> [Double] {
        [c + (x * cos(turn) - y * sin(turn)) * s, c + (x * sin(turn) + y * cos(turn)) * s]
      }
      let tip = HudArt.needle / 2
      var north = Path()
      north.addPolygon(point(-6, 0) + point(0, -tip) + point(6, 0))
      var south = Path()
      south.addPolygon(point(-6, 0) + point(0, tip) + point(6, 0))
      painter.fill(south, theme.secondInk & 0x00FF_FFFF | 0x9900_0000, on: canvas)
      painter.fill(north, theme.accent, on: canvas)
      // The letter stays upright, between the tip and the rim.
      let size = px(11)
      let width = painter.width(letter, size: size, weight: .bold)
      let at = point(0, -tip - 5)
      painter.drawText(
        letter, size: size, weight: .bold, color: theme.ink,
        x: Int((at[0] - Double(width) / 2).rounded()), baseline: Int((at[1] + 3.9 * s).rounded()),
        on: canvas)
    }
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
