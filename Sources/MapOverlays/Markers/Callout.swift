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
  /// How many pages the text has, and which one this is, from 0.
  let pages: Int
  let page: Int

  private static let widest = 340.0
  /// The widest plate of a text that does not fit otherwise.
  private static let widestLong = 520.0
  private static let pointerWidth = 22.0
  private static let pointerHeight = 12.0
  /// How far from the middle of an icon the tip may be, in points.
  private static let tipReach = 8.0
  /// More lines than this are not shown.
  private static let mostLines = 200

  /// Draws the callout for a view of `width` x `height` pixels. A text of more than half the
  /// screen's height has pages, of which it shows `page`.
  init(
    title: String, text: String, page: Int, width: Int, height: Int, painter: SpritePainter
  ) {
    (self.width, self.height, unit) = (width, height, painter.unit)
    let px = painter.px
    let (titleSize, textSize) = (px(17), px(HudStyle.body))
    let pad = px(14)
    let plate = painter.theme.plateStyle
    let second = painter.theme.secondInk
    let (titleAscent, titleHeight) = painter.lineHeight(titleSize, weight: .bold)
    let (textAscent, textHeight) = painter.lineHeight(textSize)
    func room(_ widest: Double) -> Int {
      max(16, min(px(widest), width - 2 * px(HudStyle.margin)) - 2 * pad)
    }
    func broken(_ text: String, _ size: Int, _ weight: TextRenderer.Weight, _ widest: Double)
      -> [String]
    {
      painter.text?.wrap(
        text, size: size, weight: weight, width: room(widest), maxLines: Callout.mostLines) ?? []
    }
    func linesThatFit(_ head: Int) -> Int {
      max(1, (height / 2 - 2 * pad - head * titleHeight - textHeight) / max(1, textHeight))
    }
    var head = broken(title, titleSize, .bold, Callout.widest)
    var all = broken(text, textSize, .regular, Callout.widest)
    if head.count > 2 || all.count > linesThatFit(head.count) {
      head = broken(title, titleSize, .bold, Callout.widestLong)
      all = broken(text, textSize, .regular, Callout.widestLong)
    }
    // A title with too many lines is cut; the text follows.
    head = Array(head.prefix(max(2, height / 3 / max(1, titleHeight))))
    let most = linesThatFit(head.count)
    let pages = max(1, (all.count + most - 1) / most)
    let page = min(max(page, 0), pages - 1)
    (self.pages, self.page) = (pages, page)
    var lines = Array(all.dropFirst(page * most).prefix(most))
    let count = pages > 1 ? "\(page + 1)/\(pages)" : ""
    // Pages are equally high, so that the plate stays where it is.
    if pages > 1 { lines += Array(repeating: "", count: most - lines.count) + [count] }
    let widths =
      head.map { painter.width($0, size: titleSize, weight: .bold) }
      + all.map { painter.width($0, size: textSize) }
    let isTitleRightward = TextDirection(of: title) == .rightToLeft
    let isRightward = lines.map { _ in TextDirection(of: text) == .rightToLeft }
    let between = lines.isEmpty ? 0 : px(5)
    let bodyHeight =
      head.count * titleHeight + between + lines.count * textHeight + 2 * (pad - px(4))
    body = painter.image(width: (widths.max() ?? 0) + 2 * pad, height: bodyHeight) {
      painter.plate(plate, on: $0)
      var y = pad - px(4)
      for line in head {
        let rest = $0.width - 2 * pad - painter.width(line, size: titleSize, weight: .bold)
        painter.drawText(
          line, size: titleSize, weight: .bold, color: plate.ink,
          x: pad + (isTitleRightward ? rest : 0),
          baseline: y + titleAscent, on: $0)
        y += titleHeight
      }
      y += between
      for (n, line) in lines.enumerated() where !line.isEmpty {
        let isCount = pages > 1 && n == lines.count - 1
        let rest = $0.width - 2 * pad - painter.width(line, size: textSize)
        painter.drawText(
          line, size: textSize, color: second, x: pad + (isRightward[n] || isCount ? rest : 0),
          baseline: y + n * textHeight + textAscent, on: $0)
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

  private func px(_ points: Double) -> Int { Int((points * unit).rounded()) }

  /// Its left edge where it points at column `x`.
  private func left(_ x: Int) -> Int {
    let margin = px(HudStyle.margin)
    return min(max(x - body.width / 2, margin), max(margin, width - margin - body.width))
  }

  /// The part of the screen between the plates above and below, where a callout is whole.
  ///
  /// Its left edge is `left`.
  private func room(_ plates: [PixelRect], _ left: Int) -> (top: Int, bottom: Int) {
    let margin = px(HudStyle.margin)
    var (top, bottom) = (0, height)
    for plate in plates
    where plate.height < height / 3 && plate.x < left + body.width && plate.maxX > left {
      if plate.y + plate.height / 2 < height / 2 {
        top = max(top, plate.maxY)
      } else {
        bottom = min(bottom, plate.y)
      }
    }
    // Where plates leave no room, they are covered.
    if bottom - top < body.height + px(Callout.pointerHeight) + 2 * margin {
      (top, bottom) = (0, height)
    }
    return (top + margin, bottom - margin)
  }

  /// How far the map must move so that the marker and the callout are whole on the screen, in
  /// pixels.
  ///
  /// - Parameters:
  ///   - x: The column that it points at.
  ///   - top: The icon's upper edge.
  ///   - bottom: The row below the icon.
  ///   - plates: What it must not cover.
  /// - Returns: The pixels to the right and down; (0, 0): not at all.
  func shift(x: Int, top: Int, bottom: Int, _ plates: [PixelRect]) -> (x: Int, y: Int) {
    let room = room(plates, left(x))
    let reach = px(Callout.pointerHeight) + body.height
    let side = px(HudStyle.margin) + px(HudStyle.radius) + px(Callout.pointerWidth)
    let dx = min(max(x, side), max(side, width - side)) - x
    let fits = room.bottom - room.top >= reach + bottom - top
    if top - reach >= room.top, bottom <= room.bottom { return (dx, 0) }
    if bottom + reach <= room.bottom, top >= room.top { return (dx, 0) }
    // Above, with the whole icon below it; where that is too high, the plate is whole.
    if top - reach < room.top || !fits { return (dx, room.top + reach - top) }
    return (dx, room.bottom - bottom)
  }

  /// Appends the sprites of the callout, which points at column `x`. It goes above row `top`, or
  /// below row `bottom` if it is whole only there, and keeps clear of `plates` and of the pins of
  /// "here" where it can.
  func place(
    x: Int, top: Int, bottom: Int, _ plates: [PixelRect], pins: [PixelRect] = [],
    into sprites: inout [Sprite]
  ) {
    let (margin, pointerHeight) = (px(HudStyle.margin), px(Callout.pointerHeight))
    let (half, inset) = (px(Callout.pointerWidth) / 2, px(HudStyle.radius))
    let reach = body.height + pointerHeight
    func place(_ left: Int, isAbove: Bool) -> PixelRect {
      let wanted = isAbove ? top - reach : bottom + pointerHeight
      return PixelRect(
        x: left, y: max(margin, min(wanted, height - margin - body.height)), width: body.width,
        height: body.height)
    }
    func fits(_ left: Int, isAbove: Bool) -> Bool {
      let room = room(plates, left)
      return isAbove ? top - reach >= room.top : bottom + reach <= room.bottom
    }
    func hidesPin(_ rect: PixelRect) -> Bool { pins.contains { $0.intersects(rect) } }
    var left = left(x)
    let fitsAbove = fits(left, isAbove: true)
    var isAbove = fitsAbove || !fits(left, isAbove: false) && top >= height - bottom
    if hidesPin(place(left, isAbove: isAbove)) {
      // On the other side, or as far aside as the pointer reaches.
      let last = max(margin, width - margin - body.width)
      let sides = [x - half - inset, x + half + inset - body.width]
      let ways = ([left] + sides.map { min(max($0, margin), last) }).flatMap {
        [($0, true), ($0, false)]
      }
      let way = ways.first { left, isAbove in
        fits(left, isAbove: isAbove) && !hidesPin(place(left, isAbove: isAbove))
      }
      if let way { (left, isAbove) = way }
    }
    let wanted = isAbove ? top - reach : bottom + pointerHeight
    let y = place(left, isAbove: isAbove).y
    sprites.append(Sprite(body, x: left, y: y))
    // The pointer overlaps the plate's border, within its straight part. If its tip cannot touch
    // the icon, as for a marker at the very edge of the screen, there is no pointer.
    let at = min(max(x - half, left + inset), left + body.width - inset - 2 * half)
    guard y == wanted, abs(at + half - x) <= px(Callout.tipReach) else { return }
    sprites.append(
      Sprite(
        isAbove ? pointers.down : pointers.up, x: at,
        y: isAbove ? y + body.height - px(1) : y - pointerHeight + px(1)))
  }
}
