import Drawing
import MapScene
import Pixels

/// The key of the map.
extension PanelArt {
  private static let sign = 32.0
  private static let ramp = 120.0

  /// The title and the signs of a page. If they do not all fit `room` pixels, the first ones, and a
  /// line that says how many follow.
  func blocks(_ key: MapKey, inner: Int, room: Int) -> [Block] {
    var all = lines(
      key.title, size: HudStyle.title, weight: .bold, color: theme.ink, inner: inner, most: 1,
      rank: 0)
    // One side for all signs, whatever language the names are in: that of the heading.
    let isRight = PanelArt.isRightToLeft(key.title)
    for (n, item) in key.listed.enumerated() {
      all.append(block(item, inner, rank: 1 + n, isRight: isRight))
    }
    guard !key.rest.isEmpty, key.others > 0 || height(of: all[...]) > room else { return all }
    var count = all.count
    func rest() -> Block {
      let others = String(all.count - count + key.others)
      return note(PanelArt.fill(key.rest, others), inner, rank: 0, isRight: isRight)
    }
    let last = rest().height + px(PanelArt.between)
    while count > 2, height(of: all[..<count]) + last > room { count -= 1 }
    return all[..<count] + [rest()]
  }

  /// How many signs from the first one of its page on a key has room for in a panel of a width and
  /// a height.
  func signs(of key: MapKey, width: Int, height: Int) -> Int {
    let inner = min(width, self.width(of: key)) - 2 * px(HudStyle.padX)
    guard painter.text != nil, inner > px(HudStyle.body) else { return 0 }
    let all = blocks(key, inner: inner, room: height)
    // The heading and the number of others have the first rank.
    return zip(all, kept(all, room: height)).count { $0.rank > 0 && $1 }
  }

  /// A text with its number.
  private static func fill(_ text: String, _ number: String) -> String {
    text.split(separator: "{0}", omittingEmptySubsequences: false).joined(separator: number)
  }

  /// A line of fine print.
  private func note(_ text: String, _ inner: Int, rank: Int, isRight: Bool) -> Block {
    let (ascent, height) = lineHeight(HudStyle.fine)
    return Block(height: height, rank: rank) { y, canvas in
      write(
        text, size: HudStyle.fine, theme.secondInk, x: px(HudStyle.padX), width: inner,
        baseline: y + ascent, on: canvas, isRight: isRight)
    }
  }

  /// The width that a key needs, in pixels.
  func width(of key: MapKey) -> Int {
    let title = painter.width(key.title, size: px(HudStyle.title), weight: .bold)
    let rows = key.items.map { item in
      let text = painter.width(item.text, size: px(HudStyle.body))
      if case .ramp = item.sign { return max(text, px(PanelArt.ramp)) }
      return text + px(PanelArt.sign) + px(HudStyle.gap)
    }
    let rest = painter.width(key.rest, size: px(HudStyle.fine))
    return rows.reduce(max(title, rest), max) + 2 * px(HudStyle.padX)
  }

  private func block(_ item: MapKey.Item, _ inner: Int, rank: Int, isRight: Bool) -> Block {
    if case .ramp(let colors, let least, let most) = item.sign {
      return ramp(item.text, colors, least, most, inner, rank: rank, isRight: isRight)
    }
    let (ascent, line) = lineHeight(HudStyle.body)
    let (edge, gap) = (px(PanelArt.sign), px(HudStyle.gap))
    let width = inner - edge - gap
    let texts =
      painter.text?.wrap(item.text, size: px(HudStyle.body), width: max(width, 16), maxLines: 2)
      ?? []
    let height = max(line * max(texts.count, 1), height(of: item))
    return Block(height: height, rank: rank) { y, canvas in
      let left = px(HudStyle.padX)
      draw(
        item, x: isRight ? left + width + gap : left, middle: y + height / 2, edge: edge, canvas)
      let top = y + (height - line * texts.count) / 2
      for (n, text) in texts.enumerated() {
        write(
          text, size: HudStyle.body, theme.ink, x: isRight ? left : left + edge + gap,
          width: width, baseline: top + n * line + ascent, on: canvas, isRight: isRight)
      }
    }
  }

  /// A ramp of colours with its least and its most value below.
  private func ramp(
    _ text: String, _ colors: [UInt32], _ least: String, _ most: String, _ inner: Int, rank: Int,
    isRight: Bool
  ) -> Block {
    let (body, fine) = (lineHeight(HudStyle.body), lineHeight(HudStyle.fine))
    let (bar, gap) = (px(8), px(3))
    let width = min(px(PanelArt.ramp), inner)
    let height = body.height + bar + gap + fine.height
    return Block(height: height, rank: rank) { y, canvas in
      write(
        text, size: HudStyle.body, theme.ink, x: px(HudStyle.padX), width: inner,
        baseline: y + body.ascent, on: canvas, isRight: isRight)
      // The least value is on the left, as on the plate beside the map.
      let left = px(HudStyle.padX) + (isRight ? inner - width : 0)
      for (n, color) in colors.enumerated() {
        var path = Path()
        let from = left + width * n / colors.count
        path.addRect(
          Double(from), Double(y + body.height),
          Double(left + width * (n + 1) / colors.count - from),
          Double(bar))
        painter.fill(path, theme.shown(color | 0xFF00_0000), on: canvas)
      }
      let baseline = y + body.height + bar + gap + fine.ascent
      write(
        least, size: HudStyle.fine, theme.secondInk, x: left, width: width, baseline: baseline,
        on: canvas, isRight: false)
      let end = painter.width(most, size: px(HudStyle.fine))
      let room = painter.width(least, size: px(HudStyle.fine)) + px(8)
      write(
        most, size: HudStyle.fine, theme.secondInk, x: left + max(width - end, room), width: end,
        baseline: baseline, on: canvas, isRight: false)
    }
  }
}
