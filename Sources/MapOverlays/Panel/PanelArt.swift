import Drawing
import MapScene
import Pixels

/// Draws the pictures of panels. What does not fit is left out, the least important first; nothing
/// overlaps.
struct PanelArt {
  let painter: SpritePainter

  /// A part of a panel from top to bottom: how high it is, and how it is drawn at a height.
  struct Block {
    var height: Int
    /// The order in which blocks are kept: the least first.
    var rank: Int
    /// Whether it is left out where a figure is.
    var isDetail = false
    var draw: (_ y: Int, _ canvas: PixelCanvas) -> Void
  }

  var theme: PictureTheme { painter.theme }
  func px(_ points: Double) -> Int { painter.px(points) }
  func lineHeight(_ size: Double) -> (ascent: Int, height: Int) { painter.lineHeight(px(size)) }

  /// The picture of a panel of a width, at most `height` high; nil: no more than its
  /// title fits.
  func picture(_ panel: Panel, width: Int, height: Int) -> PlatePicture? {
    guard painter.text != nil else { return nil }
    var width = width
    if case .key(let key) = panel { width = min(width, self.width(of: key)) }
    let inner = width - 2 * px(HudStyle.padX)
    guard inner > px(HudStyle.body) else { return nil }
    let all =
      switch panel {
      case .trail(let card): blocks(card, inner: inner, room: height)
      case .key(let key): blocks(key, inner: inner, room: height)
      }
    // A key without a sign explains nothing.
    if case .key(let key) = panel, !key.items.isEmpty,
      !zip(all, kept(all, room: height)).contains(where: { $0.rank > 0 && $1 })
    {
      return nil
    }
    return picture(all, width: width, room: height)
  }

  /// How much of a card's title, figures and profile does not fit a panel of this width and height.
  /// The title and a row of figures count 2 each, the profile 1.
  func lost(_ card: TrailCard, width: Int, height: Int) -> Int {
    let inner = width - 2 * px(HudStyle.padX)
    guard painter.text != nil, inner > px(HudStyle.body) else { return .max }
    return lost(card, inner: inner, room: height)
  }

  func lost(_ all: [Block], room: Int) -> Int {
    let isKept = kept(all, room: room)
    return all.indices.reduce(0) { sum, n in
      if isKept[n] || all[n].rank > PanelArt.profileRank { return sum }
      return sum + (all[n].rank <= PanelArt.figureRank ? 2 : 1)
    }
  }

  /// Blocks of a rank up to this one are the title and figures.
  private static let figureRank = 2
  /// The rank of the profile.
  static let profileRank = 3
  /// The space between blocks in points.
  static let between = 4.0

  /// The height of a panel of these blocks in pixels.
  func height(of blocks: ArraySlice<Block>) -> Int {
    let gap = px(PanelArt.between)
    return blocks.reduce(0) { $0 + $1.height + gap } - gap + 2 * px(HudStyle.padY)
  }

  /// Which blocks there is room for.
  func kept(_ all: [Block], room: Int) -> [Bool] {
    let gap = px(PanelArt.between)
    var left = room - 2 * px(HudStyle.padY) + gap
    var isKept = [Bool](repeating: false, count: all.count)
    var isFigureLost = false
    // Keep blocks in order of importance while there is room. A less important block may still fit
    // where a larger one did not.
    for index in all.indices.sorted(by: { (all[$0].rank, $0) < (all[$1].rank, $1) }) {
      if all[index].isDetail, isFigureLost { continue }
      guard all[index].height + gap <= left else {
        if all[index].rank <= PanelArt.figureRank { isFigureLost = true }
        continue
      }
      isKept[index] = true
      left -= all[index].height + gap
    }
    return isKept
  }

  private func picture(_ all: [Block], width: Int, room: Int) -> PlatePicture? {
    let (padY, gap) = (px(HudStyle.padY), px(PanelArt.between))
    let isKept = kept(all, room: room)
    let kept = all.indices.filter { isKept[$0] }
    // A title alone says nothing.
    guard isKept.first == true, kept.count > 1 || all.count == 1 else { return nil }
    let height = height(of: kept.map { all[$0] }[...])
    return painter.plated(width: width, height: height) { canvas in
      var y = padY
      for index in kept {
        all[index].draw(y, canvas)
        y += all[index].height + gap
      }
    }
  }

  // MARK: Text

  /// Whether a text is written from right to left: by its first letter.
  static func isRightToLeft(_ text: String) -> Bool {
    TextDirection(of: text) == .rightToLeft
  }

  /// Draws a line of text at the side that it begins at, `width` pixels from `x` on.
  func write(
    _ text: String, size: Double, weight: TextRenderer.Weight = .regular, _ color: UInt32, x: Int,
    width: Int, baseline: Int, on canvas: PixelCanvas, isRight: Bool? = nil
  ) {
    var at = x
    if isRight ?? PanelArt.isRightToLeft(text) {
      at = x + width - painter.width(text, size: px(size), weight: weight)
    }
    painter.drawText(
      text, size: px(size), weight: weight, color: color, x: at, baseline: baseline, on: canvas)
  }

  /// The block of a text on at most `most` lines. They end at the right edge if `isRight`, or if
  /// the text is written from right to left.
  func lines(
    _ text: String, size: Double, weight: TextRenderer.Weight = .regular, color: UInt32,
    inner: Int, most: Int, rank: Int, isRight: Bool = false
  ) -> [Block] {
    let lines =
      painter.text?.wrap(text, size: px(size), weight: weight, width: inner, maxLines: most) ?? []
    let (ascent, height) = lineHeight(size)
    let isRight = isRight || PanelArt.isRightToLeft(text)
    return [
      Block(height: height * max(lines.count, 1), rank: rank) { y, canvas in
        for (n, line) in lines.enumerated() {
          write(
            line, size: size, weight: weight, color, x: px(HudStyle.padX), width: inner,
            baseline: y + n * height + ascent, on: canvas, isRight: isRight)
        }
      }
    ]
  }
}
