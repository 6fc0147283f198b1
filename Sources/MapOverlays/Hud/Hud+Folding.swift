import MapGeometry
import MapScene
import Pixels

/// How the notices make way for a card or a map key on a small screen.
extension Hud {
  /// How much room the notices leave, the least first.
  enum NoticeFold: CaseIterable {
    case usual
    /// One line of them.
    case line
    /// Only the sign of the worst.
    case sign
  }

  /// What decides how far the notices fold, besides pins and the position.
  struct FoldKey: Equatable {
    var panel: Panel
    var notices: [NoticeLine]
    var attribution: String
    var legend: [HudContent.LegendItem]
    var hasCompass: Bool
    var isFollowed: Bool
    var view: PixelRect
  }

  /// How far the notices fold for a panel, and what that was decided by.
  struct Folded {
    var key: FoldKey
    /// Nil: there is no room for the panel anyway.
    var fold: NoticeFold?
    /// What all layouts that were tried asked about pins and the position.
    var answers: [(rect: PixelRect, isOfDot: Bool, hides: Bool)]
    var parts: [PixelRect]
    var steps: [Range<Int>?]
  }

  /// What a layout costs, the gravest first.
  private typealias FoldLoss = (panelHides: Int, lost: Int, noticeHides: Int, map: Int)

  /// Lays out the notices, the scale bar, the compass and the panel.
  ///
  /// If a card would lose figures or leave its line no room, or a panel has no room at all or hides
  /// a pin of "here" or the position, one line of the notices is shown, if that helps. They become
  /// a sign only if there is still no room for the panel, or it or they hide a pin. If even that
  /// does not help, they stay as they are; without room for it, there is no panel.
  func layOutPanelAndNotices(
    _ content: HudContent, _ bar: PlatePicture?, raised: Int, _ margin: Int, _ gap: Int
  ) {
    let taken = free
    let scale = elements[Part.scale.rawValue]
    var last: NoticeFold?
    func lay(_ fold: NoticeFold) {
      last = fold
      free = taken
      elements[Part.scale.rawValue] = scale
      layOut(content, fold, bar, raised: raised, margin, gap)
    }
    guard let panel = content.panel, !content.notices.isEmpty else { return lay(.usual) }
    let key = FoldKey(
      panel: panel, notices: content.notices, attribution: content.attribution,
      legend: content.legend, hasCompass: content.bearing != nil, isFollowed: content.isFollowed,
      view: view)
    let (answers, parts) = (pinAnswers.count, pinnedParts.count)
    if let folded, folded.key == key, isStill(folded, content) {
      lay(folded.fold ?? .usual)
      pinAnswers += folded.answers
      pinnedParts += folded.parts
      if folded.fold == nil || panelLoss < .max { return }
    }
    var best: (fold: NoticeFold, loss: FoldLoss)?
    for fold in NoticeFold.allCases {
      if fold == .sign, let best, best.loss.panelHides + best.loss.noticeHides == 0 { break }
      lay(fold)
      guard panelLoss < .max else { continue }
      let loss = foldLoss(content)
      if best.map({ loss < $0.loss }) ?? true { best = (fold, loss) }
      if loss == (0, 0, 0, 0) { break }
    }
    if last != best?.fold { lay(best?.fold ?? .usual) }
    let asked = Array(pinnedParts[parts...])
    folded = Folded(
      key: key, fold: best?.fold, answers: Array(pinAnswers[answers...]), parts: asked,
      steps: steps(of: content.avoided, in: asked))
  }

  /// Whether pins and the position leave a decision as it was.
  private func isStill(_ folded: Folded, _ content: HudContent) -> Bool {
    folded.answers.allSatisfy { $0.hides == Hud.hides($0.rect, content, isOfDot: $0.isOfDot) }
      && steps(of: content.avoided, in: folded.parts) == folded.steps
  }

  /// What the present layout costs.
  private func foldLoss(_ content: HudContent) -> FoldLoss {
    var loss: FoldLoss = (0, panelLoss, 0, 0)
    if let notice = elements[Part.notice.rawValue]?.rect, hidesPin(notice) { loss.noticeHides = 1 }
    guard let panel = panelRect else { return loss }
    if content.isCardOpen {
      if content.isFollowed, hidesDot(panel) { loss.panelHides = 1 }
      loss.map = max(0, Int(Hud.leastMap * painter.leastUnit) - mapHeight(beside: panel))
    } else if hidesPin(panel) {
      loss.panelHides = 1
    }
    return loss
  }

  /// The height of the map's part beside a card for which the notices fold to one line, in points
  /// of the display.
  static let leastMap = 96.0

  /// The height of the map's part beside a card, in pixels.
  private func mapHeight(beside panel: PixelRect) -> Int {
    let isWide = view.width > view.height
    let parts: [Part] = [.notice, .attribution, .legend] + (isWide ? [] : [.scale])
    let plates = parts.compactMap { elements[$0.rawValue]?.rect }
    if isWide {
      let beside = plates.filter { $0.maxX > panel.maxX }
      let top = beside.filter { $0.y < view.height / 2 }.map(\.maxY).max() ?? 0
      let bottom = beside.filter { $0.y >= view.height / 2 }.map(\.y).min() ?? view.height
      return bottom - top
    }
    let top = plates.filter { $0.y < panel.y }.map(\.maxY).max() ?? 0
    let bottom = plates.filter { $0.y >= panel.maxY }.map(\.y).min() ?? view.height
    return max(panel.y - top, bottom - panel.maxY)
  }

  /// Lays out the same parts with notices that fold in one way.
  private func layOut(
    _ content: HudContent, _ fold: NoticeFold, _ bar: PlatePicture?, raised: Int, _ margin: Int,
    _ gap: Int
  ) {
    let scale = elements[Part.scale.rawValue]
    // The notices are in the upper left corner, and the compass in the upper right one.
    let compass = content.bearing == nil ? 0 : px(HudArt.compass) + gap
    let right = margin + compass
    // Beside a panel or a callout on a small screen the notices fold, to leave room for it and for
    // the map.
    let isFolded =
      (content.panel != nil || content.isCalloutOpen)
      && min(view.width, view.height) < px(HudStyle.smallScreen)
    var row: NoticeRow?
    switch fold {
    case .usual:
      layOutNotices(
        content, isFolded: isFolded, right: right,
        bottom: raised - margin - (bar.map { $0.height + gap } ?? 0), margin, gap)
    case .line:
      row = noticeRow(
        content, left: noticesLeft(content, isFolded: true, right: right, margin, gap),
        right: right, margin)
      if let row { free.append(row.rect) }
    case .sign: layOutSign(content, right: right, margin, gap)
    }
    if let bar { layOutScale(bar, raised, margin, gap) }
    let letter = content.words(.northLetter)
    let north = element(.north, content.bearing.map { .north($0, letter) }) {
      art.north(content.bearing ?? 0, letter)
    }
    if let north { place(.north, north, x: view.width - margin - north.width, y: margin) }
    layOutPanel(content.panel, margin, gap)
    if fold == .line {
      // Its place was only kept free so far.
      let wide = row.map { widened($0, content, right: right, margin, gap) }
      if let row { free.removeAll { $0 == row.rect } }
      place(wide, content)
    }
    if let scale { layOutScaleBesidePanel(scale, content, raised, margin, gap) }
  }

  /// One line of the notices, and where it is.
  struct NoticeRow {
    var space: NoticeSpace
    var outline: NoticeBanner
    var rect: PixelRect
  }

  /// The notices have the smallest size that they may have on a single line.
  private var rowUnit: Double { noticeUnits.last ?? painter.unit }

  /// One line of the notices from `left` on; nil: there is no room for it.
  func noticeRow(
    _ content: HudContent, left: Int, right: Int, _ margin: Int
  ) -> NoticeRow? {
    painter.with(unit: rowUnit) {
      let space = NoticeSpace(
        width: view.width - left - right,
        height: painter.lineHeight(px(HudStyle.body)).height, isShort: true)
      guard painter.text != nil, let outline = notices.outline(content, painter, in: space) else {
        return nil
      }
      let size = NoticeArt(painter: painter).size(of: outline)
      let rect = PixelRect(x: left, y: margin, width: size.width, height: size.height)
      return canPlace(rect) ? NoticeRow(space: space, outline: outline, rect: rect) : nil
    }
  }

  /// The same line in the room that a panel narrower than it might be leaves, if it is cut less
  /// there.
  func widened(
    _ row: NoticeRow, _ content: HudContent, right: Int, _ margin: Int, _ gap: Int
  ) -> NoticeRow {
    guard view.width > view.height, row.outline.cuts > 0, let panel = panelRect else { return row }
    let left = panel.maxX + gap
    guard panel.x == margin, left < row.rect.x else { return row }
    let taken = free
    defer { free = taken }
    free.removeAll { $0 == row.rect }
    guard let wide = noticeRow(content, left: left, right: right, margin),
      wide.outline.cuts < row.outline.cuts, !hidesPin(wide.rect) || hidesPin(row.rect)
    else { return row }
    return wide
  }

  /// Draws one line of the notices.
  private func place(_ row: NoticeRow?, _ content: HudContent) {
    let unit = rowUnit
    let picture = painter.with(unit: unit) { () -> PlatePicture? in
      let banner = row.flatMap { notices.banner(content, painter, in: $0.space) }
      return element(.notice, banner.map { .notices($0, unit: unit) }) {
        banner.flatMap { NoticeArt(painter: painter).picture($0) }
      }
    }
    if let row, let picture { place(.notice, picture, x: row.rect.x, y: row.rect.y) }
  }

  /// Lays out the sign of the worst notice beside the compass, where the panel of a wide screen is
  /// not. If it would hide a pin there, it is beside that panel, or in the corner.
  private func layOutSign(
    _ content: HudContent, right: Int, _ margin: Int, _ gap: Int
  ) {
    let picture = element(.notice, content.notices.first.map { .noticeSign($0.sign) }) {
      content.notices.first.map { NoticeArt(painter: painter).picture(of: $0.sign) }
    }
    guard let picture else { return }
    let usual = view.width - right - picture.width
    let places = [
      usual, noticesLeft(content, isFolded: true, right: right, margin, gap), margin,
    ]
    let x = places.first {
      !hidesPin(PixelRect(x: $0, y: margin, width: picture.width, height: picture.height))
    }
    place(.notice, picture, x: x ?? usual, y: margin)
  }
}

extension NoticeArt {
  /// The width and the height of a sign's plate in points: those of a touch target.
  private static let signPlate = 48.0

  /// A plate with only a sign.
  func picture(of sign: NoticeLine.Sign) -> PlatePicture {
    let (edge, size) = (painter.px(NoticeArt.signPlate), painter.px(20))
    return painter.plated(width: edge, height: edge) { canvas in
      draw(sign, x: (edge - size) / 2, y: (edge - size) / 2, on: canvas)
    }
  }
}
