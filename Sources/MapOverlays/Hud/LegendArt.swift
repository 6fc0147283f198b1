import Drawing
import MapScene
import Pixels

/// Draws what each button does along the screen's lower edge: a slot for each, in their physical
/// order, in one row or more.
///
/// The map comes first. The legend of a large HUD is therefore as large as a sixth of the screen's
/// height allows. It may shrink to half of that if its pictures then fit beside the words and each
/// hold action stays on one line.
struct LegendArt {
  let painter: SpritePainter
  /// The view's width in pixels.
  let viewWidth: Int
  /// The view's height in pixels.
  let viewHeight: Int

  /// A legend larger than the display's own size may take one part in this many of the view's
  /// height.
  private static let mostHeight = 6
  /// The ratio of each size tried to the previous one.
  private static let smaller = 0.9
  /// Text shrinks at most to this share of its size to make room for the pictures.
  private static let leastClear = 0.5

  /// A form of the legend, and the unit in which it is drawn.
  struct Plan {
    /// Pixels per point.
    var unit: Double
    var fit: LegendFit
    /// The size of the words in pixels.
    var wordSize: Int { Int((fit.form.size * unit).rounded()) }
  }

  private var theme: PictureTheme { painter.theme }

  private func px(_ points: Double) -> Int { painter.px(points) }

  private func fitting(_ items: [HudContent.LegendItem]) -> LegendFitting {
    LegendFitting(painter: painter, items: items, viewWidth: viewWidth, viewHeight: viewHeight)
  }

  /// The picture for a legend of these items, as wide as the view.
  func picture(_ items: [HudContent.LegendItem]) -> PlatePicture? {
    plan(items).map { picture(items, $0) }
  }

  /// The form in the largest unit in which the legend leaves the map its room and shows its
  /// pictures and all text clearly. If there is none, or only a much smaller one, that in the
  /// largest unit that leaves the room. Nil if there is nothing to show.
  func plan(_ items: [HudContent.LegendItem]) -> Plan? {
    guard !items.isEmpty, painter.text != nil, viewWidth > 0 else { return nil }
    let least = min(painter.leastUnit, painter.unit)
    var unit = painter.unit
    var largest: Plan?
    while true {
      let plan = Plan(unit: unit, fit: painter.with(unit: unit) { fitting(items).best() })
      if plan.fit.height * LegendArt.mostHeight <= viewHeight || unit <= least {
        if plan.fit.form.isBest { return plan }
        if largest == nil { largest = plan }
      }
      let next = max(unit * LegendArt.smaller, least)
      let isFarSmaller = largest.map { next < $0.unit * LegendArt.leastClear } ?? false
      if next >= unit || isFarSmaller { return largest ?? plan }
      unit = next
    }
  }

  /// The picture of a plan for these items.
  func picture(_ items: [HudContent.LegendItem], _ plan: Plan) -> PlatePicture {
    painter.with(unit: plan.unit) { drawn(items, plan.fit) }
  }

  private func drawn(_ items: [HudContent.LegendItem], _ fit: LegendFit) -> PlatePicture {
    // The slots keep the buttons' order; in each slot the picture is on the side where reading
    // starts.
    let rightward = items.count { TextDirection(of: $0.text) == .rightToLeft }
    let isRightward = rightward * 2 >= items.count
    let image = painter.image(width: viewWidth, height: fit.height) { canvas in
      var field = Path()
      field.addRect(0, 0, Double(canvas.width), Double(canvas.height))
      painter.fill(field, theme.legend, on: canvas)
      var top = 0
      for (n, row) in fit.rows.enumerated() {
        let slots = items.dropFirst(n * fit.perRow).prefix(fit.perRow)
        for (k, item) in slots.enumerated() {
          let columns = fit.columns(k, width: viewWidth)
          if k > 0 {
            rule(
              Double(columns.lowerBound), Double(top + px(12)), Double(max(1, px(1))),
              Double(row.height - 2 * px(12)), canvas)
          }
          draw(
            item, fitting(items), fit.form, row, left: columns.lowerBound, width: columns.count,
            top: top, isRightward: isRightward, canvas)
        }
        top += row.height
      }
    }
    return PlatePicture(
      image: image, insetX: 0, insetY: 0, width: viewWidth, height: fit.height)
  }

  private func rule(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ canvas: PixelCanvas
  ) {
    var line = Path()
    line.addRect(x, y, width, height)
    painter.fill(line, theme.legendInk & 0x00FF_FFFF | 0x4000_0000, on: canvas)
  }

  /// Draws a slot. The first lines of all words of a row have the same baseline.
  private func draw(
    _ item: HudContent.LegendItem, _ fitting: LegendFitting, _ form: LegendForm,
    _ row: LegendFit.Row, left: Int, width: Int, top: Int, isRightward: Bool,
    _ canvas: PixelCanvas
  ) {
    let iconWidth = fitting.iconWidth(item, form)
    let room = max(1, width - 2 * px(form.pad) - iconWidth)
    func lines(_ text: String, _ size: Double, _ most: Int) -> [String] {
      painter.text?.wrap(text, size: px(size), width: room, maxLines: most) ?? []
    }
    func widest(_ lines: [String], _ size: Double) -> Int {
      lines.reduce(0) { max($0, painter.width($1, size: px(size))) }
    }
    let words = lines(item.text, form.size, form.wordLines)
    let holds = lines(item.below, form.holdSize, form.holdLines)
    let wide = max(widest(words, form.size), widest(holds, form.holdSize))
    let x = left + (width - iconWidth - wide) / 2
    let upper = top + (row.height - row.content) / 2
    let y = upper + fitting.iconHeight(form)
    if form.icons != .none, let icon = item.icon {
      let edge = px(form.icon)
      let isAbove = form.icons == .above
      let beside = isRightward ? x + wide + iconWidth - edge : x
      let iconX = isAbove ? left + (width - edge) / 2 : beside
      // A picture beside the words is in the middle of their line.
      let iconY = isAbove ? upper : y + (painter.line(form.size).height - edge) / 2
      painter.fill(
        icon.path(x: Double(iconX), y: Double(iconY), size: Double(edge)), theme.legendInk,
        rule: .evenOdd, on: canvas)
    }
    // Words without a picture beside them are in the middle of their slot.
    let isCentered = iconWidth == 0
    let textX = isRightward ? x : x + iconWidth
    let below = painter.drawLines(
      words, size: form.size, color: theme.legendInk, x: textX, y: y, width: wide,
      isCentered: isCentered, isRight: isRightward, on: canvas)
    painter.drawLines(
      holds, size: form.holdSize, color: theme.legendInk, x: textX, y: below, width: wide,
      isCentered: isCentered, isRight: isRightward, on: canvas)
  }
}
