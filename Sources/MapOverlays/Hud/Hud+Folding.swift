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

  /// What decides how far the notices fold.
  struct FoldKey: Equatable {
    var panel: Panel
    var notices: [NoticeLine]
    var attribution: String
    var legend: [HudContent.LegendItem]
    var hasCompass: Bool
    var view: PixelRect
  }

  /// Lays out the notices, the scale bar, the compass and the panel.
  ///
  /// If a card would lose figures, or a panel has no room at all, one line of the notices is shown,
  /// if that helps. Only if there is still no room for the panel, the notices become a sign. If
  /// even that does not help, they stay as they are without a panel.
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
      legend: content.legend, hasCompass: content.bearing != nil, view: view)
    if let folded, folded.key == key {
      lay(folded.fold ?? .usual)
      if folded.fold == nil || panelLoss < .max { return }
    }
    var best: (fold: NoticeFold?, loss: Int) = (nil, .max)
    for fold in NoticeFold.allCases where fold != .sign || best.fold == nil {
      lay(fold)
      if panelLoss < best.loss { best = (fold, panelLoss) }
      if panelLoss == 0 { break }
    }
    folded = (key, best.fold)
    if last != best.fold { lay(best.fold ?? .usual) }
  }

  /// Lays out the same parts with notices that fold in one way.
  private func layOut(
    _ content: HudContent, _ fold: NoticeFold, _ bar: PlatePicture?, raised: Int, _ margin: Int,
    _ gap: Int
  ) {
    // The notices are in the upper left corner, and the compass in the upper right one.
    let compass = content.bearing == nil ? 0 : px(HudArt.compass) + gap
    let right = margin + compass
    // Beside a panel or a callout on a small screen the notices fold, to leave room for it and for
    // the map.
    let isFolded =
      (content.panel != nil || content.isCalloutOpen)
      && min(view.width, view.height) < px(HudStyle.smallScreen)
    switch fold {
    case .usual:
      layOutNotices(
        content, isFolded: isFolded, right: right,
        bottom: raised - margin - (bar.map { $0.height + gap } ?? 0), margin, gap)
    case .line: layOutLineOfNotices(content, right: right, margin, gap)
    case .sign: layOutSign(content, right: right, margin)
    }
    if let bar { layOutScale(bar, raised, margin, gap) }
    let letter = content.words(.northLetter)
    let north = element(.north, content.bearing.map { .north($0, letter) }) {
      art.north(content.bearing ?? 0, letter)
    }
    if let north { place(.north, north, x: view.width - margin - north.width, y: margin) }
    layOutPanel(content.panel, margin, gap)
  }

  /// Lays out one line of the notices in the smallest size that they may have.
  private func layOutLineOfNotices(
    _ content: HudContent, right: Int, _ margin: Int, _ gap: Int
  ) {
    let left = noticesLeft(content, isFolded: true, right: right, margin, gap)
    let unit = noticeUnits.last ?? painter.unit
    let picture = painter.with(unit: unit) { () -> PlatePicture? in
      let space = NoticeSpace(
        width: view.width - left - right,
        height: painter.lineHeight(px(HudStyle.body)).height)
      let banner = notices.banner(content, painter, in: space)
      return element(.notice, banner.map { .notices($0, unit: unit) }) {
        banner.flatMap { NoticeArt(painter: painter).picture($0) }
      }
    }
    if let picture { place(.notice, picture, x: left, y: margin) }
  }

  /// Lays out the sign of the worst notice beside the compass, where the panel of a wide screen is
  /// not, or in the corner if it would hide a pin there.
  private func layOutSign(_ content: HudContent, right: Int, _ margin: Int) {
    let picture = element(.notice, content.notices.first.map { .noticeSign($0.severity) }) {
      content.notices.first.map { NoticeArt(painter: painter).picture(of: $0.severity) }
    }
    guard let picture else { return }
    let usual = view.width - right - picture.width
    let rect = PixelRect(x: usual, y: margin, width: picture.width, height: picture.height)
    place(.notice, picture, x: hidesPin(rect) ? margin : usual, y: margin)
  }
}

extension NoticeArt {
  /// The width and the height of a sign's plate in points: those of a touch target.
  private static let signPlate = 48.0

  /// A plate with only the sign of a severity.
  func picture(of severity: NoticeLine.Severity) -> PlatePicture {
    let (edge, size) = (painter.px(NoticeArt.signPlate), painter.px(20))
    return painter.plated(width: edge, height: edge) { canvas in
      sign(severity, x: (edge - size) / 2, y: (edge - size) / 2, on: canvas)
    }
  }
}
