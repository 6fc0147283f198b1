import Drawing
import Glibc
import MapScene
import Pixels

/// Draws the pictures of the HUD's parts.
struct HudArt {
  let painter: SpritePainter
  /// Pixels per point.
  let scale: Int
  /// The view's width in pixels.
  let viewWidth: Int

  private func lineHeight(_ size: Int) -> (ascent: Int, height: Int) {
    painter.lineHeight(size * scale)
  }

  /// Lines of text on a plate.
  func lines(_ lines: [String], _ size: Int, _ plate: HudStyle.Plate) -> SpriteImage? {
    guard painter.text != nil, !lines.isEmpty else { return nil }
    let (padX, padY) = (10 * scale, 6 * scale)
    let (ascent, height) = lineHeight(size)
    let width = lines.map { painter.width($0, size: size * scale) }.max() ?? 0
    return painter.image(width: width + 2 * padX, height: lines.count * height + 2 * padY) {
      painter.plate(plate, scale: scale, on: $0)
      for (n, line) in lines.enumerated() {
        painter.drawText(
          line, size: size * scale, color: plate.ink, x: padX,
          baseline: padY + n * height + ascent, on: $0)
      }
    }
  }

  /// The attribution's plate, for the lower right corner: only its upper left corner is round.
  func attribution(_ lines: [String]) -> SpriteImage? {
    guard painter.text != nil, !lines.isEmpty else { return nil }
    let (padX, padY) = (6 * scale, 2 * scale)
    let (ascent, height) = lineHeight(HudStyle.fine)
    let width = lines.map { painter.width($0, size: HudStyle.fine * scale) }.max() ?? 0
    return painter.image(width: width + 2 * padX, height: lines.count * height + 2 * padY) {
      var path = Path()
      // The other round corners lie outside the picture.
      let r = HudStyle.radius * Double(scale)
      path.addRoundedRect(0, 0, Double($0.width) + 2 * r, Double($0.height) + 2 * r, radius: r)
      painter.fill(path, HudStyle.light.field, on: $0)
      for (n, line) in lines.enumerated() {
        painter.drawText(
          line, size: HudStyle.fine * scale, color: HudStyle.light.ink, x: padX,
          baseline: padY + n * height + ascent, on: $0)
      }
    }
  }

  func scaleBar(_ bar: ScaleBar?, _ text: String) -> SpriteImage? {
    guard let bar, painter.text != nil else { return nil }
    let s = scale
    let size = HudStyle.body * s
    let (ascent, height) = lineHeight(HudStyle.body)
    let textWidth = painter.width(text, size: size)
    let padX = 10 * s
    let inner = max(bar.pixels, textWidth)
    let barY = 4 * s + height + 2 * s
    let tick = 7 * s
    return painter.image(width: inner + 2 * padX, height: barY + tick + 6 * s) { canvas in
      painter.plate(HudStyle.light, scale: s, on: canvas)
      painter.drawText(
        text, size: size, color: HudStyle.light.ink, x: padX + (inner - textWidth) / 2,
        baseline: 4 * s + ascent, on: canvas)
      // Exactly as long as stated, between the outer edges of the ticks.
      let x = Double(padX + (inner - bar.pixels) / 2)
      let (w, line) = (Double(bar.pixels), 2 * Double(s))
      let (top, foot) = (Double(barY), Double(barY + tick))
      var path = Path()
      path.addRect(x, top, line, foot - top)
      path.addRect(x + w - line, top, line, foot - top)
      path.addRect(x, foot - line, w, line)
      painter.fill(path, HudStyle.light.ink, on: canvas)
    }
  }

  static let arrowEdge = 60

  func north(_ bearing: Int) -> SpriteImage? {
    let s = Double(scale)
    let edge = HudArt.arrowEdge * scale
    return painter.image(width: edge, height: edge) { canvas in
      let c = Double(edge) / 2
      var inner = Path()
      inner.addCircle(c, c, c - s)
      painter.fill(inner, HudStyle.light.field, on: canvas)
      inner.addCircle(c, c, c)
      painter.fill(inner, HudStyle.light.border, rule: .evenOdd, on: canvas)
      let turn = -Double(bearing) * .pi / 180
      func point(_ x: Double, _ y: Double) -> [Double] {
        [
          c + (x * cos(turn) - y * sin(turn)) * s,
          c + (x * sin(turn) + y * cos(turn)) * s,
        ]
      }
      var north = Path()
      north.addPolygon(point(-6.5, 3) + point(0, -13) + point(6.5, 3))
      var south = Path()
      south.addPolygon(point(-6.5, 3) + point(0, 19) + point(6.5, 3))
      painter.fill(south, HudStyle.south, on: canvas)
      painter.fill(north, HudStyle.north, on: canvas)
      // The letter stays upright.
      let size = 14 * scale
      let width = painter.width("N", size: size, weight: .bold)
      let at = point(0, -20.5)
      painter.drawText(
        "N", size: size, weight: .bold, color: HudStyle.light.ink,
        x: Int((at[0] - Double(width) / 2).rounded()), baseline: Int((at[1] + 5.1 * s).rounded()),
        on: canvas)
    }
  }

  func card(_ card: HudContent.Card, _ room: Int) -> SpriteImage? {
    guard let text = painter.text else { return nil }
    let pad = 18 * scale
    let (titleSize, bodySize) = (HudStyle.title * scale, HudStyle.body * scale)
    let title = text.wrap(
      card.title, size: titleSize, weight: .bold, width: room - 2 * pad, maxLines: 2)
    let body = text.wrap(card.text, size: bodySize, width: room - 2 * pad, maxLines: 4)
    let (titleAscent, titleHeight) = lineHeight(HudStyle.title)
    let (bodyAscent, bodyHeight) = lineHeight(HudStyle.body)
    let widths =
      title.map { painter.width($0, size: titleSize, weight: .bold) }
      + body.map { painter.width($0, size: bodySize) }
    let width = (widths.max() ?? 0) + 2 * pad
    let between = body.isEmpty ? 0 : 6 * scale
    let height =
      2 * (pad - 4 * scale) + title.count * titleHeight + between + body.count * bodyHeight
    return painter.image(width: width, height: height) {
      painter.plate(HudStyle.dark, scale: scale, on: $0)
      var y = pad - 4 * scale
      for (n, line) in title.enumerated() {
        painter.drawText(
          line, size: titleSize, weight: .bold, color: HudStyle.dark.ink,
          x: (width - widths[n]) / 2,
          baseline: y + titleAscent, on: $0)
        y += titleHeight
      }
      y += between
      for (n, line) in body.enumerated() {
        painter.drawText(
          line, size: bodySize, color: 0xFFDD_E4E8, x: (width - widths[title.count + n]) / 2,
          baseline: y + bodyAscent, on: $0)
        y += bodyHeight
      }
    }
  }

  // MARK: The buttons' legend

  private static let slotPad = 12
  private static let iconEdge = 20
  private static let iconGap = 7
  private static let rowHeight = 36

  /// Slots of equal width in the buttons' order, in as few rows as possible. If they would need
  /// more than two rows, they show only icons.
  func legend(_ items: [HudContent.LegendItem]) -> SpriteImage? {
    let s = scale
    let size = HudStyle.body * s
    let textWidths = items.map { painter.width($0.text, size: size) }
    let bare = (2 * HudArt.slotPad + HudArt.iconEdge) * s
    let widest = (textWidths.max() ?? 0) + bare + HudArt.iconGap * s
    var perRow = max(1, min(items.count, viewWidth / max(1, widest)))
    var rows = (items.count + perRow - 1) / perRow
    let hasText = rows <= 2
    if !hasText {
      perRow = max(1, min(items.count, viewWidth / bare))
      rows = min(2, (items.count + perRow - 1) / perRow)
    }
    // Balance the rows' lengths.
    perRow = min(perRow, (items.count + rows - 1) / rows)
    let row = HudArt.rowHeight * s
    let (ascent, height) = lineHeight(HudStyle.body)
    return painter.image(width: viewWidth, height: rows * row) { canvas in
      var field = Path()
      field.addRect(0, 0, Double(canvas.width), Double(canvas.height))
      painter.fill(field, HudStyle.dark.field, on: canvas)
      for (n, item) in items.prefix(rows * perRow).enumerated() {
        let left = n % perRow * viewWidth / perRow
        let right = (n % perRow + 1) * viewWidth / perRow
        let top = n / perRow * row
        let content =
          HudArt.iconEdge * s + (hasText ? HudArt.iconGap * s + textWidths[n] : 0)
        let x = left + (right - left - content) / 2
        if n % perRow > 0 {
          var line = Path()
          line.addRect(Double(left), Double(top + 8 * s), Double(s), Double(row - 16 * s))
          painter.fill(line, 0x40FF_FFFF, on: canvas)
        }
        let icon = item.icon.path(
          x: Double(x), y: Double(top + (row - HudArt.iconEdge * s) / 2),
          size: Double(HudArt.iconEdge * s))
        painter.fill(icon, HudStyle.dark.ink, rule: .evenOdd, on: canvas)
        if hasText {
          painter.drawText(
            item.text, size: size, color: HudStyle.dark.ink,
            x: x + (HudArt.iconEdge + HudArt.iconGap) * s,
            baseline: top + (row - height) / 2 + ascent,
            on: canvas)
        }
      }
    }
  }
}
