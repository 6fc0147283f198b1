import Drawing
import MapGeometry
import MapScene
import Pixels

/// The bubble with a marker's text. It is drawn once and moves with its marker.
struct Callout {
  /// The size in pixels of the view that it was made for.
  let width: Int
  let height: Int
  private let unit: Double
  private let body: SpriteImage
  private let pointers: (down: SpriteImage, up: SpriteImage)

  private static let widest = 340.0
  private static let pointerWidth = 22.0
  private static let pointerHeight = 12.0

  /// Draws the callout for a view of `width` x `height` pixels. Text that would exceed two thirds
  /// of the screen's height ends in an ellipsis.
  init(
    title: String, text: String, width: Int, height: Int, painter: SpritePainter
  ) {
    (self.width, self.height, unit) = (width, height, painter.unit)
    let px = painter.px
    let (titleSize, textSize) = (px(17), px(HudStyle.body))
    let pad = px(14)
    let plate = painter.theme.plateStyle
    let second = painter.theme.secondInk
    let room = max(16, min(px(Callout.widest), width - 2 * px(HudStyle.margin)) - 2 * pad)
    let (titleAscent, titleHeight) = painter.lineHeight(titleSize, weight: .bold)
    let (textAscent, textHeight) = painter.lineHeight(textSize)
    let most = max(1, (height * 2 / 3 - 2 * pad - 2 * titleHeight) / max(1, textHeight))
    let head =
      painter.text?.wrap(title, size: titleSize, weight: .bold, width: room, maxLines: 2) ?? []
    let lines = painter.text?.wrap(text, size: textSize, width: room, maxLines: most) ?? []
    let widths =
      head.map { painter.width($0, size: titleSize, weight: .bold) }
      + lines.map { painter.width($0, size: textSize) }
    let between = lines.isEmpty ? 0 : px(5)
    let bodyHeight =
      head.count * titleHeight + between + lines.count * textHeight + 2 * (pad - px(4))
    body = painter.image(width: (widths.max() ?? 0) + 2 * pad, height: bodyHeight) {
      painter.plate(plate, on: $0)
      var y = pad - px(4)
      for line in head {
        painter.drawText(
          line, size: titleSize, weight: .bold, color: plate.ink, x: pad,
          baseline: y + titleAscent, on: $0)
        y += titleHeight
      }
      y += between
      for line in lines {
        painter.drawText(
          line, size: textSize, color: second, x: pad, baseline: y + textAscent, on: $0)
        y += textHeight
      }
    }
    func pointer(isDown: Bool) -> SpriteImage {
      let (w, h) = (Double(px(Callout.pointerWidth)), Double(px(Callout.pointerHeight)))
      return painter.image(width: Int(w), height: Int(h)) { canvas in
        var path = Path()
        path.addPolygon(isDown ? [0, 0, w, 0, w / 2, h] : [0, h, w, h, w / 2, 0])
        painter.fill(path, plate.field, on: canvas)
        var edges = Path()
        edges.addPolygon(isDown ? [0, 0, w / 2, h, w, 0] : [0, h, w / 2, 0, w, h])
        painter.stroke(edges, width: painter.unit, plate.border, on: canvas)
      }
    }
    pointers = (pointer(isDown: true), pointer(isDown: false))
  }

  /// Appends the sprites of the callout, which points at column `x`. It goes above row `top`, or
  /// below row `bottom` if there is more space, and always stays on the screen.
  func place(x: Int, top: Int, bottom: Int, into sprites: inout [Sprite]) {
    func px(_ points: Double) -> Int { Int((points * unit).rounded()) }
    let margin = px(HudStyle.margin)
    let pointerHeight = px(Callout.pointerHeight)
    let need = body.height + pointerHeight + margin
    let isAbove = top >= need || top >= height - bottom
    let left = min(max(x - body.width / 2, margin), max(margin, width - margin - body.width))
    let y =
      isAbove
      ? max(margin, top - pointerHeight - body.height)
      : min(bottom + pointerHeight, max(margin, height - margin - body.height))
    sprites.append(Sprite(body, x: left, y: y))
    // The pointer overlaps the plate's border, within its straight part.
    let half = px(Callout.pointerWidth) / 2
    let inset = px(HudStyle.radius)
    let at = min(max(x - half, left + inset), left + body.width - inset - 2 * half)
    sprites.append(
      Sprite(
        isAbove ? pointers.down : pointers.up, x: at,
        y: isAbove ? y + body.height - px(1) : y - pointerHeight + px(1)))
  }
}
