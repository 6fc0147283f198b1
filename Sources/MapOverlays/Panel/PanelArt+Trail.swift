import Drawing
import MapScene
import Pixels

/// The card of a line.
extension PanelArt {
  /// The height of the profile in points, and where there is no room for that.
  private static let graph = 72.0
  private static let lowGraph = 44.0

  /// The most lines of a title, and where there is no room for them.
  private static let titleLines = 6
  private static let fewTitleLines = [3, 2]

  /// How many lines the reasons why a line is closed, and other details, have at first, and the
  /// most that they grow to.
  private static let (reasonLines, factLines, mostLines) = (3, 2, 12)

  /// The parts of a card. Where they would not all fit into `room`, first its profile is low, then
  /// its title is cut after fewer lines, and short details share lines. Where there is room,
  /// details are not cut.
  func blocks(_ card: TrailCard, inner: Int, room: Int) -> [Block] {
    var form = form(card, inner: inner, room: room)
    var all = blocks(card, inner: inner, form)
    var isKept = kept(all, room: room)
    if isKept.contains(false), card.facts.count > 1 {
      form.isJoined = true
      all = blocks(card, inner: inner, form)
      isKept = kept(all, room: room)
    }
    let shown = all.indices.filter { isKept[$0] }
    var left = room - height(of: shown.map { all[$0] }[...])
    let line = lineHeight(HudStyle.body).height
    let details = all.indices.filter { all[$0].isDetail }
    let texts = self.details(of: card, inner, form)
    var grown = form
    for (n, index) in details.enumerated() where isKept[index] && left >= line {
      let lines = all[index].height / line
      let more = min(wrapped(texts[n], inner, most: PanelArt.mostLines) - lines, left / line)
      if more <= 0 { continue }
      grown.details[n] = lines + more
      left -= more * line
    }
    return grown == form ? all : blocks(card, inner: inner, grown)
  }

  /// How much of a card's title, figures and profile has no room in any form.
  func lost(_ card: TrailCard, inner: Int, room: Int) -> Int {
    lost(blocks(card, inner: inner, form(card, inner: inner, room: room)), room: room)
  }

  /// What a card's parts look like.
  private struct Form: Equatable {
    /// The most lines of the title.
    var title: Int
    /// The height of the profile in points.
    var graph: Double
    /// The most lines of some details, by their number.
    var details: [Int: Int] = [:]
    /// Whether what the file says is side by side where that fits into a line.
    var isJoined = false
  }

  /// The first form in which no title, figure or profile is lost.
  private func form(_ card: TrailCard, inner: Int, room: Int) -> Form {
    let heights = card.profile == nil ? [PanelArt.graph] : [PanelArt.graph, PanelArt.lowGraph]
    let lines =
      painter.text?.wrap(
        card.title, size: px(HudStyle.title), weight: .bold, width: inner,
        maxLines: PanelArt.titleLines
      ).count ?? 0
    for title in [lines] + PanelArt.fewTitleLines.filter({ $0 < lines }) {
      for height in heights {
        let form = Form(title: title, graph: height)
        if lost(blocks(card, inner: inner, form), room: room) == 0 { return form }
      }
    }
    return Form(title: PanelArt.fewTitleLines.last ?? 1, graph: PanelArt.graph)
  }

  /// The texts of a card's details in a form.
  private func details(of card: TrailCard, _ inner: Int, _ form: Form) -> [String] {
    let facts = card.facts.map { "\($0.label): \($0.value)" }
    guard form.isJoined else { return card.reasons + facts }
    var lines: [String] = []
    for fact in facts {
      let joined = lines.last.map { $0 + " · " + fact }
      if let joined, painter.width(joined, size: px(HudStyle.body)) <= inner {
        lines[lines.count - 1] = joined
      } else {
        lines.append(fact)
      }
    }
    return card.reasons + lines
  }

  /// How many lines a detail has, at most `most`.
  private func wrapped(_ text: String, _ inner: Int, most: Int) -> Int {
    painter.text?.wrap(text, size: px(HudStyle.body), width: inner, maxLines: most).count ?? 0
  }

  /// The parts of a card in a form.
  private func blocks(_ card: TrailCard, inner: Int, _ form: Form) -> [Block] {
    // All rows begin at one side, that of the language of Waypost's own words.
    let isRight = card.figures.first.map { PanelArt.isRightToLeft($0.label) } ?? false
    var all = lines(
      card.title, size: HudStyle.title, weight: .bold, color: theme.ink, inner: inner,
      most: form.title, rank: 0, isRight: isRight)
    if !card.closed.isEmpty { all.append(warning(card.closed, inner, rank: 0, isRight: isRight)) }
    let columns = columns(card.figures, inner)
    for (n, start) in stride(from: 0, to: card.figures.count, by: columns.count).enumerated() {
      let row = card.figures[start..<min(start + columns.count, card.figures.count)]
      // The first row tells how long it is, which is what people ask first.
      all.append(figures(row, columns, inner, rank: n == 0 ? 1 : 2, isRight: isRight))
    }
    if let profile = card.profile {
      all.append(
        graph(
          profile, card.color, inner, height: px(form.graph), isRight: isRight,
          rank: PanelArt.profileRank))
    }
    // The banner shows the reasons as well, so they yield to the figures, which are shown only
    // here.
    for (n, text) in details(of: card, inner, form).enumerated() {
      let isReason = n < card.reasons.count
      let most = form.details[n] ?? (isReason ? PanelArt.reasonLines : PanelArt.factLines)
      let rank = isReason ? 4 : 5 + n - card.reasons.count
      all += details(text, inner, most: most, rank: rank, isRight: isRight)
    }
    return all
  }

  /// A word with the sign of danger beside it.
  private func warning(_ text: String, _ inner: Int, rank: Int, isRight: Bool) -> Block {
    let (ascent, height) = lineHeight(HudStyle.body)
    let (sign, gap) = (px(18), px(6))
    return Block(height: max(height, sign), rank: rank) { y, canvas in
      let (left, top) = (px(HudStyle.padX), y + (max(height, sign) - sign) / 2)
      let picture = Pictogram.stop.path(
        x: Double(isRight ? left + inner - sign : left), y: Double(top), size: Double(sign))
      painter.fill(picture, theme.sign(.danger), rule: .evenOdd, on: canvas)
      let width = inner - sign - gap
      write(
        fitted(text, HudStyle.body, .bold, width), size: HudStyle.body, weight: .bold,
        theme.sign(.danger), x: isRight ? left : left + sign + gap, width: width,
        baseline: y + (max(height, sign) - height) / 2 + ascent, on: canvas, isRight: isRight)
    }
  }

  /// The columns of the figures, as many as fit side by side, each with its start and its width.
  /// All have the same width; if no two such columns fit, there may be two as wide as their
  /// contents.
  private func columns(_ figures: [TrailCard.Fact], _ inner: Int) -> [(x: Int, width: Int)] {
    let gap = px(12)
    let widths = figures.map {
      max(
        painter.width($0.label, size: px(HudStyle.fine)),
        painter.width($0.value, size: px(HudStyle.body), weight: .bold))
    }
    let widest = widths.max() ?? 0
    var count = min(max((inner + gap) / max(widest + gap, 1), 1), max(figures.count, 1))
    let rows = (figures.count + count - 1) / count
    if rows > 0 { count = (figures.count + rows - 1) / rows }
    if count == 1, figures.count > 1 {
      func most(_ column: Int) -> Int {
        stride(from: column, to: widths.count, by: 2).map { widths[$0] }.max() ?? 0
      }
      let (first, second) = (most(0), most(1))
      let rest = inner - first - gap - second
      if rest >= 0 { return [(0, first), (first + gap + rest / 2, second)] }
    }
    let width = (inner + gap) / count - gap
    return (0..<count).map { ($0 * (width + gap), width) }
  }

  private func figures(
    _ facts: ArraySlice<TrailCard.Fact>, _ columns: [(x: Int, width: Int)], _ inner: Int,
    rank: Int, isRight: Bool
  ) -> Block {
    let (small, large) = (lineHeight(HudStyle.fine), lineHeight(HudStyle.body))
    return Block(height: small.height + large.height, rank: rank) { y, canvas in
      for (fact, column) in zip(facts, columns) {
        let width = column.width
        // In a right-to-left language the columns start at the right.
        let x = px(HudStyle.padX) + (isRight ? inner - column.x - width : column.x)
        write(
          fitted(fact.label, HudStyle.fine, .regular, width), size: HudStyle.fine,
          theme.secondInk, x: x, width: width, baseline: y + small.ascent, on: canvas,
          isRight: isRight)
        write(
          fitted(fact.value, HudStyle.body, .bold, width), size: HudStyle.body, weight: .bold,
          theme.ink, x: x, width: width, baseline: y + small.height + large.ascent, on: canvas,
          isRight: isRight)
      }
    }
  }

  /// A text on one line of a width.
  private func fitted(
    _ text: String, _ size: Double, _ weight: TextRenderer.Weight, _ width: Int
  ) -> String {
    painter.text?.wrap(text, size: px(size), weight: weight, width: width, maxLines: 1).first ?? ""
  }

  /// A text on as many lines as it needs up to `most`.
  private func details(
    _ text: String, _ inner: Int, most: Int, rank: Int, isRight: Bool
  ) -> [Block] {
    lines(
      text, size: HudStyle.body, color: theme.ink, inner: inner, most: most, rank: rank,
      isRight: isRight
    ).map { block in
      var block = block
      block.isDetail = true
      return block
    }
  }
}
