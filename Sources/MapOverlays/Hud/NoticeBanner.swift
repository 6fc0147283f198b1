import Drawing
import MapScene
import Pixels
import Words

/// A page of the notices as they fit on the screen: some of them, each with its sign, and how many
/// more there are.
struct NoticeBanner: Equatable {
  /// At most this many notices are on the screen at once.
  static let most = 3
  /// A notice has at most this many lines on a page.
  static let mostLines = 3
  /// A notice is cut after this many pages.
  static let mostParts = 12
  /// The banner is at most this wide, in points.
  static let width = 520.0

  /// Ends each part of a notice that continues on the next page.
  private static let goesOn = " …"

  struct Row: Equatable {
    var lines: [String]
    var severity: NoticeLine.Severity
    /// Which notice it is of.
    var notice: Int
  }

  var rows: [Row] = []
  /// How many more there are, or which page this is, as a text; empty: this is all.
  var rest = ""
  /// The longest line, and the most lines and rows of any page. All pages have the same size, so
  /// that the map beside them does not change.
  var width = 0
  var lines = 0
  var most = 0

  /// All pages of `notices` for `room` pixels and `height` pixels. A page has at least one row.
  static func pages(
    _ notices: [NoticeLine], _ painter: SpritePainter, _ words: Words, room: Int, height: Int
  ) -> [NoticeBanner] {
    guard let text = painter.text, !notices.isEmpty else { return [] }
    let inner = min(room, painter.px(NoticeBanner.width)) - NoticeArt.textX(painter)
    let wide = max(inner - painter.px(HudStyle.padX), 16)
    let size = painter.px(HudStyle.body)
    let line = painter.lineHeight(size).height
    // Reserve one line for `rest`.
    let fitting = height / max(1, line) - (notices.count > 1 ? 1 : 0)
    let part = min(NoticeBanner.mostLines, max(1, fitting))
    let first = pages(notices, text, painter, wide: wide, height: height, part: part)
    // A long notice need not be cut where the pages of others are higher.
    let highest = first.map(\.lineCount).max() ?? 0
    let isCut = Set(first.flatMap(\.rows).map(\.notice)).count < first.flatMap(\.rows).count
    var pages = first
    if isCut, highest > part {
      pages = self.pages(
        notices, text, painter, wide: wide, height: height, part: min(highest, max(1, fitting)))
    }
    for i in pages.indices {
      let more = notices.count - Set(pages[i].rows.map(\.notice)).count
      pages[i].rest = more > 0 ? words(.moreNotices, count: more) : ""
      if pages.count > 1, more == 0 { pages[i].rest = "\(i + 1)/\(pages.count)" }
    }
    let all = pages.flatMap(\.rows).flatMap(\.lines)
    let width = all.reduce(0) { max($0, painter.width($1, size: size)) }
    let (lines, most) = (pages.map(\.lineCount).max() ?? 0, pages.map(\.rows.count).max() ?? 0)
    for i in pages.indices {
      (pages[i].width, pages[i].lines, pages[i].most) = (width, lines, most)
    }
    return pages
  }

  /// The notices on pages of lines at most `wide` pixels long. A notice has at most `part` lines on
  /// a page, and goes on on the next one.
  private static func pages(
    _ notices: [NoticeLine], _ text: TextRenderer, _ painter: SpritePainter, wide: Int, height: Int,
    part: Int
  ) -> [NoticeBanner] {
    let size = painter.px(HudStyle.body)
    let line = painter.lineHeight(size).height
    var pages: [NoticeBanner] = []
    var page = NoticeBanner()
    for (n, notice) in notices.enumerated() {
      func lines(_ width: Int) -> [String] {
        text.wrap(
          notice.text, size: size, width: max(width, 16), maxLines: part * NoticeBanner.mostParts)
      }
      var left = lines(wide)[...]
      // A notice that continues ends with the sign " …", so its lines leave room for it.
      if left.count > part {
        left = lines(wide - painter.width(NoticeBanner.goesOn, size: size))[...]
      }
      repeat {
        var row = Row(lines: Array(left.prefix(part)), severity: notice.severity, notice: n)
        left = left.dropFirst(part)
        if !left.isEmpty, let last = row.lines.indices.last {
          row.lines[last] += NoticeBanner.goesOn
        }
        let sum = page.lineCount + max(row.lines.count, 1) + 1
        // A long notice begins, and goes on, on a page of its own.
        let isPart = row.lines.count == part && !left.isEmpty || page.rows.last?.notice == n
        let isFull = page.rows.count == NoticeBanner.most || sum * line > height
        if !page.rows.isEmpty, isPart || isFull {
          pages.append(page)
          page = NoticeBanner()
        }
        page.rows.append(row)
      } while !left.isEmpty
    }
    pages.append(page)
    return pages
  }

  /// The lines of this page.
  private var lineCount: Int { rows.reduce(0) { $0 + max($1.lines.count, 1) } }
}

/// The pages of the present notices, made again only when something that they depend on changed.
struct NoticePages {
  private struct Key: Equatable {
    var notices: [NoticeLine]
    var words: Words
    var room: Int
    var height: Int
  }

  private var key: Key?
  private var pages: [NoticeBanner] = []

  var count: Int { pages.count }

  /// The page that `content` asks for; nil: there are no notices.
  mutating func banner(
    _ content: HudContent, _ painter: SpritePainter, room: Int, height: Int
  ) -> NoticeBanner? {
    let new = Key(
      notices: content.notices, words: content.words, room: room, height: height)
    if key != new {
      key = new
      pages = NoticeBanner.pages(
        content.notices, painter, content.words, room: room, height: height)
    }
    return pages.isEmpty ? nil : pages[max(0, content.noticePage) % pages.count]
  }
}

/// Draws the banner of notices.
struct NoticeArt {
  let painter: SpritePainter

  /// The width of a sign and of the space beside it, in pixels.
  static func textX(_ painter: SpritePainter) -> Int { painter.px(HudStyle.padX + 20 + 8) }

  private func px(_ points: Double) -> Int { painter.px(points) }

  func picture(_ banner: NoticeBanner) -> PlatePicture? {
    guard painter.text != nil, !banner.rows.isEmpty else { return nil }
    let (size, fine) = (px(HudStyle.body), px(HudStyle.fine))
    let (ascent, height) = painter.lineHeight(size)
    let (fineAscent, fineHeight) = painter.lineHeight(fine)
    let (textX, padX, padY) = (NoticeArt.textX(painter), px(HudStyle.padX), px(HudStyle.padY))
    let between = px(4)
    let width = max(banner.width, painter.width(banner.rest, size: fine))
    var total = (banner.most - 1) * between + banner.lines * height
    if !banner.rest.isEmpty { total += fineHeight + between }
    let theme = painter.theme
    func isRightToLeft(_ text: String) -> Bool { TextDirection(of: text) == .rightToLeft }
    // Where a text of `wide` pixels begins: right-to-left text ends at the right.
    func textLeft(_ wide: Int, _ isMirrored: Bool) -> Int {
      isMirrored ? padX + width - wide : textX
    }
    return painter.plated(width: textX + width + padX, height: total + 2 * padY) { canvas in
      var y = padY
      for row in banner.rows {
        // A sign is where the reading of its notice begins.
        let isMirrored = isRightToLeft(row.lines.first ?? "")
        let signX = isMirrored ? textX + width - px(20) : padX
        sign(row.severity, x: signX, y: y + (height - px(20)) / 2, on: canvas)
        for line in row.lines {
          let x = textLeft(painter.width(line, size: size), isMirrored)
          painter.drawText(
            line, size: size, color: theme.ink, x: x, baseline: y + ascent, on: canvas)
          y += height
        }
        if row.lines.isEmpty { y += height }
        y += between
      }
      if !banner.rest.isEmpty {
        // A page's number is where its notices begin.
        let hasLetters = banner.rest.contains(where: \.isLetter)
        let isMirrored = isRightToLeft(
          hasLetters ? banner.rest : banner.rows.last?.lines.first ?? "")
        painter.drawText(
          banner.rest, size: fine, color: theme.secondInk,
          x: textLeft(painter.width(banner.rest, size: fine), isMirrored),
          baseline: canvas.height - padY - fineHeight + fineAscent, on: canvas)
      }
    }
  }

  /// The sign of a severity: its shape says it, too, to those who do not see its colour.
  private func sign(_ severity: NoticeLine.Severity, x: Int, y: Int, on canvas: PixelCanvas) {
    let picture: Pictogram =
      switch severity {
      case .info: .about
      case .warning: .danger
      case .danger: .stop
      }
    painter.fill(
      picture.path(x: Double(x), y: Double(y), size: Double(px(20))),
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
