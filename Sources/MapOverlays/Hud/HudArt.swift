import Drawing
import Glibc
import MapScene
import Pixels

/// Draws the pictures of the HUD's parts.
struct HudArt {
  let painter: SpritePainter
  /// The view's width in pixels.
  let viewWidth: Int

  private var theme: PictureTheme { painter.theme }
  /// Pixels per point.
  private var unit: Double { painter.unit }

  private func px(_ points: Double) -> Int { painter.px(points) }

  private func lineHeight(_ size: Double) -> (ascent: Int, height: Int) {
    painter.lineHeight(px(size))
  }

  /// Lines of text on a plate.
  func lines(_ lines: [String], _ size: Double, _ plate: HudStyle.Plate) -> SpriteImage? {
    guard painter.text != nil, !lines.isEmpty else { return nil }
    let (padX, padY) = (px(HudStyle.padX), px(HudStyle.padY))
    let (ascent, height) = lineHeight(size)
    let width = lines.map { painter.width($0, size: px(size)) }.max() ?? 0
    return painter.image(width: width + 2 * padX, height: lines.count * height + 2 * padY) {
      painter.plate(plate, on: $0)
      for (n, line) in lines.enumerated() {
        painter.drawText(
          line, size: px(size), color: plate.ink, x: padX,
          baseline: padY + n * height + ascent, on: $0)
      }
    }
  }

  /// The attribution's plate, for the lower right corner: only its upper left corner is round.
  func attribution(_ lines: [String]) -> SpriteImage? {
    guard painter.text != nil, !lines.isEmpty else { return nil }
    let (padX, padY) = (px(8), px(4))
    let (ascent, height) = lineHeight(HudStyle.fine)
    let width = lines.map { painter.width($0, size: px(HudStyle.fine)) }.max() ?? 0
    return painter.image(width: width + 2 * padX, height: lines.count * height + 2 * padY) {
      var path = Path()
      // The other round corners lie outside the picture.
      let r = HudStyle.radius * unit
      path.addRoundedRect(0, 0, Double($0.width) + 2 * r, Double($0.height) + 2 * r, radius: r)
      painter.fill(path, theme.plate, on: $0)
      for (n, line) in lines.enumerated() {
        painter.drawText(
          line, size: px(HudStyle.fine), color: theme.ink, x: padX,
          baseline: padY + n * height + ascent, on: $0)
      }
    }
  }

  func scaleBar(_ bar: ScaleBar?, _ text: String) -> SpriteImage? {
    guard let bar, painter.text != nil else { return nil }
    let size = px(HudStyle.body)
    let (ascent, height) = lineHeight(HudStyle.body)
    let textWidth = painter.width(text, size: size)
    let padX = px(HudStyle.padX)
    let inner = max(bar.pixels, textWidth)
    let barY = px(4) + height + px(2)
    let tick = px(7)
    return painter.image(width: inner + 2 * padX, height: barY + tick + px(6)) { canvas in
      painter.plate(theme.plateStyle, on: canvas)
      painter.drawText(
        text, size: size, color: theme.ink, x: padX + (inner - textWidth) / 2,
        baseline: px(4) + ascent, on: canvas)
      // Exactly as long as stated, between the outer edges of the ticks.
      let x = Double(padX + (inner - bar.pixels) / 2)
      let (w, line) = (Double(bar.pixels), Double(px(2)))
      let (top, foot) = (Double(barY), Double(barY + tick))
      var path = Path()
      path.addRect(x, top, line, foot - top)
      path.addRect(x + w - line, top, line, foot - top)
      path.addRect(x, foot - line, w, line)
      painter.fill(path, theme.ink, on: canvas)
    }
  }

  static let arrowEdge = 60.0

  func north(_ bearing: Int) -> SpriteImage? {
    let s = unit
    let edge = px(HudArt.arrowEdge)
    return painter.image(width: edge, height: edge) { canvas in
      let c = Double(edge) / 2
      var inner = Path()
      inner.addCircle(c, c, c - s)
      painter.fill(inner, theme.plate, on: canvas)
      inner.addCircle(c, c, c)
      painter.fill(inner, theme.plateBorder, rule: .evenOdd, on: canvas)
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
      painter.fill(south, theme.shown(0xFF78_8A94), on: canvas)
      painter.fill(north, theme.accent, on: canvas)
      // The letter stays upright.
      let size = px(14)
      let width = painter.width("N", size: size, weight: .bold)
      let at = point(0, -20.5)
      painter.drawText(
        "N", size: size, weight: .bold, color: theme.ink,
        x: Int((at[0] - Double(width) / 2).rounded()), baseline: Int((at[1] + 5.1 * s).rounded()),
        on: canvas)
    }
  }

  func card(_ card: HudContent.Card, _ room: Int) -> SpriteImage? {
    guard let text = painter.text else { return nil }
    let pad = px(18)
    let (titleSize, bodySize) = (px(HudStyle.title), px(HudStyle.body))
    let title = text.wrap(
      card.title, size: titleSize, weight: .bold, width: room - 2 * pad, maxLines: 2)
    let body = text.wrap(card.text, size: bodySize, width: room - 2 * pad, maxLines: 4)
    let (titleAscent, titleHeight) = lineHeight(HudStyle.title)
    let (bodyAscent, bodyHeight) = lineHeight(HudStyle.body)
    let widths =
      title.map { painter.width($0, size: titleSize, weight: .bold) }
      + body.map { painter.width($0, size: bodySize) }
    let width = (widths.max() ?? 0) + 2 * pad
    let between = body.isEmpty ? 0 : px(6)
    let height =
      2 * (pad - px(4)) + title.count * titleHeight + between + body.count * bodyHeight
    return painter.image(width: width, height: height) {
      painter.plate(theme.plateStyle, on: $0)
      var y = pad - px(4)
      for (n, line) in title.enumerated() {
        painter.drawText(
          line, size: titleSize, weight: .bold, color: theme.ink,
          x: (width - widths[n]) / 2,
          baseline: y + titleAscent, on: $0)
        y += titleHeight
      }
      y += between
      for (n, line) in body.enumerated() {
        painter.drawText(
          line, size: bodySize, color: theme.secondInk, x: (width - widths[title.count + n]) / 2,
          baseline: y + bodyAscent, on: $0)
        y += bodyHeight
      }
    }
  }

  // MARK: The buttons' legend

  private static let slotPad = 12.0
  private static let iconEdge = 20.0
  private static let iconGap = 7.0
  private static let rowHeight = 36.0

  /// Slots of equal width in the buttons' order, in as few rows as possible. If they would need
  /// more than two rows, they show only icons.
  func legend(_ items: [HudContent.LegendItem]) -> SpriteImage? {
    let size = px(HudStyle.body)
    let (icon, gap, hair) = (px(HudArt.iconEdge), px(HudArt.iconGap), px(1))
    let textWidths = items.map { painter.width($0.text, size: size) }
    let bare = 2 * px(HudArt.slotPad) + icon
    let widest = (textWidths.max() ?? 0) + bare + gap
    var perRow = max(1, min(items.count, viewWidth / max(1, widest)))
    var rows = (items.count + perRow - 1) / perRow
    let hasText = rows <= 2
    if !hasText {
      perRow = max(1, min(items.count, viewWidth / bare))
      rows = min(2, (items.count + perRow - 1) / perRow)
    }
    // Balance the rows' lengths.
    perRow = min(perRow, (items.count + rows - 1) / rows)
    let row = px(HudArt.rowHeight)
    let (ascent, height) = lineHeight(HudStyle.body)
    return painter.image(width: viewWidth, height: rows * row) { canvas in
      var field = Path()
      field.addRect(0, 0, Double(canvas.width), Double(canvas.height))
      painter.fill(field, theme.legend, on: canvas)
      for (n, item) in items.prefix(rows * perRow).enumerated() {
        let left = n % perRow * viewWidth / perRow
        let right = (n % perRow + 1) * viewWidth / perRow
        let top = n / perRow * row
        let content =
          icon + (hasText ? gap + textWidths[n] : 0)
        let x = left + (right - left - content) / 2
        if n % perRow > 0 {
          var line = Path()
          line.addRect(Double(left), Double(top + px(8)), Double(hair), Double(row - px(16)))
          painter.fill(line, theme.legendInk & 0xFF_FFFF | 0x4000_0000, on: canvas)
        }
        let picture = item.icon.path(
          x: Double(x), y: Double(top + (row - icon) / 2),
          size: Double(icon))
        painter.fill(picture, theme.legendInk, rule: .evenOdd, on: canvas)
        if hasText {
          painter.drawText(
            item.text, size: size, color: theme.legendInk,
            x: x + icon + gap,
            baseline: top + (row - height) / 2 + ascent,
            on: canvas)
        }
      }
    }
  }
}
