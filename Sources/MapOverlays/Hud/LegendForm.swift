import Drawing

/// How the slots of the buttons' legend are filled. Words are never left out.
struct LegendForm {
  /// Where the pictures are.
  enum Icons { case beside, above, none }

  /// The size of the words in points.
  var size: Double
  var icons: Icons
  /// The space left and right in a slot, in points.
  var pad: Double
  /// How many lines the words and what is below them may take.
  var wordLines = 1
  var holdLines = 1
  /// The size of the pictures above the words at the full size of these, in points.
  var iconAbove = 24.0

  /// The size of what is below the words, which is always smaller, in points.
  var holdSize: Double { size > HudStyle.fine ? HudStyle.fine : 10 }
  /// The size of the pictures, in points.
  var icon: Double { size / HudStyle.body * (icons == .above ? iconAbove : 24) }
  /// The space between a picture and the words beside it, in points.
  var gap: Double { size / 2 }
  /// The least height of a row, in points.
  var row: Double { HudStyle.legendRow * size / HudStyle.body }

  /// Whether words are as large as on other plates.
  var isLarge: Bool { size >= HudStyle.body }
  /// Whether one sees at a glance what pressing does and what holding does.
  var isClear: Bool { isLarge && wordLines == 1 && holdLines == 1 }
  /// Whether the legend is as it should be: clear, with pictures beside the words.
  var isBest: Bool { isClear && icons == .beside }

  /// The size of words for which the full size has no room, in points.
  static let small = 14.0
  /// The size of pictures above the words on a screen without the height for larger ones.
  private static let lowIcon = 20.0

  /// Forms whose words are on one line, and in which nothing is smaller than fine print, the most
  /// readable first.
  static let forms = [
    LegendForm(size: HudStyle.body, icons: .beside, pad: 12),
    LegendForm(size: HudStyle.body, icons: .beside, pad: 4),
    LegendForm(size: HudStyle.body, icons: .above, pad: 4),
    LegendForm(size: HudStyle.body, icons: .above, pad: 4, iconAbove: lowIcon),
    LegendForm(size: HudStyle.body, icons: .beside, pad: 4, holdLines: 2),
    LegendForm(size: HudStyle.body, icons: .above, pad: 4, holdLines: 2),
    LegendForm(size: HudStyle.body, icons: .above, pad: 4, holdLines: 2, iconAbove: lowIcon),
    LegendForm(size: HudStyle.body, icons: .none, pad: 4),
    LegendForm(size: HudStyle.body, icons: .none, pad: 4, holdLines: 2),
    LegendForm(size: small, icons: .beside, pad: 4),
    LegendForm(size: small, icons: .above, pad: 4, holdLines: 2, iconAbove: lowIcon),
    LegendForm(size: small, icons: .none, pad: 4, holdLines: 2),
  ]
  /// Forms in fine print, with hold actions that are smaller still: only where these have no room
  /// in any number of rows.
  static let tiny = [
    LegendForm(size: HudStyle.fine, icons: .beside, pad: 4),
    LegendForm(size: HudStyle.fine, icons: .above, pad: 4, holdLines: 2, iconAbove: lowIcon),
    LegendForm(size: HudStyle.fine, icons: .none, pad: 4, holdLines: 2),
  ]
  /// Forms for words that are too long for all of these.
  static let wrapped = [
    LegendForm(
      size: HudStyle.fine, icons: .above, pad: 4, wordLines: 2, holdLines: 2, iconAbove: lowIcon),
    LegendForm(size: HudStyle.fine, icons: .none, pad: 4, wordLines: 2, holdLines: 2),
  ]
}

/// A form with the rows in which it shows all items.
struct LegendFit {
  /// A row of the legend. All lengths are pixels.
  struct Row: Equatable {
    /// The most lines of words and of what is below them in a slot.
    var words = 1
    var holds = 0
    /// The height of pictures, words and what is below.
    var content = 0
    var height = 0
  }

  var form: LegendForm
  /// The number of slots in a row.
  var perRow: Int
  var rows: [Row]
  /// The space left of the first slot and right of the last one.
  var inset: Int

  var height: Int { rows.reduce(0) { $0 + $1.height } }
}

/// Finds the most readable form of a legend in the painter's unit.
struct LegendFitting {
  let painter: SpritePainter
  let items: [HudContent.LegendItem]
  /// The view's size in pixels.
  let viewWidth: Int
  let viewHeight: Int

  /// The space between what is in a slot and the edges of the screen and of its row, in points.
  static let margin = 8.0
  /// How much a picture above the words reaches into the space of their line, in points.
  static let overlap = 2.0
  /// A legend has this many rows if all fits in them, and up to `utmostRows` otherwise.
  private static let mostRows = 2
  private static let utmostRows = 4
  /// More than one or two rows of the usual height may take this share of the view's height.
  private static let mostHeight = 0.3
  /// Up to this many slots stay in one row as long as their text is large.
  private static let fewSlots = 3
  /// A screen is low if two rows take more than one part in this many of its height.
  private static let lowScreen = 4

  private func px(_ points: Double) -> Int { painter.px(points) }

  /// The widths of an item's text and of what is below it, and those of their longest words.
  private struct Measure {
    var word: (all: Int, longest: Int)
    var hold: (all: Int, longest: Int)
  }

  private func measure(_ form: LegendForm) -> [Measure] {
    func widths(_ text: String, _ size: Double) -> (all: Int, longest: Int) {
      let size = px(size)
      let parts = TextRenderer.words(of: text).flatMap { TextRenderer.parts(ofWord: $0) }
      return (
        painter.width(text, size: size),
        parts.reduce(0) { max($0, painter.width($1, size: size)) }
      )
    }
    return items.map {
      Measure(word: widths($0.text, form.size), hold: widths($0.below, form.holdSize))
    }
  }

  /// The most readable form in which all items fit.
  ///
  /// A second row is preferred to smaller gaps, except on a low screen. It is always preferred to
  /// smaller text and to hold actions on two lines. Up to three slots stay in one row, side by side
  /// like their buttons, unless that requires smaller text. Pictures are above the words rather
  /// than left out. Only if the words fit in no form are there more than two rows, then text
  /// smaller than fine print, then words on two lines, and at last words that are cut.
  func best() -> LegendFit {
    let large = measure(LegendForm.forms[0])
    let small = measure(LegendForm.forms[LegendForm.forms.count - 1])
    let tiny = measure(LegendForm.wrapped[0])
    func fit(
      _ form: LegendForm, _ rows: Int, isLimited: Bool = true, mayTear: Bool = false
    ) -> LegendFit? {
      let measures = form.isLarge ? large : form.size > HudStyle.fine ? small : tiny
      let fit = self.fit(form, rows, measures, mayTear: mayTear)
      return fit.flatMap { !isLimited || $0.height <= mostHeight(rows) ? $0 : nil }
    }
    let (most, utmost) = (LegendFitting.mostRows, LegendFitting.utmostRows)
    let isFew = items.count <= LegendFitting.fewSlots
    let isLow = isFew || most * px(HudStyle.legendRow) * LegendFitting.lowScreen > viewHeight
    for rows in 1...(isLow ? most : 1) {
      for form in LegendForm.forms
      where !isLow || rows == most || form.isClear || isFew && form.isLarge {
        for rows in rows...(isLow ? rows : most) {
          if let fit = fit(form, rows) { return fit }
        }
      }
    }
    for rows in most + 1...utmost {
      for form in LegendForm.forms { if let fit = fit(form, rows) { return fit } }
    }
    for form in LegendForm.tiny {
      for rows in (isLow ? most : 1)...most { if let fit = fit(form, rows) { return fit } }
    }
    for rows in most + 1...utmost {
      for form in LegendForm.tiny { if let fit = fit(form, rows) { return fit } }
    }
    for mayTear in [false, true] {
      for form in LegendForm.wrapped {
        for rows in most...utmost {
          if let fit = fit(form, rows, mayTear: mayTear) { return fit }
        }
      }
    }
    // On a very low screen the lowest of all, as long as half of the screen is left to the map.
    let forms = LegendForm.forms + LegendForm.tiny + LegendForm.wrapped
    let all = (1...utmost).flatMap { rows in
      forms.compactMap { fit($0, rows, isLimited: false, mayTear: true) }
    }
    if let lowest = all.min(by: { $0.height < $1.height }), lowest.height * 2 <= viewHeight {
      return lowest
    }
    return cut(tiny)
  }

  /// Two rows in which words may be cut.
  private func cut(_ measures: [Measure]) -> LegendFit {
    let form = LegendForm(size: HudStyle.fine, icons: .none, pad: 4, wordLines: 2)
    let most = LegendFitting.mostRows
    let perRow = (items.count + most - 1) / most
    let lines = measures.map { (words: 2, holds: $0.hold.all == 0 ? 0 : 1) }
    return LegendFit(
      form: form, perRow: perRow, rows: rows(form, perRow, lines), inset: inset(form))
  }

  private func mostHeight(_ rows: Int) -> Int {
    max(
      min(rows, LegendFitting.mostRows) * px(HudStyle.legendRow),
      Int(Double(viewHeight) * LegendFitting.mostHeight))
  }

  private func inset(_ form: LegendForm) -> Int {
    max(0, px(LegendFitting.margin) - px(form.pad))
  }

  /// Whether a character or a sign is alone on a line, which a letter or a digit may be.
  static func isTorn(_ lines: [String]) -> Bool {
    lines.count > 1
      && lines.contains { line in
        line.count == 1 && line.unicodeScalars.contains { $0.value >= 0x250 || $0.value < 0x30 }
      }
  }

  /// The rows of a form; nil: an item has no room, or, unless lines `mayTear` words, one of their
  /// characters would be alone on a line.
  private func fit(
    _ form: LegendForm, _ rows: Int, _ measures: [Measure], mayTear: Bool
  ) -> LegendFit? {
    let perRow = (items.count + rows - 1) / rows
    let inset = inset(form)
    let slot = (viewWidth - 2 * inset) / perRow
    var lines: [(words: Int, holds: Int)] = []
    for (item, measure) in zip(items, measures) {
      let room = slot - 2 * px(form.pad) - iconWidth(item, form)
      func count(
        _ text: String, _ widths: (all: Int, longest: Int), _ size: Double, _ most: Int
      ) -> Int? {
        if widths.all <= room { return text.isEmpty ? 0 : 1 }
        guard most > 1, widths.longest <= room else { return nil }
        let lines = painter.text?.wrap(text, size: px(size), width: room, maxLines: most + 1) ?? []
        if !mayTear, LegendFitting.isTorn(lines) { return nil }
        return lines.count <= most ? lines.count : nil
      }
      guard let words = count(item.text, measure.word, form.size, form.wordLines),
        let holds = count(item.below, measure.hold, form.holdSize, form.holdLines)
      else { return nil }
      lines.append((words, holds))
    }
    return LegendFit(form: form, perRow: perRow, rows: self.rows(form, perRow, lines), inset: inset)
  }

  /// The width of an item's picture beside its words, with the space between.
  func iconWidth(_ item: HudContent.LegendItem, _ form: LegendForm) -> Int {
    form.icons == .beside && item.icon != nil ? px(form.icon) + px(form.gap) : 0
  }

  /// The height that a picture above the words adds.
  func iconHeight(_ form: LegendForm) -> Int {
    form.icons == .above && items.contains { $0.icon != nil }
      ? px(form.icon) - px(LegendFitting.overlap) : 0
  }

  private func rows(
    _ form: LegendForm, _ perRow: Int, _ lines: [(words: Int, holds: Int)]
  ) -> [LegendFit.Row] {
    let (word, hold) = (painter.line(form.size).height, painter.line(form.holdSize).height)
    return stride(from: 0, to: lines.count, by: perRow).map { start in
      let slots = lines[start..<min(start + perRow, lines.count)]
      var row = LegendFit.Row()
      row.words = max(1, slots.map(\.words).max() ?? 1)
      row.holds = slots.map(\.holds).max() ?? 0
      row.content = iconHeight(form) + row.words * word + row.holds * hold
      row.height = max(px(form.row), row.content + 2 * px(LegendFitting.margin))
      return row
    }
  }
}
