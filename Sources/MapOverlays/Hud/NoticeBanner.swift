import Drawing
import MapScene
import Pixels
import Words

/// How much room the notices have.
struct NoticeSpace: Hashable {
  /// The most pixels from edge to edge.
  var width: Int
  /// The most pixels of all lines together, at least one line.
  var height: Int
  /// The most pixels that the banner covers; nil: any.
  var area: Int?
  /// The most lines of a notice on a page.
  var lines = NoticeBanner.mostLines
  /// Whether the banner may be wider than is good to read.
  var isWide = false
  /// Whether a notice that would be cut says in a few words what is closed, if it closes anything.
  var isShort = false
}

/// A page of the notices as they fit on the screen: some of them, each with its sign, and how many
/// more there are.
struct NoticeBanner: Equatable {
  /// At most this many notices are on the screen at once.
  static let most = 3
  /// A notice has at most this many lines on a page, or up to `mostInFifth` if the banner takes no
  /// more than about a fifth of the screen.
  static let mostLines = 3
  static let mostInFifth = 5
  /// A notice is cut after this many pages.
  static let mostParts = 12
  /// The banner is at most this wide, in points, unless it has no room for more than a line or two.
  static let width = 520.0
  /// If that saves a line, it is up to this wide: a last word does not stand alone.
  static let mostWidth = 660.0
  /// How much longer than the mean line the longest one of evened lines may be.
  private static let slacks = [1.1, 1.25]

  struct Row: Equatable {
    var lines: [String]
    var severity: NoticeLine.Severity
    var sign: NoticeLine.Sign
    /// Which notice it is of.
    var notice: Int
  }

  var rows: [Row] = []
  /// How many more there are, as a text; empty: there are none. The pages of a notice have no
  /// number, which would be taken for one of several notices.
  var rest = ""
  /// The longest line or `rest`, the most lines and rows of any page, and whether one has a `rest`.
  /// All pages have the same size, so that the map beside them does not change.
  var width = 0
  var lines = 0
  var most = 0
  var hasRest = false
  /// How often a notice goes on on another page, and how many pages there are.
  var cuts = 0
  var pages = 0

  /// All pages of `notices`. A page has at least one row.
  static func pages(
    _ notices: [NoticeLine], _ painter: SpritePainter, _ words: Words, in space: NoticeSpace
  ) -> [NoticeBanner] {
    guard let text = painter.text, !notices.isEmpty else { return [] }
    func pages(_ width: Int) -> [NoticeBanner] {
      self.pages(notices, text, painter, words, in: space, width: min(space.width, width))
    }
    if space.isWide { return pages(space.width) }
    var best = pages(painter.px(NoticeBanner.width))
    guard let usual = best.first, usual.lines > usual.most else { return best }
    let wider = pages(painter.px(NoticeBanner.mostWidth))
    if let wide = wider.first, (wide.cuts, wide.lines) < (usual.cuts, usual.lines) { best = wider }
    // Lines of about the same length, if that takes no more of them.
    let (size, first) = (painter.px(HudStyle.body), best[0])
    let even =
      best.flatMap(\.rows).map { row in
        row.lines.reduce(0) { $0 + painter.width($1, size: size) } / max(1, row.lines.count)
      }.max() ?? 0
    let edges = NoticeArt.textX(painter) + painter.px(HudStyle.padX)
    for slack in NoticeBanner.slacks {
      let width = Int(Double(even) * slack)
      guard width < first.width else { break }
      let narrow = pages(edges + width)
      let isSame = narrow.count == best.count && narrow[0].cuts == first.cuts
      if isSame, narrow[0].lines == first.lines { return narrow }
    }
    return best
  }

  /// All pages in a banner of at most `most` pixels from edge to edge.
  private static func pages(
    _ notices: [NoticeLine], _ text: TextRenderer, _ painter: SpritePainter, _ words: Words,
    in space: NoticeSpace, width most: Int
  ) -> [NoticeBanner] {
    let inner = most - NoticeArt.textX(painter)
    let wide = max(inner - painter.px(HudStyle.padX), 16)
    let line = max(1, painter.line(HudStyle.body).height)
    var rows = max(1, space.height / line)
    while true {
      let pages = sized(
        pages(notices, text, painter, wide: wide, rows: rows, in: space),
        notices.count, painter, words)
      guard rows > 1, let area = space.area, let page = pages.first else { return pages }
      let size = NoticeArt(painter: painter).size(of: page)
      if size.width * size.height <= area { return pages }
      rows -= 1
    }
  }

  /// The pages with what they say of the other notices, and with their common size.
  private static func sized(
    _ pages: [NoticeBanner], _ count: Int, _ painter: SpritePainter, _ words: Words
  ) -> [NoticeBanner] {
    var pages = pages
    for i in pages.indices {
      let more = count - Set(pages[i].rows.map(\.notice)).count
      pages[i].rest = more > 0 ? words(.moreNotices, count: more) : ""
    }
    let size = painter.px(HudStyle.body)
    let all = pages.flatMap(\.rows).flatMap(\.lines)
    let fine = painter.px(HudStyle.fine)
    var width = all.reduce(0) { max($0, painter.width($1, size: size)) }
    for page in pages { width = max(width, painter.width(page.rest, size: fine)) }
    let (lines, most) = (pages.map(\.lineCount).max() ?? 0, pages.map(\.rows.count).max() ?? 0)
    let hasRest = pages.contains { !$0.rest.isEmpty }
    let cuts = pages.reduce(0) { $0 + $1.rows.count } - count
    for i in pages.indices {
      (pages[i].width, pages[i].lines, pages[i].most) = (width, lines, most)
      (pages[i].hasRest, pages[i].cuts, pages[i].pages) = (hasRest, cuts, pages.count)
    }
    return pages
  }

  /// The notices on pages of at most so many `rows` of text, if there are several with one of the
  /// rows for how many more there are.
  private static func pages(
    _ notices: [NoticeLine], _ text: TextRenderer, _ painter: SpritePainter, wide: Int, rows: Int,
    in space: NoticeSpace
  ) -> [NoticeBanner] {
    let fitting = max(1, rows - (notices.count > 1 ? 1 : 0))
    let part = min(space.lines, fitting)
    func parts(_ most: Int) -> [[[String]]] {
      let parts = NoticeParts(
        size: painter.px(HudStyle.body), wide: wide, most: most, text: text)
      return notices.map { cut($0, parts, isShort: space.isShort) }
    }
    let first = parts(part)
    let highest = pages(notices, first, rows: rows).map(\.lineCount).max() ?? 0
    if highest > part, first.contains(where: { $0.count > 1 }) {
      // A long notice need not be cut where the pages of others are higher.
      return lowest(notices, parts(min(highest, fitting)), rows: rows)
    }
    return lowest(notices, first, rows: rows)
  }

  /// The lines of each part of a notice, or of its short form if that has fewer parts.
  private static func cut(
    _ notice: NoticeLine, _ parts: NoticeParts, isShort: Bool
  ) -> [[String]] {
    let whole = parts.parts(notice.text, limit: mostParts)
    guard isShort, whole.count > 1, !notice.short.isEmpty else { return whole }
    let short = parts.parts(notice.short, limit: mostParts)
    return short.count < whole.count ? short : whole
  }

  /// The notices on as few pages as in so many rows of text, and on these in the fewest rows: a
  /// page that is lower than others has empty rows.
  private static func lowest(
    _ notices: [NoticeLine], _ parts: [[[String]]], rows: Int
  ) -> [NoticeBanner] {
    var best = pages(notices, parts, rows: rows)
    var rows = best.map(\.lineCount).max() ?? 0
    // A row of a page is for how many more there are.
    while rows > 1, best.count > 1 {
      let lower = pages(notices, parts, rows: rows)
      guard lower.count == best.count else { break }
      best = lower
      rows -= 1
    }
    return best
  }

  /// The notices, cut into parts, on pages of at most so many rows of text.
  private static func pages(
    _ notices: [NoticeLine], _ parts: [[[String]]], rows: Int
  ) -> [NoticeBanner] {
    var pages: [NoticeBanner] = []
    var page = NoticeBanner()
    for (n, notice) in notices.enumerated() {
      let parts = parts[n]
      for (k, lines) in parts.enumerated() {
        let row = Row(lines: lines, severity: notice.severity, sign: notice.sign, notice: n)
        let sum = page.lineCount + max(row.lines.count, 1) + 1
        // A notice that goes on is on a page of its own; beside its end there may be others.
        // A long notice begins, and goes on, on a page of its own.
        let isPart = k > 0 || k + 1 < parts.count
        let isFull = page.rows.count == NoticeBanner.most || sum > rows
        if !page.rows.isEmpty, isPart || isFull {
          pages.append(page)
          page = NoticeBanner()
        }
        page.rows.append(row)
      }
    }
    pages.append(page)
    return pages
  }

  /// The lines of this page.
  private var lineCount: Int { rows.reduce(0) { $0 + max($1.lines.count, 1) } }
}

/// Draws the banner of notices.
struct NoticeArt {
  let painter: SpritePainter

  /// The width of a sign and of the space beside it, in pixels.
  static func textX(_ painter: SpritePainter) -> Int { painter.px(HudStyle.padX + 20 + 8) }

  private func px(_ points: Double) -> Int { painter.px(points) }

  /// The space between two notices, in points.
  private static let between = 4.0

  /// The size of the plate of a page, in pixels.
  func size(of banner: NoticeBanner) -> (width: Int, height: Int) {
    let (line, fine) = (
      painter.line(HudStyle.body).height, painter.line(HudStyle.fine).height
    )
    let between = px(NoticeArt.between)
    let rest = banner.hasRest ? fine + between : 0
    return (
      NoticeArt.textX(painter) + banner.width + px(HudStyle.padX),
      (banner.most - 1) * between + banner.lines * line + rest + 2 * px(HudStyle.padY)
    )
  }

  func picture(_ banner: NoticeBanner) -> PlatePicture? {
    guard painter.text != nil, !banner.rows.isEmpty else { return nil }
    let (size, fine) = (px(HudStyle.body), px(HudStyle.fine))
    let (baseline, height) = painter.line(HudStyle.body)
    let (fineBaseline, fineHeight) = painter.line(HudStyle.fine)
    let (textX, padX, padY) = (NoticeArt.textX(painter), px(HudStyle.padX), px(HudStyle.padY))
    let (between, width) = (px(NoticeArt.between), banner.width)
    let plate = self.size(of: banner)
    let theme = painter.theme
    func isRightToLeft(_ text: String) -> Bool { TextDirection(of: text) == .rightToLeft }
    // Where a text of `wide` pixels begins: right-to-left text ends at the right.
    func textLeft(_ wide: Int, _ isMirrored: Bool) -> Int {
      isMirrored ? padX + width - wide : textX
    }
    return painter.plated(width: plate.width, height: plate.height) { canvas in
      var y = padY
      for row in banner.rows {
        // A sign is where the reading of its notice begins.
        let isMirrored = isRightToLeft(row.lines.first ?? "")
        let signX = isMirrored ? textX + width - px(20) : padX
        draw(row.sign, x: signX, y: y + (height - px(20)) / 2, on: canvas)
        for line in row.lines {
          let x = textLeft(painter.width(line, size: size), isMirrored)
          painter.drawText(
            line, size: size, color: theme.ink, x: x, baseline: y + baseline, on: canvas)
          y += height
        }
        if row.lines.isEmpty { y += height }
        y += between
      }
      if !banner.rest.isEmpty {
        painter.drawText(
          banner.rest, size: fine, color: theme.secondInk,
          x: textLeft(painter.width(banner.rest, size: fine), isRightToLeft(banner.rest)),
          baseline: canvas.height - padY - fineHeight + fineBaseline, on: canvas)
      }
    }
  }

  /// Draws a sign: its shape says what it is, too, to those who do not see its colour. Nothing but
  /// a closure has the sign for "no entry", which drivers know.
  func draw(_ sign: NoticeLine.Sign, x: Int, y: Int, on canvas: PixelCanvas) {
    let (picture, severity): (Pictogram, NoticeLine.Severity) =
      switch sign {
      case .info: (.about, .info)
      case .warning: (.caution, .warning)
      case .danger: (.danger, .danger)
      case .closed: (.stop, .danger)
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
