import Drawing
import Glibc
import MapGeometry
import MapScene
import Pixels

/// The plates over the map: whose data it is, a scale, where north is, what the buttons do, and what
/// is to be told. Each is drawn once, when what it shows or the room that it has changes.
///
/// The corners and edges are dealt out in the order of importance; what then finds no room without
/// covering another is left out.
public final class Hud {
  /// An element on the screen: what its picture was made of, and where it is.
  private struct Element {
    var key: Key
    var sprite: Sprite
  }

  /// What a picture is made of; two of the same are the same picture.
  private enum Key: Equatable {
    case lines([String])
    case scale(ScaleBar)
    case north(Int)
    case card(HudContent.Card, width: Int)
    case legend([HudContent.LegendItem], width: Int)
  }

  private enum Part: Int, CaseIterable {
    case legend, attribution, notice, scale, north, card, toast, numbers
  }

  private let painter: SpritePainter
  private var elements: [Element?] = Array(repeating: nil, count: Part.allCases.count)
  private var shown: HudContent?
  private var view = PixelRect(x: 0, y: 0, width: 0, height: 0)
  private var scale = 1
  private var transform = ColorTransform.identity
  private var fonts = 0
  private var free: [PixelRect] = []

  /// What lies over the map, bottom first.
  public private(set) var sprites: [Sprite] = []
  /// The parts of the screen that they cover.
  public private(set) var rects: [PixelRect] = []

  public init(_ painter: SpritePainter) { self.painter = painter }

  /// Bytes of the pictures.
  public var bytes: Int { sprites.reduce(0) { $0 + $1.image.bytes } }

  /// Shows `content` on a view of that size in pixels. Returns whether anything changed.
  @discardableResult
  public func show(_ content: HudContent, width: Int, height: Int, scale: Int) -> Bool {
    let screen = PixelRect(x: 0, y: 0, width: width, height: height)
    let sameLook =
      scale == self.scale && painter.transform == transform && painter.fontVersion == fonts
    if sameLook, screen == view, content == shown { return false }
    if !sameLook {
      for part in Part.allCases { elements[part.rawValue] = nil }
    }
    fonts = painter.fontVersion
    (view, self.scale, transform, shown) = (screen, scale, painter.transform, content)
    free.removeAll(keepingCapacity: true)
    layOut(content)
    sprites.removeAll(keepingCapacity: true)
    for part in Part.allCases {
      if let element = elements[part.rawValue] { sprites.append(element.sprite) }
    }
    rects.removeAll(keepingCapacity: true)
    for sprite in sprites { rects.append(sprite.rect) }
    return true
  }

  // MARK: Where things are

  private func layOut(_ content: HudContent) {
    let margin = HudStyle.margin * scale
    let gap = HudStyle.gap * scale
    var bottom = view.height
    // The buttons' legend: along the edge.
    let legend = element(.legend, content.legend.isEmpty ? nil : legendKey(content.legend)) {
      drawLegend(content.legend)
    }
    if let legend, place(.legend, legend, x: 0, y: view.height - legend.height) {
      bottom -= legend.height
    }
    // The scale in the lower left corner; the attribution in the lower right one, above all of it
    // where there is no room beside it.
    let bar = element(.scale, content.scaleBar.map { .scale($0) }) {
      drawScale(content.scaleBar)
    }
    let beside = view.width - (bar.map { $0.width + 2 * margin } ?? 0)
    var raised = bottom
    if !content.attribution.isEmpty {
      var lines = lines(content.attribution, HudStyle.fine, beside - 12 * scale, 6)
      if lines.count > 2, bar != nil {
        let whole = self.lines(content.attribution, HudStyle.fine, view.width - 12 * scale, 6)
        if whole.count < lines.count { lines = whole }
      }
      let plate = element(.attribution, .lines(lines)) { drawAttribution(lines) }
      if let plate,
        place(.attribution, plate, x: view.width - plate.width, y: bottom - plate.height)
      {
        if plate.width > beside { raised = bottom - plate.height }
      }
    } else {
      elements[Part.attribution.rawValue] = nil
    }
    // What is wrong, in the upper left corner; the arrow in the upper right one.
    let arrowRoom = content.bearing == nil ? 0 : Hud.arrowEdge * scale + gap
    let noticeLines = lines(
      content.notice, HudStyle.body, view.width - 2 * margin - arrowRoom - 24 * scale, 4)
    let notice = element(.notice, noticeLines.isEmpty ? nil : .lines(noticeLines)) {
      drawLines(noticeLines, HudStyle.body, HudStyle.alarm)
    }
    if let notice { place(.notice, notice, x: margin, y: margin) }
    if let bar { place(.scale, bar, x: margin, y: raised - margin - bar.height) }
    let north = element(.north, content.bearing.map { .north($0) }) {
      drawNorth(content.bearing ?? 0)
    }
    if let north { place(.north, north, x: view.width - margin - north.width, y: margin) }
    layOutTransient(content, margin, gap)
    // The numbers above the scale.
    let numbers = content.numbers
    let plate = element(.numbers, numbers.isEmpty ? nil : .lines([numbers])) {
      drawLines([numbers], HudStyle.body, HudStyle.light)
    }
    if let plate {
      let above = elements[Part.scale.rawValue].map { $0.sprite.y - gap } ?? raised - margin
      place(.numbers, plate, x: margin, y: above - plate.height)
    }
  }

  /// The card in the middle and the toast above it.
  private func layOutTransient(_ content: HudContent, _ margin: Int, _ gap: Int) {
    let room = min(420 * scale, view.width - 2 * margin)
    let card = element(.card, content.card.map { .card($0, width: room) }) {
      content.card.map { drawCard($0, room) } ?? nil
    }
    if let card {
      let x = (view.width - card.width) / 2
      var y = (view.height - card.height) / 2
      // A screen that is low has its middle in the way of what stands below.
      let rect = PixelRect(x: x, y: y, width: card.width, height: card.height)
      if let low = free.filter({ $0.intersects(rect) && $0.y > y }).map(\.y).min() {
        y = max(margin, low - gap - card.height)
      }
      place(.card, card, x: x, y: y)
    }
    let toastLines = lines(content.toast, HudStyle.body, view.width - 4 * margin, 2)
    let toast = element(.toast, toastLines.isEmpty ? nil : .lines(toastLines)) {
      drawLines(toastLines, HudStyle.body, HudStyle.dark)
    }
    if let toast {
      let x = (view.width - toast.width) / 2
      // Below what stands at the top.
      var y = margin
      for rect in free.sorted(by: { $0.y < $1.y }) {
        let own = PixelRect(x: x, y: y, width: toast.width, height: toast.height)
        if rect.intersects(own) { y = rect.maxY + gap }
      }
      place(.toast, toast, x: x, y: y)
    }
  }

  /// Puts a picture there if nothing else is; otherwise it is not shown.
  @discardableResult
  private func place(_ part: Part, _ image: SpriteImage, x: Int, y: Int) -> Bool {
    let rect = PixelRect(x: x, y: y, width: image.width, height: image.height)
    guard rect.x >= 0, rect.y >= 0, rect.maxX <= view.width, rect.maxY <= view.height,
      !free.contains(where: { $0.intersects(rect) })
    else {
      elements[part.rawValue] = nil
      return false
    }
    free.append(rect)
    elements[part.rawValue]?.sprite.x = x
    elements[part.rawValue]?.sprite.y = y
    return true
  }

  /// The part's picture: the one it has where that was made of the same, else a new one.
  private func element(_ part: Part, _ key: Key?, _ draw: () -> SpriteImage?) -> SpriteImage? {
    guard let key else {
      elements[part.rawValue] = nil
      return nil
    }
    if let element = elements[part.rawValue], element.key == key { return element.sprite.image }
    elements[part.rawValue] = draw().map { Element(key: key, sprite: Sprite($0, x: 0, y: 0)) }
    return elements[part.rawValue]?.sprite.image
  }

  private func lines(_ words: String, _ size: Int, _ width: Int, _ most: Int) -> [String] {
    if words.isEmpty { return [] }
    return painter.text?.wrap(words, size: size * scale, width: max(width, 16), maxLines: most)
      ?? []
  }

  // MARK: What things look like

  private func lineHeight(_ size: Int) -> (ascent: Int, height: Int) {
    painter.lineHeight(size * scale)
  }

  /// Lines of words on a plate.
  private func drawLines(_ lines: [String], _ size: Int, _ plate: HudStyle.Plate) -> SpriteImage? {
    guard painter.text != nil, !lines.isEmpty else { return nil }
    let (padX, padY) = (10 * scale, 6 * scale)
    let (ascent, height) = lineHeight(size)
    let width = lines.map { painter.width($0, size: size * scale) }.max() ?? 0
    return painter.image(width: width + 2 * padX, height: lines.count * height + 2 * padY) {
      painter.plate(plate, scale: scale, on: $0)
      for (n, line) in lines.enumerated() {
        painter.words(
          line, size: size * scale, color: plate.ink, x: padX,
          baseline: padY + n * height + ascent, on: $0)
      }
    }
  }

  /// In the corner, with one round corner of its own.
  private func drawAttribution(_ lines: [String]) -> SpriteImage? {
    guard painter.text != nil, !lines.isEmpty else { return nil }
    let (padX, padY) = (6 * scale, 2 * scale)
    let (ascent, height) = lineHeight(HudStyle.fine)
    let width = lines.map { painter.width($0, size: HudStyle.fine * scale) }.max() ?? 0
    return painter.image(width: width + 2 * padX, height: lines.count * height + 2 * padY) {
      var path = Path()
      // Its other corners lie beyond the picture.
      let r = HudStyle.radius * Double(scale)
      path.addRoundedRect(0, 0, Double($0.width) + 2 * r, Double($0.height) + 2 * r, radius: r)
      painter.fill(path, HudStyle.light.field, on: $0)
      for (n, line) in lines.enumerated() {
        painter.words(
          line, size: HudStyle.fine * scale, color: HudStyle.light.ink, x: padX,
          baseline: padY + n * height + ascent, on: $0)
      }
    }
  }

  private func drawScale(_ bar: ScaleBar?) -> SpriteImage? {
    guard let bar, painter.text != nil else { return nil }
    let s = scale
    let size = HudStyle.body * s
    let (ascent, height) = lineHeight(HudStyle.body)
    let wordsWidth = painter.width(bar.text, size: size)
    let padX = 10 * s
    let inner = max(bar.pixels, wordsWidth)
    let barY = 4 * s + height + 2 * s
    let tick = 7 * s
    return painter.image(width: inner + 2 * padX, height: barY + tick + 6 * s) { canvas in
      painter.plate(HudStyle.light, scale: s, on: canvas)
      painter.words(
        bar.text, size: size, color: HudStyle.light.ink, x: padX + (inner - wordsWidth) / 2,
        baseline: 4 * s + ascent, on: canvas)
      // From outer edge to outer edge exactly as long as it says.
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

  private static let arrowEdge = 60

  private func drawNorth(_ bearing: Int) -> SpriteImage? {
    let s = Double(scale)
    let edge = Hud.arrowEdge * scale
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
      painter.words(
        "N", size: size, weight: .bold, color: HudStyle.light.ink,
        x: Int((at[0] - Double(width) / 2).rounded()), baseline: Int((at[1] + 5.1 * s).rounded()),
        on: canvas)
    }
  }

  private func drawCard(_ card: HudContent.Card, _ room: Int) -> SpriteImage? {
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
        painter.words(
          line, size: titleSize, weight: .bold, color: HudStyle.dark.ink,
          x: (width - widths[n]) / 2,
          baseline: y + titleAscent, on: $0)
        y += titleHeight
      }
      y += between
      for (n, line) in body.enumerated() {
        painter.words(
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

  private func legendKey(_ items: [HudContent.LegendItem]) -> Key {
    .legend(items, width: view.width)
  }

  /// Slots of equal width in the buttons' order, in as few rows as they go into; where more than two
  /// would be needed, icons alone.
  private func drawLegend(_ items: [HudContent.LegendItem]) -> SpriteImage? {
    let s = scale
    let size = HudStyle.body * s
    let wordWidths = items.map { painter.width($0.words, size: size) }
    let bare = (2 * Hud.slotPad + Hud.iconEdge) * s
    let widest = (wordWidths.max() ?? 0) + bare + Hud.iconGap * s
    var perRow = max(1, min(items.count, view.width / max(1, widest)))
    var rows = (items.count + perRow - 1) / perRow
    let hasWords = rows <= 2
    if !hasWords {
      perRow = max(1, min(items.count, view.width / bare))
      rows = min(2, (items.count + perRow - 1) / perRow)
    }
    // Rows of about equal length.
    perRow = min(perRow, (items.count + rows - 1) / rows)
    let row = Hud.rowHeight * s
    let (ascent, height) = lineHeight(HudStyle.body)
    return painter.image(width: view.width, height: rows * row) { canvas in
      var field = Path()
      field.addRect(0, 0, Double(canvas.width), Double(canvas.height))
      painter.fill(field, HudStyle.dark.field, on: canvas)
      for (n, item) in items.prefix(rows * perRow).enumerated() {
        let left = n % perRow * view.width / perRow
        let right = (n % perRow + 1) * view.width / perRow
        let top = n / perRow * row
        let content =
          Hud.iconEdge * s + (hasWords ? Hud.iconGap * s + wordWidths[n] : 0)
        let x = left + (right - left - content) / 2
        if n % perRow > 0 {
          var line = Path()
          line.addRect(Double(left), Double(top + 8 * s), Double(s), Double(row - 16 * s))
          painter.fill(line, 0x40FF_FFFF, on: canvas)
        }
        let icon = item.icon.path(
          x: Double(x), y: Double(top + (row - Hud.iconEdge * s) / 2),
          size: Double(Hud.iconEdge * s))
        painter.fill(icon, HudStyle.dark.ink, rule: .evenOdd, on: canvas)
        if hasWords {
          painter.words(
            item.words, size: size, color: HudStyle.dark.ink,
            x: x + (Hud.iconEdge + Hud.iconGap) * s, baseline: top + (row - height) / 2 + ascent,
            on: canvas)
        }
      }
    }
  }
}
