import MapGeometry

/// The caption of the tour, which hides neither the place that it is about, in the middle of the
/// screen, nor the pin of "here".
extension Hud {
  /// Half the edge of the part in the middle that the caption leaves free, in points; at most an
  /// eighth of the screen's shorter side.
  private static let middleReach = 40.0
  /// The widest caption in points.
  private static let captionWidth = 560.0

  /// A caption broken into lines, and its plate's size in pixels.
  private struct Broken {
    var lines: [String]
    var width: Int
    var height: Int
  }

  /// The part in the middle of the screen that the caption leaves free, in view pixels.
  var middle: PixelRect {
    let reach = min(px(Hud.middleReach), min(view.width, view.height) / 8)
    return PixelRect(
      x: view.width / 2 - reach, y: view.height / 2 - reach, width: 2 * reach, height: 2 * reach)
  }

  /// Lays out the caption: at the bottom, if possible in the middle of the row, else beside what is
  /// in its way; narrower with more lines; or at the top. Only where all that fails, it hides first
  /// the middle of the screen, then pins.
  func layOutCaption(_ content: HudContent, bottom: Int, _ margin: Int, _ gap: Int) {
    let text = content.caption
    guard !text.isEmpty, painter.text != nil else {
      elements[Part.caption.rawValue] = nil
      return
    }
    let usual = broken(text, margin, width: 1, isCut: true)
    func narrower(_ part: Double) -> Broken? { broken(text, margin, width: part, isCut: false) }
    let most = view.height - bottom
    for avoided in [content.captionPins + [middle], content.captionPins, []] {
      let isFree = { (rect: PixelRect) in
        self.canPlace(rect) && !avoided.contains { $0.intersects(rect) }
      }
      func lay(_ caption: Broken?, isTop: Bool) -> Bool {
        guard let caption,
          let at = spot(
            for: caption, isTop: isTop, legend: most, margin, gap, beside: avoided, isFree)
        else { return false }
        return show(caption, x: at.x, y: at.y)
      }
      if lay(usual, isTop: false) { return }
      let some = narrower(0.75)
      if lay(some, isTop: false) || lay(usual, isTop: true) || lay(some, isTop: true) { return }
      let half = narrower(0.5)
      if lay(half, isTop: false) || lay(half, isTop: true) { return }
    }
    elements[Part.caption.rawValue] = nil
  }

  private func show(_ caption: Broken, x: Int, y: Int) -> Bool {
    let plate = element(.caption, .lines(caption.lines)) {
      art.lines(caption.lines, HudStyle.title, theme.plateStyle)
    }
    guard let plate else { return false }
    return place(.caption, plate, x: x, y: y)
  }

  /// The caption in lines of a share of the usual width, at most a third of the screen high; nil:
  /// it does not fit. One that `isCut` ends with "…" instead.
  private func broken(_ text: String, _ margin: Int, width share: Double, isCut: Bool) -> Broken? {
    let (padX, padY) = (px(HudStyle.padX), px(HudStyle.padY))
    let line = painter.line(HudStyle.title).height
    let most = max(isCut ? 3 : 1, (view.height / 3 - 2 * padY) / max(1, line))
    let usual = min(px(Hud.captionWidth), view.width - 4 * margin)
    let inner = Int(Double(usual) * share) - 2 * padX
    let lines = lines(text, HudStyle.title, inner, isCut ? most : most + 1)
    guard !lines.isEmpty, lines.count <= most else { return nil }
    let width = lines.reduce(0) { max($0, painter.width($1, size: px(HudStyle.title))) }
    return Broken(
      lines: lines, width: width + 2 * padX, height: lines.count * line + 2 * padY)
  }

  /// Where a caption is free in the lower or the upper half of the screen: in the column nearest to
  /// the middle, and there as near as possible to the edge. The legend is `legend` pixels high.
  private func spot(
    for caption: Broken, isTop: Bool, legend: Int, _ margin: Int, _ gap: Int,
    beside avoided: [PixelRect], _ isFree: (PixelRect) -> Bool
  ) -> (x: Int, y: Int)? {
    let (width, height) = (caption.width, caption.height)
    let (right, low) = (view.width - margin - width, view.height - legend - margin - height)
    let center = (view.width - width) / 2
    var (columns, rows) = ([center, margin, right], [isTop ? margin : low])
    for rect in free + avoided {
      columns += [rect.maxX + gap, rect.x - gap - width]
      rows.append(isTop ? rect.maxY + gap : rect.y - gap - height)
    }
    columns = columns.filter { $0 == center || ($0 >= margin && $0 <= right) }
    columns.sort { (abs($0 - center), $0) < (abs($1 - center), $1) }
    rows = rows.filter {
      $0 >= margin && $0 <= low && ($0 + height / 2 < view.height / 2) == isTop
    }
    rows.sort { isTop ? $0 < $1 : $0 > $1 }
    for x in columns {
      for y in rows where isFree(PixelRect(x: x, y: y, width: width, height: height)) {
        return (x, y)
      }
    }
    return nil
  }
}
