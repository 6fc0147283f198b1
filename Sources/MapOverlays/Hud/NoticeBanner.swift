import Drawing
import MapScene
import Pixels
import Words

/// The notices as they fit on the screen: the first few, each with its sign, and how many more
/// there are.
struct NoticeBanner: Equatable {
  /// At most this many notices are on the screen at once.
  static let most = 3
  /// A notice has at most this many lines, one alone a line more.
  static let mostLines = 2
  /// The banner is at most this wide, in points.
  static let width = 520.0

  struct Row: Equatable {
    var lines: [String]
    var severity: NoticeLine.Severity
  }

  var rows: [Row] = []
  /// How many more there are, as a text; empty: none.
  var rest = ""

  /// What fits of `notices` into `room` pixels and `height` pixels. The first one is always there.
  init(
    _ notices: [NoticeLine], _ painter: SpritePainter, _ words: Words, room: Int, height: Int
  ) {
    guard let text = painter.text else { return }
    let inner = min(room, painter.px(NoticeBanner.width)) - NoticeArt.textX(painter)
    let most = NoticeBanner.mostLines + (notices.count == 1 ? 1 : 0)
    let line = painter.lineHeight(painter.px(HudStyle.body)).height
    var count = 0
    for notice in notices.prefix(NoticeBanner.most) {
      let lines = text.wrap(
        notice.text, size: painter.px(HudStyle.body),
        width: max(inner - painter.px(HudStyle.padX), 16), maxLines: most)
      let sum = count + max(lines.count, 1)
      // One more line is for the rest.
      if !rows.isEmpty, (sum + 1) * line > height { break }
      count = sum
      rows.append(Row(lines: lines, severity: notice.severity))
    }
    let left = notices.count - rows.count
    if left > 0 { rest = words(.moreNotices, count: left) }
  }
}

/// Draws the banner of notices.
struct NoticeArt {
  let painter: SpritePainter

  /// Where the words begin, right of the signs, in pixels.
  static func textX(_ painter: SpritePainter) -> Int { painter.px(HudStyle.padX + 20 + 8) }

  private func px(_ points: Double) -> Int { painter.px(points) }

  func picture(_ banner: NoticeBanner) -> PlatePicture? {
    guard painter.text != nil, !banner.rows.isEmpty else { return nil }
    let (size, fine) = (px(HudStyle.body), px(HudStyle.fine))
    let (ascent, height) = painter.lineHeight(size)
    let (fineAscent, fineHeight) = painter.lineHeight(fine)
    let (left, padX, padY) = (NoticeArt.textX(painter), px(HudStyle.padX), px(HudStyle.padY))
    let between = px(4)
    var width = painter.width(banner.rest, size: fine)
    var total = (banner.rows.count - 1) * between
    for row in banner.rows {
      for line in row.lines { width = max(width, painter.width(line, size: size)) }
      total += max(row.lines.count, 1) * height
    }
    if !banner.rest.isEmpty { total += fineHeight + between }
    let theme = painter.theme
    return painter.plated(width: left + width + padX, height: total + 2 * padY) { canvas in
      var y = padY
      for row in banner.rows {
        sign(row.severity, y: y + (height - px(20)) / 2, on: canvas)
        for line in row.lines {
          // Right-to-left text ends at the right.
          let room = width - painter.width(line, size: size)
          let x = left + (TextDirection(of: line) == .rightToLeft ? room : 0)
          painter.drawText(
            line, size: size, color: theme.ink, x: x, baseline: y + ascent, on: canvas)
          y += height
        }
        if row.lines.isEmpty { y += height }
        y += between
      }
      if !banner.rest.isEmpty {
        painter.drawText(
          banner.rest, size: fine, color: theme.secondInk, x: left, baseline: y + fineAscent,
          on: canvas)
      }
    }
  }

  /// The sign of a severity: its shape says it, too, to those who do not see its colour.
  private func sign(_ severity: NoticeLine.Severity, y: Int, on canvas: PixelCanvas) {
    let picture: Pictogram =
      switch severity {
      case .info: .about
      case .warning: .danger
      case .danger: .stop
      }
    painter.fill(
      picture.path(x: Double(px(HudStyle.padX)), y: Double(y), size: Double(px(20))),
      painter.theme.sign(severity), rule: .evenOdd, on: canvas)
  }
}

extension PictureTheme {
  /// The colour of a notice's sign on a plate.
  func sign(_ severity: NoticeLine.Severity) -> UInt32 {
    switch (severity, kind) {
    case (_, .red): ink
    case (.info, _): position
    case (.warning, .day): 0xFFA8_5B00
    case (.warning, _): 0xFFFF_B74D
    case (.danger, _): accent
    }
  }
}
