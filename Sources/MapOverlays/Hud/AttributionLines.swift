import Drawing

/// The lines of the attribution: as few as there is room for, about equally long, and broken
/// between the credits rather than inside one.
struct AttributionLines {
  /// What the lines depend on.
  private struct Key: Equatable {
    var text: String
    var beside: Int
    var whole: Int?
    var size: Int
    var fonts: Int
  }

  /// The most lines.
  static let most = 6
  /// More characters have no room on so many lines.
  private static let mostCharacters = 4096

  private var known: (key: Key, lines: [String])?

  /// The lines for the fine print's size.
  ///
  /// - Parameters:
  ///   - text: The credits, separated by "|" or each with a "©" of its own.
  ///   - beside: The width beside the scale bar in pixels.
  ///   - whole: The width below the scale bar, which is used if it saves lines and there would be
  ///     more than two; nil: there is no scale bar.
  ///   - painter: Measures the text.
  /// - Returns: At most `most` lines; none without a font.
  mutating func lines(
    of text: String, beside: Int, whole: Int?, _ painter: SpritePainter
  ) -> [String] {
    guard !text.isEmpty, let renderer = painter.text else { return [] }
    let size = painter.px(HudStyle.fine)
    let key = Key(
      text: text, beside: beside, whole: whole, size: size, fonts: painter.fontVersion)
    if let known, known.key == key { return known.lines }
    func lines(_ width: Int) -> [String] {
      AttributionLines.lines(text, width: max(width, 16), renderer, size)
    }
    var found = lines(beside)
    if found.count > 2, let whole {
      let other = lines(whole)
      if other.count < found.count { found = other }
    }
    known = (key, found)
    return found
  }

  private static func lines(
    _ text: String, width: Int, _ renderer: TextRenderer, _ size: Int
  ) -> [String] {
    func length(_ text: String) -> Int { renderer.measure(text, size: size).width }
    let pieces = text.prefix(mostCharacters).split(whereSeparator: \.isNewline).map { line in
      self.pieces(of: line) { length($0) <= width }
    }
    let parts = pieces.map { $0.joined(separator: " ") }.joined(separator: "\n")
    func wrapped(_ width: Int) -> [String] {
      renderer.wrap(parts, size: size, width: width, maxLines: most)
    }
    let greedy = wrapped(width)
    // Of the most lines, the last may end in an ellipsis.
    guard greedy.count > 1, greedy.count < most else { return greedy }
    // The narrowest width that needs no more lines makes them about equally long.
    let widest = pieces.joined().map(length).max() ?? width
    var (low, high) = (min(widest, width), width)
    while low < high {
      let middle = (low + high) / 2
      if wrapped(middle).count <= greedy.count { high = middle } else { low = middle + 1 }
    }
    return wrapped(high)
  }

  /// Where to divide what does not fit on a line, in the order of preference.
  private enum Break: Int {
    /// Between two credits.
    case credit
    /// Before the "©" of a credit that begins with something else.
    case sign
    /// After a comma or the like.
    case phrase
    case word
  }

  /// The parts of a text that are not broken further: credits that fit on a line, and the parts of
  /// others. Their words are separated by no-break spaces.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - fits: Whether a part fits on a line.
  /// - Returns: The parts in their order.
  static func pieces(of text: Substring, fits: (String) -> Bool) -> [String] {
    pieces(text.split(separator: " ")[...], .credit, fits)
  }

  private static func pieces(
    _ words: ArraySlice<Substring>, _ kind: Break, _ fits: (String) -> Bool
  ) -> [String] {
    let whole = words.joined(separator: "\u{A0}")
    if words.isEmpty { return [] }
    if words.count == 1 || fits(whole) { return [whole] }
    var parts: [ArraySlice<Substring>] = []
    var begin = words.startIndex
    for end in words.indices.dropFirst() where isBreak(kind, words[begin..<end], words[end]) {
      parts.append(words[begin..<end])
      begin = end
    }
    parts.append(words[begin...])
    guard let next = Break(rawValue: kind.rawValue + 1) else {
      return parts.map { $0.joined(separator: "\u{A0}") }
    }
    return parts.flatMap { pieces($0, next, fits) }
  }

  /// Whether a break of a kind is between the words of a part and the next word.
  private static func isBreak(
    _ kind: Break, _ part: ArraySlice<Substring>, _ next: Substring
  ) -> Bool {
    guard let last = part.last else { return false }
    switch kind {
    case .credit: return last == "|" || next.hasPrefix("©") && part.contains { $0.hasPrefix("©") }
    case .sign: return next.hasPrefix("©")
    case .phrase: return last.last.map { ",;.:|".contains($0) } ?? false
    // The sign stays with the name, and what separates credits with the former one.
    case .word: return last != "©" && next != "|"
    }
  }
}
