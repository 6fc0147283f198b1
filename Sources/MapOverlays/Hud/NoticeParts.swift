import Drawing

/// Cuts the text of a notice into the parts that its pages show.
///
/// A text that fits on one page is not cut. Another one is cut at the ends of sentences and phrases
/// where these fit on pages, otherwise at words; into as few parts as possible, of similar length,
/// and none of them with only a word or two. A part that goes on ends with "…", and the next one
/// begins with it. No word goes on in the next part, and in Japanese no run of characters of one
/// script, unless it is too long for one part.
struct NoticeParts {
  /// What a part that goes on ends with, and what the next one begins with. Their spaces do not
  /// break.
  static let goesOn = "\u{A0}…"
  static let wentBefore = "…\u{A0}"

  /// The size of the text in pixels, and the length of its lines.
  let size: Int
  let wide: Int
  /// The most lines of a part.
  let most: Int
  let text: TextRenderer

  /// The least weight of a part: three words, or six characters of a script without spaces.
  private static let leastWeight = 6

  /// What a line does not break in.
  private struct Piece {
    enum Joint { case space, none, line }

    var text: String
    var width: Int
    /// What is between it and the next piece.
    var joint: Joint
    /// Whether a sentence or phrase ends with it.
    var isEnd = false
    /// Whether a word goes on in the next piece.
    var isInWord = false
    var weight: Int
    /// The direction of its paragraph.
    var direction: TextDirection
  }

  /// The lines of each part of a text, in at most `limit` parts.
  func parts(_ notice: String, limit: Int) -> [[String]] {
    let notice = String(notice.prefix(TextRenderer.maxLength))
    let whole = pieces(notice, width: wide)
    if whole.isEmpty { return [[]] }
    if starts(whole[...], hasBefore: false, hasAfter: false).count <= most {
      return [lines(whole[...], before: "", after: "")]
    }
    let pieces = pieces(
      notice, width: max(16, wide - max(width(Self.goesOn), width(Self.wentBefore))))
    var parts = cut(pieces, atPhrases: true)
    // Cutting at words takes fewer parts.
    if parts.count > limit { parts = cut(pieces, atPhrases: false) }
    return parts.prefix(limit).map { part in
      let lines = self.lines(
        pieces[part], before: text(of: pieces[..<part.lowerBound].suffix(Self.context)),
        after: text(of: pieces[part.upperBound...].prefix(Self.context)))
      return Array(lines.prefix(most))
    }
  }

  /// How many pieces beside a part decide where its first and last signs stand.
  private static let context = 4

  private func text(of pieces: ArraySlice<Piece>) -> String {
    pieces.map(\.text).joined(separator: " ")
  }

  private func width(_ text: String) -> Int { self.text.measure(text, size: size).width }

  // MARK: Pieces

  /// The pieces of a text, each at most `width` pixels wide if it has more than one character.
  private func pieces(_ notice: String, width most: Int) -> [Piece] {
    var pieces: [Piece] = []
    // Where a script without spaces is the only one, a line breaks almost anywhere.
    let isMixed = notice.unicodeScalars.contains(where: WordRun.isKana)
    for paragraph in notice.split(whereSeparator: \.isNewline) {
      let direction = TextDirection(of: paragraph)
      func add(_ text: String, _ joint: Piece.Joint, weight: Int = 2) {
        let wide = self.width(text)
        if wide <= most {
          pieces.append(
            Piece(text: text, width: wide, joint: joint, weight: weight, direction: direction))
          return
        }
        // A long word has a line for each part but its last.
        let lines = self.text.wrap(text, size: size, width: most, maxLines: text.count)
        for (n, line) in lines.enumerated() {
          let joint = n + 1 < lines.count ? .line : joint
          pieces.append(
            Piece(
              text: line, width: self.width(line), joint: joint,
              isInWord: n + 1 < lines.count, weight: weight, direction: direction))
        }
      }
      for word in TextRenderer.words(of: paragraph) {
        let parts = TextRenderer.parts(ofWord: word)
        for (n, part) in parts.enumerated() {
          let isSpaced = parts.count == 1
          add(part, n + 1 < parts.count ? .none : .space, weight: isSpaced ? 2 : part.count)
          if isMixed, n + 1 < parts.count, WordRun.goesOn(from: part, to: parts[n + 1]) {
            pieces[pieces.count - 1].isInWord = true
          }
        }
      }
      if let last = pieces.indices.last { pieces[last].joint = .line }
      if let last = pieces.indices.last { pieces[last].isEnd = true }
    }
    for n in pieces.indices where !pieces[n].isEnd {
      let next = n + 1 < pieces.count ? pieces[n + 1].text : ""
      pieces[n].isEnd = PhraseEnd.isEnd(pieces[n].text, before: next)
    }
    return pieces
  }

  // MARK: Lines

  /// Places pieces in lines, as many in each as fit.
  private struct Flow {
    let wide: Int
    let space: Int
    var line = 1
    /// The end of what is on the line in pixels.
    var x: Int
    var isEmpty = true
    /// What is between the last piece and the next one.
    var joint = Piece.Joint.none

    /// Whether a piece of a width begins a line.
    func breaks(before width: Int) -> Bool {
      if isEmpty { return false }
      return joint == .line || x + gap + width > wide
    }

    private var gap: Int { joint == .space && !isEmpty ? space : 0 }

    /// Returns whether it begins a line.
    @discardableResult
    mutating func place(_ width: Int, _ next: Piece.Joint) -> Bool {
      let isBroken = breaks(before: width)
      if isBroken {
        line += 1
        x = width
      } else {
        x += gap + width
      }
      isEmpty = false
      joint = next
      return isBroken
    }
  }

  private func flow(hasBefore: Bool) -> Flow {
    Flow(wide: wide, space: width(" "), x: hasBefore ? width(Self.wentBefore) : 0)
  }

  /// The lines of some pieces between others, if these are not empty. Each shows its paragraph's
  /// direction, if necessary by marks.
  private func lines(_ pieces: ArraySlice<Piece>, before: String, after: String) -> [String] {
    let (hasBefore, hasAfter) = (!before.isEmpty, !after.isEmpty)
    var lines: [(text: String, direction: TextDirection)] = []
    let starts = starts(pieces, hasBefore: hasBefore, hasAfter: hasAfter)
    for (n, start) in starts.enumerated() {
      let end = n + 1 < starts.count ? starts[n + 1] : pieces.endIndex
      var text = n == 0 && hasBefore ? Self.wentBefore : ""
      for k in start..<end {
        text += (k > start && pieces[k - 1].joint == .space ? " " : "") + pieces[k].text
      }
      if end == pieces.endIndex, hasAfter { text += Self.goesOn }
      lines.append((text, pieces[start].direction))
    }
    return marked(lines, before: before, after: after)
  }

  /// The first piece of each line: as many pieces in a line as fit. But a line of a script without
  /// spaces ends where a word seems to begin, if that is near, and leaves no one or two characters
  /// for the last line, if neither takes a further line.
  private func starts(
    _ pieces: ArraySlice<Piece>, hasBefore: Bool, hasAfter: Bool
  ) -> [Int] {
    let goesOn = hasAfter ? width(Self.goesOn) : 0
    func filled(from start: Int, _ flow: Flow) -> [Int] {
      var (flow, starts) = (flow, [start])
      for n in start..<pieces.endIndex {
        let wide = pieces[n].width + (n + 1 == pieces.endIndex ? goesOn : 0)
        if flow.place(wide, pieces[n].joint), n > start { starts.append(n) }
      }
      return starts
    }
    if pieces.isEmpty { return [] }
    var starts = filled(from: pieces.startIndex, flow(hasBefore: hasBefore))
    // What has no room on a page is cut. To improve all its lines takes long.
    if starts.count > most { return starts }
    let (count, next) = (starts.count, flow(hasBefore: false))
    var n = 1
    while n < starts.count {
      defer { n += 1 }
      let at = starts[n]
      guard pieces[at - 1].joint == .none else { continue }
      let near = max(starts[n - 1] + 1, at - Self.nearEnd)...at
      let apt = near.reversed().filter {
        pieces[$0 - 1].joint == .none && isMore(than: 2, pieces[$0...])
          && n + filled(from: $0, next).count <= count
      }
      let best = apt.first {
        TextRenderer.isWordStart(pieces[$0].text, after: pieces[$0 - 1].text)
      }
      guard let new = best ?? apt.first, new != at else { continue }
      starts = starts[..<n] + filled(from: new, next)
    }
    return starts
  }

  /// How many pieces earlier a line may end for the beginning of a word.
  private static let nearEnd = 3

  /// Whether a paragraph goes on with more than so many characters.
  private func isMore(than count: Int, _ pieces: ArraySlice<Piece>) -> Bool {
    var left = count
    for piece in pieces {
      left -= piece.text.count
      if left < 0 { return true }
      if piece.joint == .line { return false }
    }
    return false
  }

  /// The lines with the marks that show their paragraphs' directions.
  private func marked(
    _ lines: [(text: String, direction: TextDirection)], before: String, after: String
  ) -> [String] {
    var all: [String] = []
    var rest = lines[...]
    while let direction = rest.first?.direction {
      let same = rest.prefix { $0.direction == direction }
      rest = rest.dropFirst(same.count)
      let begin = all.count
      all += same.map(\.text)
      TextDirection.mark(
        &all, from: begin, direction, after: begin == 0 ? before : "",
        before: rest.isEmpty ? after : "")
    }
    return all
  }

  // MARK: Parts

  /// How bad a way to cut is; the first figure counts most.
  private struct Cost: Comparable {
    var inWords = 0
    var short = 0
    var atWords = 0
    var parts = 0
    /// The sum of the squares of the parts' lengths, which is least for equal ones.
    var squares = 0

    static func < (a: Cost, b: Cost) -> Bool {
      (a.inWords, a.short, a.atWords, a.parts, a.squares)
        < (b.inWords, b.short, b.atWords, b.parts, b.squares)
    }
  }

  /// The best way to cut the pieces into parts of at most `most` lines. A piece that needs more
  /// lines is a part of its own.
  private func cut(_ pieces: [Piece], atPhrases: Bool) -> [Range<Int>] {
    let goesOn = width(Self.goesOn)
    var best: [(cost: Cost, start: Int)?] = Array(repeating: nil, count: pieces.count + 1)
    best[0] = (Cost(), 0)
    for start in pieces.indices {
      guard let cost = best[start]?.cost else { continue }
      var flow = flow(hasBefore: start > 0)
      var (length, weight) = (0, 0)
      for n in start..<pieces.count {
        let piece = pieces[n]
        let isLast = n + 1 == pieces.count
        length += piece.width + flow.space
        weight += piece.weight
        let line = flow.line + (flow.breaks(before: piece.width + (isLast ? 0 : goesOn)) ? 1 : 0)
        if line <= most || n == start {
          var new = cost
          if piece.isInWord, !isLast { new.inWords += 1 }
          if weight < Self.leastWeight { new.short += 1 }
          if atPhrases, !isLast, !piece.isEnd { new.atWords += 1 }
          new.parts += 1
          new.squares += length * length
          if best[n + 1].map({ new < $0.cost }) ?? true { best[n + 1] = (new, start) }
        }
        flow.place(piece.width, piece.joint)
        if flow.line > most { break }
      }
    }
    var parts: [Range<Int>] = []
    var end = pieces.count
    while end > 0, let start = best[end]?.start {
      parts.append(start..<end)
      end = start
    }
    return parts.reversed()
  }
}

/// Whether a word of Japanese goes on: kanji after kanji, katakana after katakana.
enum WordRun {
  private enum Script { case kanji, katakana }

  /// Whether a character is one of the kana, which only Japanese has.
  static func isKana(_ scalar: Unicode.Scalar) -> Bool { (0x3041...0x30FF).contains(scalar.value) }

  private static func script(_ scalar: Unicode.Scalar?) -> Script? {
    switch scalar?.value ?? 0 {
    case 0x3005, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x3FFFF: .kanji
    case 0x30A1...0x30FA, 0x30FC...0x30FE: .katakana
    default: nil
    }
  }

  /// Whether a word goes on from the end of a text to the beginning of the next one.
  static func goesOn(from text: String, to next: String) -> Bool {
    guard let last = script(text.unicodeScalars.last) else { return false }
    return last == script(next.unicodeScalars.first)
  }
}

/// Whether a sentence or phrase ends with a word.
enum PhraseEnd {
  private static let marks: Set<Character> = Set("!?;,:…。！？；，、：؟،؛।॥–—·|")
  private static let closing: Set<Character> = Set("\"'”’»)]）」』】")

  /// Whether one ends with `word`, which is followed by `next`.
  static func isEnd(_ word: String, before next: String) -> Bool {
    var head = word[...]
    while let last = head.last, closing.contains(last) { head = head.dropLast() }
    guard let last = head.last else { return false }
    if marks.contains(last) { return true }
    guard last == ".", let first = next.first(where: { $0.isLetter || $0.isNumber }) else {
      return false
    }
    // A point is also in "ca. 5", "bzw. on", "1. June" and "St. Mary".
    if first.isNumber || first.isLowercase { return false }
    let name = head.dropLast()
    if name.allSatisfy(\.isNumber) { return name.count > 2 }
    let isShort = name.count <= 3 && name.allSatisfy { $0.isASCII && $0.isLetter }
    return !isShort || name.contains { "aeiouyAEIOUY".contains($0) }
  }
}
