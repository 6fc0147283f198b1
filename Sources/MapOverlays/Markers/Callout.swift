import Drawing
import MapGeometry
import MapScene
import Pixels

/// The bubble with a marker's text. It is drawn once and moves with its marker.
struct Callout {
  /// The size in pixels of the view that it was made for.
  let width: Int
  let height: Int
  private let scale: Int
  private let body: SpriteImage
  private let pointers: (down: SpriteImage, up: SpriteImage)

  private static let widest = 340
  private static let pointerWidth = 22
  private static let pointerHeight = 12
  private static let plate = HudStyle.Plate(
    field: 0xFAFF_FFFF, border: 0x6028_3238, ink: HudStyle.label)

  /// Draws the callout for a view of `width` x `height` pixels. Text that would exceed two thirds
  /// of the screen's height ends in an ellipsis.
  init(
    title: String, text: String, width: Int, height: Int, scale: Int, painter: SpritePainter
  ) {
    (self.width, self.height, self.scale) = (width, height, scale)
    let s = scale
    let (titleSize, textSize) = (17 * s, HudStyle.body * s)
    let pad = 14 * s
    let room = max(16, min(Callout.widest * s, width - 2 * HudStyle.margin * s) - 2 * pad)
    let (titleAscent, titleHeight) = painter.lineHeight(titleSize, weight: .bold)
    let (textAscent, textHeight) = painter.lineHeight(textSize)
    let most = max(1, (height * 2 / 3 - 2 * pad - 2 * titleHeight) / max(1, textHeight))
    let head =
      painter.text?.wrap(title, size: titleSize, weight: .bold, width: room, maxLines: 2) ?? []
    let lines = painter.text?.wrap(text, size: textSize, width: room, maxLines: most) ?? []
    let widths =
      head.map { painter.width($0, size: titleSize, weight: .bold) }
      + lines.map { painter.width($0, size: textSize) }
    let between = lines.isEmpty ? 0 : 5 * s
    let bodyHeight =
      head.count * titleHeight + between + lines.count * textHeight + 2 * (pad - 4 * s)
    body = painter.image(width: (widths.max() ?? 0) + 2 * pad, height: bodyHeight) {
      painter.plate(Callout.plate, scale: s, on: $0)
      var y = pad - 4 * s
      for line in head {
        painter.drawText(
          line, size: titleSize, weight: .bold, color: Callout.plate.ink, x: pad,
          baseline: y + titleAscent, on: $0)
        y += titleHeight
      }
      y += between
      for line in lines {
        painter.drawText(
          line, size: textSize, color: 0xFF37_474F, x: pad, baseline: y + textAscent, on: $0)
        y += textHeight
      }
    }
    func pointer(isDown: Bool) -> SpriteImage {
      let (w, h) = (Double(Callout.pointerWidth * s), Double(Callout.pointerHeight * s))
      return painter.image(width: Int(w), height: Int(h)) { canvas in
        var path = Path()
        path.addPolygon(isDown ? [0, 0, w, 0, w / 2, h] : [0, h, w, h, w / 2, 0])
        painter.fill(path, Callout.plate.field, on: canvas)
        var edges = Path()
        edges.addPolygon(isDown ? [0, 0, w / 2, h, w, 0] : [0, h, w / 2, 0, w, h])
        painter.stroke(edges, width: Double(s), Callout.plate.border, on: canvas)
      }
    }
    pointers = (pointer(isDown: true), pointer(isDown: false))
  }

  /// Appends the sprites of the callout, which points at column `x`. It goes above row `top`, or
  /// below row `bottom` if there is more space, and always stays on the screen.
  func place(x: Int, top: Int, bottom: Int, into sprites: inout [Sprite]) {
    let margin = HudStyle.margin * scale
    let pointerHeight = Callout.pointerHeight * scale
    let need = body.height + pointerHeight + margin
    let isAbove = top >= need || top >= height - bottom
    let left = min(max(x - body.width / 2, margin), max(margin, width - margin - body.width))
    let y =
      isAbove
      ? max(margin, top - pointerHeight - body.height)
      : min(bottom + pointerHeight, max(margin, height - margin - body.height))
    sprites.append(Sprite(body, x: left, y: y))
    // The pointer overlaps the plate's border, within its straight part.
    let half = Callout.pointerWidth * scale / 2
    let inset = Int(HudStyle.radius) * scale
    let at = min(max(x - half, left + inset), left + body.width - inset - 2 * half)
    sprites.append(
      Sprite(
        isAbove ? pointers.down : pointers.up, x: at,
        y: isAbove ? y + body.height - scale : y - pointerHeight + scale))
  }
}
