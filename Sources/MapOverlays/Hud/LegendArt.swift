import Drawing
import MapScene
import Pixels

/// Draws what each button does along the screen's lower edge: a slot for each, in their physical
/// order, in one row or two.
///
/// The map comes first. The legend of a large HUD is therefore as large as a sixth of the screen's
/// height allows. It may shrink to half of that if its pictures then fit and each hold action stays
/// on one line.
struct LegendArt {
  let painter: SpritePainter
  /// The view's width in pixels.
  let viewWidth: Int
  /// The view's height in pixels.
  let viewHeight: Int

  private static let icon = 24.0
  private static let gap = 8.0
  private static let mostRows = 2
  /// A legend larger than the display's own size may take one part in this many of the view's
  /// height.
  private static let mostHeight = 6
  /// Up to this many slots stay in one row as long as their text is large.
  private static let fewSlots = 3
  /// A screen is low if two rows take more than one part in this many of its height.
  private static let lowScreen = 4
  /// The ratio of each size tried to the previous one.
  private static let smaller = 0.9
  /// Text shrinks at most to this share of its size to make room for the pictures.
  private static let leastClear = 0.5

  private var theme: PictureTheme { painter.theme }

  private func px(_ points: Double) -> Int { painter.px(points) }

  /// How the slots are filled, the most readable first. Words are never left out.
  private struct Form {
    var size: Double
    var hasIcons: Bool
    var pad: Double
    /// Whether what is below the word may take two lines.
    var isWrapped = false

    /// Whether words are as large as on other plates.
    var isLarge: Bool { size >= HudStyle.body }
    /// Whether one sees at a glance what pressing does and what holding does.
    var isClear: Bool { !isWrapped && isLarge }
  }

  private static let forms = [
    Form(size: HudStyle.body, hasIcons: true, pad: 12),
    Form(size: HudStyle.body, hasIcons: true, pad: 4),
    Form(size: HudStyle.body, hasIcons: true, pad: 4, isWrapped: true),
    Form(size: HudStyle.body, hasIcons: false, pad: 6),
    Form(size: HudStyle.body, hasIcons: false, pad: 4, isWrapped: true),
    Form(size: HudStyle.fine, hasIcons: true, pad: 4),
    Form(size: HudStyle.fine, hasIcons: false, pad: 4, isWrapped: true),
  ]

  private func textWidth(_ item: HudContent.LegendItem, _ form: Form) -> Int {
    let text = painter.width(item.text, size: px(form.size))
    let below = painter.width(item.below, size: px(HudStyle.fine))
    if !form.isWrapped || below <= text { return max(text, below) }
    // Wrapped to two lines, the text is a little wider than half its length.
    return widest(belowLines(item, max(text, below * 13 / 20)), HudStyle.fine, least: text)
  }

  private func belowLines(_ item: HudContent.LegendItem, _ width: Int) -> [String] {
    painter.text?.wrap(item.below, size: px(HudStyle.fine), width: width, maxLines: 2) ?? []
  }

  private func widest(_ lines: [String], _ size: Double, least: Int) -> Int {
    lines.reduce(least) { max($0, painter.width($1, size: px(size))) }
  }

  private func iconWidth(_ item: HudContent.LegendItem, _ form: Form) -> Int {
    form.hasIcons && item.icon != nil ? px(LegendArt.icon) + px(LegendArt.gap) : 0
  }

  /// The picture for a legend of these items, as wide as the view.
  func picture(_ items: [HudContent.LegendItem]) -> PlatePicture? {
    guard !items.isEmpty, painter.text != nil, viewWidth > 0 else { return nil }
    return painter.with(unit: unit(items)) { drawn(items) }
  }

  /// The largest unit in which the legend leaves the map its room and shows its pictures and all
  /// text clearly. If there is none, or only a much smaller one, the largest unit that leaves the
  /// room.
  private func unit(_ items: [HudContent.LegendItem]) -> Double {
    let least = min(painter.leastUnit, painter.unit)
    var unit = painter.unit
    var largest: Double?
    while true {
      let (fits, isClear) = painter.with(unit: unit) {
        let (form, perRow) = fitting(items)
        let rows = (items.count - 1) / perRow + 1
        let height = rows * px(HudStyle.legendRow) * LegendArt.mostHeight
        return (height <= viewHeight || unit <= least, form.isClear && form.hasIcons)
      }
      if fits {
        if isClear { return unit }
        largest = largest ?? unit
      }
      let next = max(unit * LegendArt.smaller, least)
      if next >= unit || largest.map({ next < $0 * LegendArt.leastClear }) == true { break }
      unit = next
    }
    return largest ?? least
  }

  private func drawn(_ items: [HudContent.LegendItem]) -> PlatePicture {
    let (form, perRow) = fitting(items)
    // The slots keep the buttons' order; in each slot the picture is on the side where reading
    // starts.
    let rightward = items.count { TextDirection(of: $0.text) == .rightToLeft }
    let isRightward = rightward * 2 >= items.count
    let rows = min(LegendArt.mostRows, (items.count + perRow - 1) / perRow)
    let row = px(HudStyle.legendRow)
    let image = painter.image(width: viewWidth, height: rows * row) { canvas in
      var field = Path()
      field.addRect(0, 0, Double(canvas.width), Double(canvas.height))
      painter.fill(field, theme.legend, on: canvas)
      for (n, item) in items.prefix(rows * perRow).enumerated() {
        let left = n % perRow * viewWidth / perRow
        let right = (n % perRow + 1) * viewWidth / perRow
        if n % perRow > 0 {
          rule(
            Double(left), Double(n / perRow * row + px(12)), Double(max(1, px(1))),
            Double(row - 2 * px(12)), canvas)
        }
        draw(
          item, form, left: left, width: right - left, top: n / perRow * row,
          isRightward: isRightward, canvas)
      }
    }
    return PlatePicture(
      image: image, insetX: 0, insetY: 0, width: viewWidth, height: rows * row)
  }

  /// The most readable form in which all items fit, and the number of slots in a row.
  ///
  /// A second row is preferred to smaller gaps, except on a low screen. It is always preferred to
  /// smaller text and to hold actions on two lines. Up to three slots stay in one row, side by side
  /// like their buttons, unless that requires smaller text.
  private func fitting(_ items: [HudContent.LegendItem]) -> (Form, Int) {
    let most = LegendArt.mostRows
    let isFew = items.count <= LegendArt.fewSlots
    let isLow = isFew || most * px(HudStyle.legendRow) * LegendArt.lowScreen > viewHeight
    for rows in 1...(isLow ? most : 1) {
      for form in LegendArt.forms
      where !isLow || rows == most || form.isClear || isFew && form.isLarge {
        let widest = items.map { textWidth($0, form) + iconWidth($0, form) }.max() ?? 0
        for rows in rows...(isLow ? rows : most) {
          let perRow = (items.count + rows - 1) / rows
          if (widest + 2 * px(form.pad)) * perRow <= viewWidth { return (form, perRow) }
        }
      }
    }
    let last = LegendArt.forms[LegendArt.forms.count - 1]
    return (last, (items.count + most - 1) / most)
  }

  private func rule(
    _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ canvas: PixelCanvas
  ) {
    var line = Path()
    line.addRect(x, y, width, height)
    painter.fill(line, theme.legendInk & 0x00FF_FFFF | 0x4000_0000, on: canvas)
  }

  private func draw(
    _ item: HudContent.LegendItem, _ form: Form, left: Int, width: Int, top: Int,
    isRightward: Bool, _ canvas: PixelCanvas
  ) {
    let row = px(HudStyle.legendRow)
    let pad = px(form.pad)
    let iconWidth = iconWidth(item, form)
    let room = max(1, width - 2 * pad - iconWidth)
    let text =
      painter.text?.ellipsized(item.text, size: px(form.size), width: room) ?? item.text
    let below = belowLines(item, room)
    let wide = widest(below, HudStyle.fine, least: painter.width(text, size: px(form.size)))
    let x = left + (width - iconWidth - wide) / 2
    if iconWidth > 0, let icon = item.icon {
      let edge = px(LegendArt.icon)
      let iconX = isRightward ? x + wide + iconWidth - edge : x
      let path = icon.path(x: Double(iconX), y: Double(top + (row - edge) / 2), size: Double(edge))
      painter.fill(path, theme.legendInk, rule: .evenOdd, on: canvas)
    }
    let (line, small) = (painter.line(form.size), painter.line(HudStyle.fine))
    let y = top + (row - line.height - below.count * small.height) / 2
    // Words without a picture stand in the middle of their slot.
    let isCentered = iconWidth == 0
    let textX = isRightward ? x : x + iconWidth
    painter.drawLines(
      [text], size: form.size, color: theme.legendInk, x: textX, y: y, width: wide,
      isCentered: isCentered, isRight: isRightward, on: canvas)
    painter.drawLines(
      below, size: HudStyle.fine, color: theme.legendInk, x: textX, y: y + line.height,
      width: wide, isCentered: isCentered, isRight: isRightward, on: canvas)
  }
}
