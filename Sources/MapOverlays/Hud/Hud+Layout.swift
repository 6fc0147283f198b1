import MapGeometry
import MapScene
import Pixels

/// Where each part of the HUD stands.
extension Hud {
  func layOut(_ content: HudContent) {
    let margin = px(HudStyle.margin)
    let gap = px(HudStyle.gap)
    var bottom = view.height
    // The buttons' legend along the lower edge.
    let legendKey = Key.legend(content.legend, width: view.width, height: view.height)
    let legend = element(.legend, content.legend.isEmpty ? nil : legendKey) {
      let art = LegendArt(painter: painter, viewWidth: view.width, viewHeight: view.height)
      legendPlan = art.plan(content.legend)
      return legendPlan.map { art.picture(content.legend, $0) }
    }
    if let legend, place(.legend, legend, x: 0, y: view.height - legend.height) {
      bottom -= legend.height
    }
    // The scale bar in the lower left corner. The attribution in the lower right one, or below the
    // scale bar if there is no room beside it.
    let bar = element(.scale, content.scaleBar.map { .scale($0, $0.text(content.words)) }) {
      art.scaleBar(content.scaleBar, content.scaleBar?.text(content.words) ?? "")
    }
    let beside = view.width - (bar.map { $0.width + 2 * margin } ?? 0)
    var raised = bottom
    if let plate = attribution(content.attribution, beside: beside, hasBar: bar != nil) {
      let isPlaced = place(
        .attribution, plate, x: view.width - plate.width, y: bottom - plate.height)
      if isPlaced, plate.width > beside { raised = bottom - plate.height }
    }
    layOutPanelAndNotices(content, bar, raised: raised, margin, gap)
    layOutCaption(content, bottom: bottom, margin, gap)
    layOutTransient(content, margin, gap)
    let numbersTop = layOutNumbers(content.numbers, raised, margin, gap)
    // The colours of tracks above both.
    let ramp = element(.ramp, content.ramp.map { .ramp($0) }) {
      content.ramp.flatMap { art.ramp($0) }
    }
    if let ramp {
      let below = numbersTop ?? elements[Part.scale.rawValue]?.y
      let above = below.map { $0 - gap } ?? raised - margin
      place(.ramp, ramp, x: margin, y: above - ramp.height)
    }
  }

  /// The plate of the attribution; nil: there is none. `beside` pixels are free beside the scale
  /// bar.
  private func attribution(_ attribution: String, beside: Int, hasBar: Bool) -> PlatePicture? {
    let unit = attributionUnit
    return painter.with(unit: unit) {
      let padding = 2 * px(HudStyle.padX)
      let lines = attributionLines.lines(
        of: attribution, beside: beside - padding, whole: hasBar ? view.width - padding : nil,
        painter)
      return element(.attribution, lines.isEmpty ? nil : .attribution(lines, unit: unit)) {
        art.attribution(lines)
      }
    }
  }

  /// The pixels per point of the attribution. It is read from nearby, so it grows only with the
  /// square root of the HUD's size, and it is never larger than the words of the buttons' legend.
  private var attributionUnit: Double {
    let unit = min(painter.unit, (painter.unit * painter.leastUnit).squareRoot())
    guard elements[Part.legend.rawValue] != nil, let legendPlan else { return unit }
    return min(unit, Double(legendPlan.wordSize) / HudStyle.fine)
  }

  /// Lays out the zoom and the coordinates above the scale bar. Where they would hide a pin of
  /// "here" or the position, or something else is there, they are in the upper left corner, beside
  /// the scale bar, or above the panel unless too little of the map would be left there. A place
  /// at a distance from everything else comes first.
  ///
  /// - Returns: Their upper edge if they are above the scale bar.
  private func layOutNumbers(_ text: String, _ raised: Int, _ margin: Int, _ gap: Int) -> Int? {
    let room = view.width - 2 * margin - 2 * px(HudStyle.padX)
    var words = lines(text, HudStyle.body, room, 3)
    if words.count > 1 {
      let parts = text.split(separator: HudContent.separator).joined(separator: "\n")
      // On the narrowest screens the longitude has a line, too.
      words = lines(parts, HudStyle.body, room, 4)
    }
    let plate = element(.numbers, words.isEmpty ? nil : .lines(words)) {
      art.lines(words, HudStyle.body, theme.plateStyle)
    }
    guard let plate else { return nil }
    let scale = elements[Part.scale.rawValue]?.rect
    let low = (scale.map { $0.y - gap } ?? raised - margin) - plate.height
    var places: [(x: Int, y: Int)] = [(margin, low), (margin, margin)]
    if let scale { places.append((scale.maxX + gap, scale.maxY - plate.height)) }
    if let panel = panelRect {
      let (y, top) = (
        panel.y - gap - plate.height, free.map(\.maxY).filter { $0 <= panel.y }.max() ?? 0
      )
      if y - top >= mapRows { places.append((panel.x, y)) }
    }
    for isApart in [true, false] {
      for at in places {
        let rect = PixelRect(x: at.x, y: at.y, width: plate.width, height: plate.height)
        let around = PixelRect(
          x: at.x - gap, y: at.y - gap, width: plate.width + 2 * gap,
          height: plate.height + 2 * gap)
        guard canPlace(rect), !isApart || !free.contains(where: { $0.intersects(around) }),
          !hidesPin(rect)
        else { continue }
        place(.numbers, plate, x: at.x, y: at.y)
        return at == places[0] ? low : nil
      }
    }
    elements[Part.numbers.rawValue] = nil
    return nil
  }

  /// Lays out the card in the middle and the toast at the top.
  func layOutTransient(_ content: HudContent, _ margin: Int, _ gap: Int) {
    let room = min(px(420), view.width - 2 * margin)
    // On a small screen there may be room for one with less padding.
    for isCompact in [false, true] {
      let key = content.card.map { Key.card($0, width: room, isCompact: isCompact) }
      let card = element(.card, key) {
        content.card.flatMap { art.card($0, room, isCompact: isCompact) }
      }
      guard let card else { break }
      // As near to the middle as there is room.
      let x = (view.width - card.width) / 2
      let middle = (view.height - card.height) / 2
      let y = freeRows(card, x, margin, gap).min { abs($0 - middle) < abs($1 - middle) }
      if place(.card, card, x: x, y: y ?? middle) { break }
    }
    let toastLines = lines(content.toast, HudStyle.body, view.width - 4 * margin, 2)
    let toast = element(.toast, toastLines.isEmpty ? nil : .lines(toastLines)) {
      art.lines(toastLines, HudStyle.body, theme.plateStyle)
    }
    if let toast {
      let x = (view.width - toast.width) / 2
      // As far up as there is room.
      place(.toast, toast, x: x, y: freeRows(toast, x, margin, gap).min() ?? margin)
    }
  }
}
