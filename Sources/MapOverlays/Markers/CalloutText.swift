import Drawing
import Pixels

/// What a callout says, broken into lines and pages for a plate in the painter's unit.
///
/// A title of one or two lines is on every page. A longer one, or one that leaves too little room,
/// is read page by page like the text.
struct CalloutText: Equatable {
  /// A line of the title or of the text.
  struct Line: Equatable {
    var text: String
    var isTitle: Bool
  }

  /// How a text fits a plate.
  struct Fit: Equatable {
    enum Form { case whole, titleOnEveryPage, titleOnce }

    var form: Form
    /// How many lines of the text there are on a page, if there are several pages.
    var lines = 0
    /// Whether pages are long enough to be read, and short titles are on each of them.
    var isGood = true
  }

  /// A title with more lines than this is read page by page.
  private static let mostTitle = 2
  /// The space between title and text, in points.
  private static let between = 4.0

  /// The lines of each page; there is at least one page.
  let pages: [[Line]]
  /// The plate's size in pixels.
  let width: Int
  let height: Int
  private let isTitleRightward: Bool
  private let isTextRightward: Bool

  // MARK: Fitting

  /// How a title and a text fit a plate of at most so many pixels; nil: not at all.
  static func fit(
    title: String, text: String, width: Int, height: Int, _ painter: SpritePainter
  ) -> Fit? {
    let (measures, inner) = (Measures(painter), width - 2 * painter.px(HudStyle.padX))
    let room = height - 2 * painter.px(HudStyle.padY)
    guard inner > 0, room >= measures.title else { return nil }
    let head = wrap(title, isTitle: true, inner, most: room / measures.title + 1, painter).count
    let rest = room - measures.height(title: head, lines: 0, hasText: !text.isEmpty)
    if rest >= 0 {
      let most = rest / measures.line
      if wrap(text, isTitle: false, inner, most: most + 1, painter).count <= most {
        return Fit(form: .whole)
      }
    }
    let (own, all) = (
      (rest - measures.count) / measures.line, (room - measures.count) / measures.line
    )
    if head <= mostTitle, own >= 2 || own == 1 && all < 2 {
      return Fit(form: .titleOnEveryPage, lines: own, isGood: own >= 2)
    }
    guard room - measures.count >= measures.title else { return nil }
    return Fit(form: .titleOnce, lines: all, isGood: all >= 2 && head > mostTitle)
  }

  private static func wrap(
    _ text: String, isTitle: Bool, _ width: Int, most: Int, _ painter: SpritePainter
  ) -> [String] {
    if text.isEmpty { return [] }
    return painter.text?.wrap(
      text, size: painter.px(isTitle ? HudStyle.title : HudStyle.body),
      weight: isTitle ? .bold : .regular, width: width, maxLines: most) ?? []
  }

  /// Breaks a title and a text as `fit` said, for a plate of at most so many pixels and at least
  /// `least` pixels' width. No line is cut.
  init(
    title: String, text: String, _ fit: Fit, width: Int, height: Int, least: Int,
    _ painter: SpritePainter
  ) {
    let measures = Measures(painter)
    let (padX, padY) = (painter.px(HudStyle.padX), painter.px(HudStyle.padY))
    func lines(_ words: String, isTitle: Bool) -> [Line] {
      // A line has at least one byte.
      CalloutText.wrap(
        words, isTitle: isTitle, max(16, width - 2 * padX), most: words.utf8.count + 1, painter
      ).map { Line(text: $0, isTitle: isTitle) }
    }
    let (head, rest) = (lines(title, isTitle: true), lines(text, isTitle: false))
    let room = height - 2 * padY - measures.count
    switch fit.form {
    case .whole: pages = [head + rest]
    case .titleOnEveryPage:
      pages = stride(from: 0, to: max(1, rest.count), by: max(1, fit.lines)).map {
        head + rest[$0..<min(rest.count, $0 + max(1, fit.lines))]
      }
    case .titleOnce:
      var all: [[Line]] = []
      var page: [Line] = []
      for line in head + rest {
        if !page.isEmpty, measures.height(of: page + [line]) > room {
          all.append(page)
          page = []
        }
        page.append(line)
      }
      pages = all + [page]
    }
    let count = pages.count > 1 ? measures.count : 0
    self.height = (pages.map { measures.height(of: $0) }.max() ?? 0) + count + 2 * padY
    let widths = (head + rest).map { CalloutText.width($0, painter) }
    self.width = max(least, (widths.max() ?? 0) + 2 * padX)
    isTitleRightward = TextDirection(of: title) == .rightToLeft
    isTextRightward = TextDirection(of: text) == .rightToLeft
  }

  private static func width(_ line: Line, _ painter: SpritePainter) -> Int {
    painter.width(
      line.text, size: painter.px(line.isTitle ? HudStyle.title : HudStyle.body),
      weight: line.isTitle ? .bold : .regular)
  }

  /// The heights of lines in pixels.
  private struct Measures {
    let title, line, count, between: Int

    init(_ painter: SpritePainter) {
      title = painter.line(HudStyle.title, weight: .bold).height
      line = painter.line(HudStyle.body).height
      count = painter.line(HudStyle.fine).height
      between = painter.px(CalloutText.between)
    }

    /// The height of lines of the title and of the text.
    func height(title: Int, lines: Int, hasText: Bool) -> Int {
      title * self.title + (title > 0 && hasText ? between : 0) + lines * line
    }

    func height(of page: [Line]) -> Int {
      let title = page.count(where: \.isTitle)
      return height(title: title, lines: page.count - title, hasText: title < page.count)
    }
  }

  // MARK: Drawing

  /// Draws the plate with one of the pages. All pages are equally large, so that the plate stays
  /// where it is.
  func picture(page: Int, _ painter: SpritePainter) -> PlatePicture {
    let theme = painter.theme
    let (padX, padY) = (painter.px(HudStyle.padX), painter.px(HudStyle.padY))
    let inner = width - 2 * padX
    return painter.plated(width: width, height: height) { canvas in
      var y = padY
      let lines = pages[page]
      for (n, line) in lines.enumerated() {
        if n > 0, lines[n - 1].isTitle, !line.isTitle { y += painter.px(CalloutText.between) }
        y = painter.drawLines(
          [line.text], size: line.isTitle ? HudStyle.title : HudStyle.body,
          weight: line.isTitle ? .bold : .regular,
          color: line.isTitle ? theme.ink : theme.secondInk, x: padX, y: y, width: inner,
          isRight: line.isTitle ? isTitleRightward : isTextRightward, on: canvas)
      }
      guard pages.count > 1 else { return }
      let count = painter.line(HudStyle.fine).height
      painter.drawLines(
        ["\(page + 1)/\(pages.count)"], size: HudStyle.fine, color: theme.secondInk, x: padX,
        y: height - padY - count, width: inner, isRight: true, on: canvas)
    }
  }
}
