import Drawing

/// Breaks a text into lines of about equal width (`text-max-width`).
///
/// Lines may end after spaces, hyphens and the like, and beside ideographs
/// (`LineBreaker+Ideographs.swift`). Of all ways to break the text, the least ragged one is chosen.
/// As in MapLibre, raggedness is the sum of the squares of the lines' differences from the mean
/// width, in 24ths of an em.
struct LineBreaker {
  let characters: [TextCharacter]
  /// The width of each character in ems.
  let widths: [Float]

  /// The lines without the white space at their ends. At most 64.
  ///
  /// - Parameter maxWidth: In ems, 0 or more; infinite: only at line ends in the text.
  /// - Returns: The characters of each line.
  func lines(maxWidth: Float) -> [Range<Int>] {
    guard !characters.isEmpty else { return [] }
    let breaks = maxWidth.isFinite ? balancedBreaks(maxWidth) : lineEnds()
    var lines: [Range<Int>] = []
    var start = 0
    for end in breaks + [characters.count] where lines.count < 64 {
      var range = start..<max(start, end)
      while let first = range.first, isSpace(first) { range = first + 1..<range.upperBound }
      while let last = range.last, isSpace(last) { range = range.lowerBound..<last }
      lines.append(range)
      start = end
    }
    // A text of spaces has no lines; empty lines between others stay.
    while lines.last?.isEmpty ?? false { lines.removeLast() }
    return lines
  }

  private func isSpace(_ index: Int) -> Bool {
    switch characters[index].scalar {
    case 0x09, 0x0A, 0x0B, 0x0C, 0x0D, 0x20, 0x200B: true
    default: false
    }
  }

  /// Whether a dash that stands by itself follows, as between the names of a place in two
  /// languages: it ends a line, and begins none.
  private func isBeforeDash(_ index: Int) -> Bool {
    guard isSpace(index), index + 2 < characters.count, isSpace(index + 2) else { return false }
    return [0x2D, 0x2013, 0x2014, 0x2F].contains(characters[index + 1].scalar)
  }

  private func lineEnds() -> [Int] {
    characters.indices.filter { characters[$0].scalar == 0x0A }.map { $0 + 1 }
  }

  private struct Break {
    var index: Int
    var x: Float
    var badness: Float
    var prior: Int
  }

  private func balancedBreaks(_ maxWidth: Float) -> [Int] {
    let total = widths.reduce(0, +)
    // Without any width every word has its line.
    let target = maxWidth > 0 ? total / max(1, (total / maxWidth).rounded(.up)) : 0
    var breaks: [Break] = []
    let hasZeroWidthSpaces = characters.contains { $0.scalar == 0x200B }
    var x: Float = 0
    for index in characters.indices {
      let scalar = characters[index].scalar
      if !isSpace(index) { x += widths[index] }
      guard index + 1 < characters.count else { break }
      let next = characters[index + 1].scalar
      let ideograph = Self.breaksAround(scalar)
      guard !isBeforeDash(index),
        Self.breaksAfter(scalar) || (ideograph && Self.mayPart(scalar, next))
      else {
        if scalar == 0x20 { x += widths[index] }
        continue
      }
      let penalty = penalty(scalar, next: next, ideograph && hasZeroWidthSpaces)
      breaks.append(best(index + 1, x, target, penalty, breaks, isLast: false))
      if scalar == 0x20 { x += widths[index] }
    }
    let last = best(characters.count, x, target, 0, breaks, isLast: true)
    var result: [Int] = []
    var prior = last.prior
    while prior >= 0 {
      result.append(breaks[prior].index)
      prior = breaks[prior].prior
    }
    return result.reversed()
  }

  private func best(
    _ index: Int, _ x: Float, _ target: Float, _ penalty: Float, _ breaks: [Break], isLast: Bool
  ) -> Break {
    func badness(_ width: Float) -> Float {
      let off = (width - target) * 24
      let raggedness = off * off
      if isLast { return width < target ? raggedness / 2 : raggedness * 2 }
      return raggedness + abs(penalty) * penalty
    }
    var best = Break(index: index, x: x, badness: badness(x), prior: -1)
    // Lines much longer than the target are never best; this bounds the work.
    for prior in breaks.indices.reversed() {
      let width = x - breaks[prior].x
      let sum = breaks[prior].badness + badness(width)
      if sum <= best.badness {
        best.badness = sum
        best.prior = prior
      }
      if breaks.count - prior > 64 { break }
    }
    return best
  }

  private func penalty(_ scalar: UInt32, next: UInt32, _ ideograph: Bool) -> Float {
    var penalty: Float = 0
    if scalar == 0x0A { penalty -= 10000 }
    if ideograph { penalty += 150 }
    if Self.isKatakana(scalar), Self.isKatakana(next) { penalty += Self.insideWord }
    if scalar == 0x28 || scalar == 0xFF08 { penalty += 50 }
    if next == 0x29 || next == 0xFF09 { penalty += 50 }
    return penalty
  }

  /// Characters after which a line may end.
  private static func breaksAfter(_ scalar: UInt32) -> Bool {
    switch scalar {
    case 0x0A, 0x20, 0x26, 0x29, 0x2B, 0x2D, 0x2F, 0xAD, 0xB7, 0x200B, 0x2010, 0x2013, 0x2027:
      true
    default: false
    }
  }
}
