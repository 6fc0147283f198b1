/// Text fitted to a width.
extension TextRenderer {
  /// Breaks `text` into lines of at most `width` pixels, at spaces and line ends, and within a word
  /// that is wider than a line (`LineBreaks`). If more than `maxLines` lines are needed, the last
  /// one ends with an ellipsis.
  ///
  /// A paragraph has the direction of its first letter. Lines that would not show it themselves
  /// have marks, which are not drawn.
  public func wrap(
    _ text: String, size: Int, weight: Weight = .regular, width: Int, maxLines: Int
  ) -> [String] {
    var lines: [String] = []
    func fits(_ line: String) -> Bool { measure(line, size: size, weight: weight).width <= width }
    var left = Self.maxLength * max(1, maxLines)
    var begin = 0
    for paragraph in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline) {
      let direction = TextDirection(of: paragraph)
      begin = lines.count
      var line = ""
      for word in Self.words(of: paragraph) {
        if lines.count > maxLines || left < 0 { break }
        left -= word.utf8.count
        let longer = line.isEmpty ? word : line + " " + word
        if fits(longer) {
          line = longer
          continue
        }
        if !line.isEmpty { lines.append(line) }
        line = word
        // A word, or a line of a script without spaces, that is too wide for any line.
        while lines.count <= maxLines, !fits(line) {
          let (head, rest) = broken(line, size, weight, width)
          lines.append(head)
          line = rest
        }
      }
      if !line.isEmpty { lines.append(line) }
      if lines.count <= maxLines { fillLast(&lines, from: begin, fits) }
      TextDirection.mark(&lines, from: begin, direction)
      if lines.count > maxLines { break }
    }
    guard lines.count > maxLines, maxLines > 0 else { return lines }
    let last = lines[maxLines - 1] + "…"
    // What follows in the same paragraph, without the mark that it may have got.
    let next =
      begin < maxLines ? String(lines[maxLines].drop(while: TextDirection.isMark)) : ""
    let end =
      fits(last)
      ? marked(last, before: next) : ellipsized(last, size: size, weight: weight, width: width)
    return Array(lines.prefix(maxLines - 1)) + [end]
  }

  /// Has the last line of a paragraph begin a word earlier if it has only one or two characters.
  private func fillLast(_ lines: inout [String], from begin: Int, _ fits: (String) -> Bool) {
    guard lines.count - begin > 1, let last = lines.last, last.count <= 2 else { return }
    let former = lines[lines.count - 2]
    // With the signs that belong to it: a colon of French begins no line.
    guard let word = Self.words(of: former).last else { return }
    let (head, longer) = (former.dropLast(word.count + 1), word + " " + last)
    guard head.count > 2, fits(longer) else { return }
    lines[lines.count - 2] = String(head)
    lines[lines.count - 1] = longer
  }

  /// Returns `text` if it fits `width` pixels, else as much of its beginning as fits with an
  /// ellipsis.
  public func ellipsized(
    _ text: String, size: Int, weight: Weight = .regular, width: Int
  ) -> String {
    if measure(text, size: size, weight: weight).width <= width { return text }
    let room = width - measure("…", size: size, weight: weight).width
    var head = text.prefix(longestPrefix(text, size, weight, max(0, room), least: 0))
    while true {
      while head.last == " " { head = head.dropLast() }
      let line = marked(head + "…", before: String(text.dropFirst(head.count)))
      // Beside letters of the other direction the ellipsis may take a pixel more than alone.
      if head.isEmpty || measure(line, size: size, weight: weight).width <= width { return line }
      head = head.dropLast()
    }
  }

  /// A line that ends with an ellipsis, with the marks that it needs where `next` is left out.
  private func marked(_ line: String, before next: String) -> String {
    var lines = [line]
    TextDirection.mark(&lines, TextDirection(of: line), before: next)
    return lines[0]
  }

  /// The words of a paragraph, between which a line may break. A sign that French writes after a
  /// space, such as a colon, begins no line, and an opening quotation mark ends none.
  ///
  /// - Parameter paragraph: A text without line ends.
  /// - Returns: The words; one may contain single spaces.
  public static func words(of paragraph: some StringProtocol) -> [String] {
    var words: [String] = []
    var isOpen = false
    for piece in paragraph.split(separator: " ") {
      if !words.isEmpty, isOpen || [":", ";", "!", "?", "»", "%"].contains(piece) {
        words[words.count - 1] += " " + piece
      } else {
        words.append(String(piece))
      }
      isOpen = piece == "«"
    }
    return words
  }

  /// The parts of a word between which a line may break without a hyphen.
  ///
  /// - Parameter word: A text without spaces.
  /// - Returns: For Chinese and Japanese the characters, each with those next to it that may not
  ///   begin or end a line; otherwise the word.
  public static func parts(ofWord word: String) -> [String] { LineBreaks.parts(of: word) }

  /// Whether a word of Japanese or Chinese seems to begin between two parts of a text.
  ///
  /// - Parameters:
  ///   - part: A part that is not empty.
  ///   - last: The one before it.
  /// - Returns: Whether a line may well end there.
  public static func isWordStart(_ part: String, after last: String) -> Bool {
    guard let end = last.last, let start = part.first else { return false }
    return LineBreaks.isWordStart(after: end, start)
  }

  /// The beginning of a text that is wider than `width`, and the rest, which is shorter than it.
  private func broken(
    _ text: String, _ size: Int, _ weight: Weight, _ width: Int
  ) -> (String, String) {
    let room = width - measure("-", size: size, weight: weight).width
    // A break depends on the characters that fit and on some after them, not on the whole text.
    let fitting = longestPrefix(text, size, weight, width)
    let place = LineBreaks.place(
      in: Array(text.prefix(3 * fitting + 8)), fitting: fitting,
      hyphenated: room > 0 ? longestPrefix(text, size, weight, room, least: 0) : 0)
    return (
      text.prefix(place.count) + (place.isHyphenated ? "-" : ""),
      String(text.dropFirst(place.count))
    )
  }

  /// How many of the first characters fit `width`; at least `least`.
  private func longestPrefix(
    _ text: String, _ size: Int, _ weight: Weight, _ width: Int, least: Int = 1
  ) -> Int {
    var (low, high) = (least, min(text.count, Self.maxLength))
    while low < high {
      let middle = (low + high + 1) / 2
      if measure(String(text.prefix(middle)), size: size, weight: weight).width <= width {
        low = middle
      } else {
        high = middle - 1
      }
    }
    return max(low, least)
  }
}
