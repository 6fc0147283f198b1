import Drawing
import Glibc
import MapGeometry
import MapScene
import Pixels

/// The plates over the map: attribution, scale bar, north arrow, the buttons' legend, notices and
/// messages. Each is drawn once, and again when its content or the space for it changes.
///
/// Parts take their corners and edges in the order of their importance. A part that would cover
/// another one is left out.
public final class Hud {
  /// An element on the screen: what its picture was made from, and where its plate is.
  private struct Element {
    var key: Key
    var picture: PlatePicture
    var x = 0
    var y = 0

    var sprite: Sprite { picture.sprite(x: x, y: y) }
    var rect: PixelRect {
      PixelRect(x: x, y: y, width: picture.width, height: picture.height)
    }
  }

  /// What a picture is made from. Equal keys give equal pictures.
  private enum Key: Equatable {
    case lines([String])
    case scale(ScaleBar, String)
    case north(Int, String)
    case card(HudContent.Card, width: Int, isCompact: Bool)
    case legend([HudContent.LegendItem], width: Int, height: Int)
    case notices(NoticeBanner)
    case ramp(RampKey)
    case panel(Panel, width: Int, height: Int, unit: Double)
  }

  private enum Part: Int, CaseIterable {
    case legend, attribution, notice, scale, north, card, toast, numbers, ramp, caption, panel
  }

  private let painter: SpritePainter
  private var elements: [Element?] = Array(repeating: nil, count: Part.allCases.count)
  private var shown: HudContent?
  private var view = PixelRect(x: 0, y: 0, width: 0, height: 0)
  private var unit = 0.0
  private var theme = PictureTheme.day
  private var fonts = 0
  private var notices = NoticePages()
  private var panels = PanelRoom()
  /// The rectangles taken so far.
  private var free: [PixelRect] = []

  /// The sprites over the map, bottom first.
  public private(set) var sprites: [Sprite] = []
  /// The parts of the screen that they cover without their shadows, in view pixels.
  public private(set) var rects: [PixelRect] = []

  /// Where the panel is, in view pixels; nil: none is shown.
  public var panelRect: PixelRect? { elements[Part.panel.rawValue]?.rect }

  /// The size of the panel in pixels per point; nil: none is shown.
  var panelUnit: Double? {
    guard case .panel(_, _, _, let unit)? = elements[Part.panel.rawValue]?.key else { return nil }
    return unit
  }

  /// How many pages the notices have.
  public var noticePages: Int { notices.count }

  /// Where the notices are, in view pixels; nil: none is shown.
  public var noticeRect: PixelRect? { elements[Part.notice.rawValue]?.rect }

  /// Creates an empty HUD.
  ///
  /// - Parameter painter: Draws the pictures.
  public init(_ painter: SpritePainter) { self.painter = painter }

  /// Bytes of the pictures.
  public var bytes: Int { sprites.reduce(0) { $0 + $1.image.bytes } }

  /// Lays out and draws the HUD in the painter's theme and unit.
  ///
  /// - Parameters:
  ///   - content: What the HUD shows.
  ///   - width: The view's width in pixels.
  ///   - height: The view's height in pixels.
  /// - Returns: Whether anything changed.
  @discardableResult
  public func show(_ content: HudContent, width: Int, height: Int) -> Bool {
    let screen = PixelRect(x: 0, y: 0, width: width, height: height)
    let sameLook =
      painter.unit == unit && painter.theme == theme && painter.fontVersion == fonts
    if sameLook, screen == view, content == shown { return false }
    if !sameLook {
      for part in Part.allCases { elements[part.rawValue] = nil }
      notices = NoticePages()
      panels = PanelRoom()
    }
    fonts = painter.fontVersion
    (view, unit, theme, shown) = (screen, painter.unit, painter.theme, content)
    free.removeAll(keepingCapacity: true)
    layOut(content)
    sprites.removeAll(keepingCapacity: true)
    for part in Part.allCases {
      if let element = elements[part.rawValue] { sprites.append(element.sprite) }
    }
    rects.removeAll(keepingCapacity: true)
    for element in elements { if let element { rects.append(element.rect) } }
    return true
  }

  // MARK: Layout

  private func px(_ points: Double) -> Int { painter.px(points) }

  private func layOut(_ content: HudContent) {
    let margin = px(HudStyle.margin)
    let gap = px(HudStyle.gap)
    var bottom = view.height
    // The buttons' legend along the lower edge.
    let legend = element(.legend, content.legend.isEmpty ? nil : legendKey(content.legend)) {
      LegendArt(painter: painter, viewWidth: view.width, viewHeight: view.height)
        .picture(content.legend)
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
    if !content.attribution.isEmpty {
      // The sign stays with the name.
      let text = content.attribution.split(separator: "© ", omittingEmptySubsequences: false)
        .joined(separator: "©\u{A0}")
      var lines = lines(text, HudStyle.fine, beside - px(16), 6)
      if lines.count > 2, bar != nil {
        let whole = self.lines(text, HudStyle.fine, view.width - px(16), 6)
        if whole.count < lines.count { lines = whole }
      }
      let plate = element(.attribution, .lines(lines)) { art.attribution(lines) }
      if let plate,
        place(.attribution, plate, x: view.width - plate.width, y: bottom - plate.height)
      {
        if plate.width > beside { raised = bottom - plate.height }
      }
    } else {
      elements[Part.attribution.rawValue] = nil
    }
    // The notice in the upper left corner, and the arrow in the upper right one.
    let arrowRoom = content.bearing == nil ? 0 : px(HudArt.compass) + gap
    // Beside a panel or a callout they have a line on a small screen, so that it and the map have
    // room.
    let isFolded =
      (content.panel != nil || content.isCalloutOpen)
      && min(view.width, view.height) < px(HudStyle.smallScreen)
    let line = painter.line(HudStyle.body).height
    var noticeX = margin
    if isFolded, content.panel != nil, view.width > view.height {
      // Right of the widest panel that leaves them room.
      for width in panelWidths(margin).reversed() where noticeX == margin {
        let beside = margin + width + gap
        if view.width - beside - margin - arrowRoom >= px(160) { noticeX = beside }
      }
    }
    let banner = notices.banner(
      content, painter, room: view.width - noticeX - margin - arrowRoom,
      height: isFolded ? line : view.height / 3)
    let notice = element(.notice, banner.map { .notices($0) }) {
      banner.flatMap { NoticeArt(painter: painter).picture($0) }
    }
    if let notice { place(.notice, notice, x: noticeX, y: margin) }
    if let bar { place(.scale, bar, x: margin, y: raised - margin - bar.height) }
    let letter = content.words(.northLetter)
    let north = element(.north, content.bearing.map { .north($0, letter) }) {
      art.north(content.bearing ?? 0, letter)
    }
    if let north { place(.north, north, x: view.width - margin - north.width, y: margin) }
    layOutPanel(content.panel, margin, gap)
    layOutCaption(content.caption, bottom: bottom, margin, gap)
    layOutTransient(content, margin, gap)
    // The zoom and coordinates above the scale bar.
    let numbers = content.numbers
    let numberLines = lines(
      numbers, HudStyle.body, view.width - 2 * margin - 2 * px(HudStyle.padX), 3)
    let plate = element(.numbers, numberLines.isEmpty ? nil : .lines(numberLines)) {
      art.lines(numberLines, HudStyle.body, theme.plateStyle)
    }
    // Where they would hide the pin of "here" they are in the upper left corner, if that is free.
    var numbersTop: Int?
    if let plate {
      let above = elements[Part.scale.rawValue].map { $0.y - gap } ?? raised - margin
      func hidesPin(_ y: Int) -> Bool {
        let rect = PixelRect(x: margin, y: y, width: plate.width, height: plate.height)
        return content.pins.contains { $0.intersects(rect) }
      }
      let low = above - plate.height
      if !hidesPin(low) {
        if place(.numbers, plate, x: margin, y: low) { numbersTop = low }
      } else if hidesPin(margin) {
        elements[Part.numbers.rawValue] = nil
      } else {
        place(.numbers, plate, x: margin, y: margin)
      }
    }
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

  /// Lays out the tour's caption in the middle above the lower edge.
  private func layOutCaption(_ caption: String, bottom: Int, _ margin: Int, _ gap: Int) {
    let words = lines(
      caption, HudStyle.title, min(px(560), view.width - 4 * margin) - 2 * px(HudStyle.padX), 3)
    let plate = element(.caption, words.isEmpty ? nil : .lines(words)) {
      art.lines(words, HudStyle.title, theme.plateStyle)
    }
    guard let plate else { return }
    let x = (view.width - plate.width) / 2
    // Above what is already at the bottom.
    var y = bottom - margin - plate.height
    for rect in free.sorted(by: { $0.y > $1.y }) {
      let own = PixelRect(x: x, y: y, width: plate.width, height: plate.height)
      if rect.intersects(own) { y = rect.y - gap - plate.height }
    }
    place(.caption, plate, x: x, y: y)
  }

  /// Lays out the panel: at the left where the screen is wide, else below the middle, clear of what
  /// is there already; a key where it hides no pin of "here".
  ///
  /// A card that would lose figures or its profile is wider, takes the place of the scale bar, or
  /// is smaller than the rest of a large HUD, as is a key that would have few signs.
  private func layOutPanel(_ panel: Panel?, _ margin: Int, _ gap: Int) {
    guard let panel else {
      elements[Part.panel.rawValue] = nil
      return
    }
    let bar = elements[Part.scale.rawValue]
    let widths = panelWidths(margin)
    var rooms: [PanelRoom.Room] = []
    for hasBar in bar == nil ? [true] : [true, false] {
      if !hasBar { free.removeAll { $0 == bar?.rect } }
      rooms += widths.map {
        PanelRoom.Room(width: $0, rows: panelRows($0, margin, gap), hasBar: hasBar)
      }
    }
    let best = panels.best(panel, rooms, painter)
    if let bar, best?.room.hasBar != false, !free.contains(bar.rect) { free.append(bar.rect) }
    for width in best.map({ [$0.room.width] }) ?? widths
    where placePanel(panel, width, best?.unit ?? painter.unit, margin, gap) {
      if best?.room.hasBar == false { elements[Part.scale.rawValue] = nil }
      return
    }
    // The key of the map comes before the scale bar, too.
    guard let bar else { return }
    free.removeAll { $0 == bar.rect }
    if placePanel(panel, widths[0], best?.unit ?? painter.unit, margin, gap) {
      elements[Part.scale.rawValue] = nil
    } else {
      free.append(bar.rect)
    }
  }

  /// The widths that a panel may have in pixels, the best first.
  private func panelWidths(_ margin: Int) -> [Int] {
    if view.width <= view.height { return [view.width - 2 * margin] }
    let (best, most) = (min(px(360), view.width * 2 / 5), view.width / 2)
    return best < px(360) ? [best, min(px(360), most)] : [best]
  }

  /// The rows that a panel of a width may take.
  private func panelRows(_ width: Int, _ margin: Int, _ gap: Int) -> Range<Int> {
    let isWide = view.width > view.height
    // What stands at the upper and at the lower edge of the panel's column.
    var (top, bottom) = (margin, view.height - margin)
    for rect in free where rect.x < margin + width && rect.maxX > margin {
      if rect.y < view.height / 2 {
        top = max(top, rect.maxY + gap)
      } else {
        bottom = min(bottom, rect.y - gap)
      }
    }
    // Half of a tall screen stays the map's.
    if !isWide { top = max(top, bottom - view.height / 2) }
    return min(top, bottom)..<bottom
  }

  private func placePanel(
    _ panel: Panel, _ width: Int, _ unit: Double, _ margin: Int, _ gap: Int
  ) -> Bool {
    let rows = panelRows(width, margin, gap)
    let (height, bottom) = (rows.count, rows.upperBound)
    guard height > 0 else {
      elements[Part.panel.rawValue] = nil
      return false
    }
    let image = element(.panel, .panel(panel, width: width, height: height, unit: unit)) {
      painter.with(unit: unit) {
        PanelArt(painter: painter).picture(panel, width: width, height: height)
      }
    }
    guard let image else { return false }
    let pins: [PixelRect] = if case .key = panel { shown?.pins ?? [] } else { [] }
    let at = PanelRoom.corner(
      of: (image.width, image.height), usual: (margin, bottom - image.height), on: view,
      margin: margin, gap: gap, taken: free, pins: pins)
    return place(.panel, image, x: at.x, y: at.y)
  }

  /// Lays out the card in the middle and the toast at the top.
  private func layOutTransient(_ content: HudContent, _ margin: Int, _ gap: Int) {
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

  /// The rows at which a plate whose left edge is `x` covers nothing: at the top, in the middle,
  /// and next to what is there.
  private func freeRows(_ plate: PlatePicture, _ x: Int, _ margin: Int, _ gap: Int) -> [Int] {
    let height = plate.height
    var rows = [margin, (view.height - height) / 2]
    for rect in free { rows += [rect.maxY + gap, rect.y - gap - height] }
    return rows.filter { y in
      let rect = PixelRect(x: x, y: y, width: plate.width, height: height)
      return y >= margin && rect.maxY <= view.height - margin
        && !free.contains { $0.intersects(rect) }
    }
  }

  /// Puts a picture at (x, y) if the space there is free; otherwise the part is not shown.
  @discardableResult
  private func place(_ part: Part, _ image: PlatePicture, x: Int, y: Int) -> Bool {
    let rect = PixelRect(x: x, y: y, width: image.width, height: image.height)
    guard rect.x >= 0, rect.y >= 0, rect.maxX <= view.width, rect.maxY <= view.height,
      !free.contains(where: { $0.intersects(rect) })
    else {
      elements[part.rawValue] = nil
      return false
    }
    free.append(rect)
    elements[part.rawValue]?.x = x
    elements[part.rawValue]?.y = y
    return true
  }

  /// The part's picture: the present one if its key is the same, else a new one.
  private func element(_ part: Part, _ key: Key?, _ draw: () -> PlatePicture?) -> PlatePicture? {
    guard let key else {
      elements[part.rawValue] = nil
      return nil
    }
    if let element = elements[part.rawValue], element.key == key { return element.picture }
    elements[part.rawValue] = draw().map { Element(key: key, picture: $0) }
    return elements[part.rawValue]?.picture
  }

  private var art: HudArt { HudArt(painter: painter) }

  private func lines(_ text: String, _ size: Double, _ width: Int, _ most: Int) -> [String] {
    if text.isEmpty { return [] }
    return painter.text?.wrap(text, size: px(size), width: max(width, 16), maxLines: most)
      ?? []
  }

  private func legendKey(_ items: [HudContent.LegendItem]) -> Key {
    .legend(items, width: view.width, height: view.height)
  }
}
