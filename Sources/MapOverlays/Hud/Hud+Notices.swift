import MapGeometry
import MapScene
import Pixels

/// Where the notices stand.
extension Hud {
  /// The notices in a form and a size, and where they are.
  private struct PlacedNotices {
    var outline: NoticeBanner
    var form: NoticeSpace
    var unit: Double
    var x: Int
    var y: Int
  }

  /// The part of the screen that the notices may use, in view pixels.
  private struct NoticeRoom {
    var columns: Range<Int>
    var top: Int
    /// The end of the row above the scale bar.
    var bottom: Int
    /// Whether they never take more than about a fifth of the screen.
    var isFolded: Bool
  }

  /// The most pixels that folded notices cover: about a fifth of the screen.
  private var mostFolded: Int { Int(Double(view.width * view.height) * 0.22) }

  /// The ratio of each size tried to the previous one, and the smallest size as a share of the
  /// HUD's own: that of fine print.
  private static let smallerNotices = 0.9
  private static let leastNotices = HudStyle.fine / HudStyle.body

  /// Lays out the notices in the upper left corner.
  ///
  /// Where they would hide a pin of "here" or the position, they move to another corner, take about
  /// a fifth of the screen, become narrower beside the pin, or have fewer lines above it. Of these
  /// the one wins that cuts the notices least. If one is still cut, those of a large HUD are drawn
  /// smaller, as long as that takes fewer pages. Beside the card of a line they stay at the top: at
  /// the bottom they would push the card over its line.
  ///
  /// If `isFolded`, they never take more than about a fifth of the screen. They leave `right`
  /// pixels free at the right edge and end above the row `bottom`.
  func layOutNotices(
    _ content: HudContent, isFolded: Bool, right: Int, bottom: Int, _ margin: Int, _ gap: Int
  ) {
    guard painter.text != nil, !content.notices.isEmpty else {
      elements[Part.notice.rawValue] = nil
      return
    }
    let left = noticesLeft(content, isFolded: isFolded, right: right, margin, gap)
    let room = NoticeRoom(
      columns: left..<max(left, view.width - right), top: margin, bottom: bottom,
      isFolded: isFolded)
    let usual = leastCut { atCorner(content, room) }
    var shown = usual
    if let usual, hidesPin(rect(of: usual)) {
      // Where every place hides a pin, they keep their usual one.
      shown = leastCut { beyondPins(content, room) } ?? usual
    }
    guard let shown else {
      elements[Part.notice.rawValue] = nil
      return
    }
    let banner = painter.with(unit: shown.unit) {
      notices.banner(content, painter, in: shown.form)
    }
    let picture = element(.notice, banner.map { .notices($0, unit: shown.unit) }) {
      painter.with(unit: shown.unit) {
        banner.flatMap { NoticeArt(painter: painter).picture($0) }
      }
    }
    if let picture { place(.notice, picture, x: shown.x, y: shown.y) }
  }

  /// The left edge of the notices: where they fold beside a panel, right of the widest one that
  /// leaves them room.
  func noticesLeft(
    _ content: HudContent, isFolded: Bool, right: Int, _ margin: Int, _ gap: Int
  ) -> Int {
    guard isFolded, content.panel != nil, view.width > view.height else { return margin }
    let beside = panelWidths(margin).reversed().lazy.map { margin + $0 + gap }
    return beside.first { self.view.width - $0 - right >= self.px(160) } ?? margin
  }

  /// The sizes of the notices in pixels per point, the largest first: that of the HUD, and, if that
  /// is larger than the display's own, smaller ones.
  var noticeUnits: [Double] {
    let least = max(min(painter.leastUnit, painter.unit), painter.unit * Hud.leastNotices)
    var units = [painter.unit]
    while let last = units.last, last > least {
      units.append(max(last * Hud.smallerNotices, least))
    }
    return units
  }

  /// What `layOut` finds in the largest size in which it cuts the notices least; nil: it finds
  /// nothing in any size.
  private func leastCut(_ layOut: () -> PlacedNotices?) -> PlacedNotices? {
    var best: PlacedNotices?
    for unit in noticeUnits where best?.outline.cuts != 0 {
      let found = painter.with(unit: unit, layOut)
      if let found, found.outline.cuts < best?.outline.cuts ?? .max { best = found }
    }
    return best
  }

  private func rect(of placed: PlacedNotices) -> PixelRect {
    let size = painter.with(unit: placed.unit) {
      NoticeArt(painter: painter).size(of: placed.outline)
    }
    return PixelRect(x: placed.x, y: placed.y, width: size.width, height: size.height)
  }

  // MARK: One size

  /// The notices in the upper left corner, in the usual form that cuts them least, at the painter's
  /// size.
  private func atCorner(_ content: HudContent, _ room: NoticeRoom) -> PlacedNotices? {
    var best: PlacedNotices?
    for form in forms(room) where best?.outline.cuts != 0 {
      guard let outline = notices.outline(content, painter, in: form),
        outline.cuts < best?.outline.cuts ?? .max
      else { continue }
      best = PlacedNotices(
        outline: outline, form: form, unit: painter.unit, x: room.columns.lowerBound, y: room.top)
    }
    return best
  }

  /// The usual forms of the notices at the painter's size, the best first.
  private func forms(_ room: NoticeRoom) -> [NoticeSpace] {
    let usual = NoticeSpace(width: room.columns.count, height: view.height / 3)
    var small = usual
    small.area = mostFolded
    small.lines = NoticeBanner.mostInFifth
    return room.isFolded ? [small] : [usual, small]
  }

  /// The lower forms of the notices at the painter's size, the best first.
  private func lowForms(_ room: NoticeRoom) -> [NoticeSpace] {
    let line = max(1, painter.line(HudStyle.body).height)
    let low = [3, 2, 1].filter { $0 == 1 || $0 * line < view.height / 3 }.map { rows in
      var space = NoticeSpace(width: room.columns.count, height: rows * line)
      if room.isFolded { space.area = mostFolded }
      return space
    }
    let wide = low.suffix(2).map { space in
      var space = space
      space.isWide = true
      return space
    }
    return low + wide
  }

  /// The notices at the painter's size where they hide no pin, with as few cuts as there is room
  /// for; among equals in the best place. Nil if there is no such place.
  private func beyondPins(_ content: HudContent, _ room: NoticeRoom) -> PlacedNotices? {
    var best: PlacedNotices?
    /// What a form looks like, if that is better than what was found.
    func better(_ form: NoticeSpace) -> NoticeBanner? {
      let outline = notices.outline(content, painter, in: form)
      return outline.flatMap { $0.cuts < best?.outline.cuts ?? .max ? $0 : nil }
    }
    func size(_ outline: NoticeBanner) -> (width: Int, height: Int) {
      NoticeArt(painter: painter).size(of: outline)
    }
    /// Takes a form at the first place where it covers nothing and hides no pin.
    func take(_ outline: NoticeBanner, _ form: NoticeSpace, at places: [(x: Int, y: Int)]) {
      let size = size(outline)
      let free = places.first { x, y in
        let rect = PixelRect(x: x, y: y, width: size.width, height: size.height)
        return canPlace(rect) && !hidesPin(rect)
      }
      guard let free else { return }
      best = PlacedNotices(
        outline: outline, form: form, unit: painter.unit, x: free.x, y: free.y)
    }
    let (left, right) = (room.columns.lowerBound, room.columns.upperBound)
    let forms = forms(room)
    guard let usual = atCorner(content, room) else { return nil }
    func tryCorners(_ form: NoticeSpace) {
      guard let outline = better(form) else { return }
      let size = size(outline)
      let (far, low) = (right - size.width, room.bottom - size.height)
      var corners = [(x: left, y: room.top), (x: far, y: room.top)]
      if !content.isCardOpen { corners += [(x: left, y: low), (x: far, y: low)] }
      take(outline, form, at: corners)
    }
    // Narrower, on the wider side of the pins.
    let sides = columnsBesidePins(rect(of: usual), room.columns).filter { $0.count >= px(160) }
    func tryBesidePins(_ form: NoticeSpace) {
      for side in sides {
        var form = form
        form.width = side.count
        if let outline = better(form) { take(outline, form, at: [(side.lowerBound, room.top)]) }
      }
    }
    for form in forms where best?.outline.cuts != 0 { tryCorners(form) }
    for form in forms where best?.outline.cuts != 0 { tryBesidePins(form) }
    for form in lowForms(room) where best?.outline.cuts != 0 {
      tryCorners(form)
      if best?.outline.cuts != 0 { tryBesidePins(form) }
    }
    return best
  }

  /// The columns left and right of the pins that a part would hide, the more first.
  private func columnsBesidePins(_ part: PixelRect, _ all: Range<Int>) -> [Range<Int>] {
    let pins = pins(in: part).map(\.columns)
    guard let end = pins.map(\.lowerBound).min(), let start = pins.map(\.upperBound).max() else {
      return []
    }
    var sides: [Range<Int>] = []
    if end > all.lowerBound { sides.append(all.lowerBound..<min(end, all.upperBound)) }
    if start < all.upperBound { sides.append(max(start, all.lowerBound)..<all.upperBound) }
    return sides.sorted { $0.count > $1.count }
  }
}
