import CShaping

/// A part of a line in one font, one script and one direction.
private struct TextRun {
  var range: Range<Int>
  var font: Int
  var level: Int8
}

extension TextRenderer {
  /// As `forEachGlyph`, for texts that need shaping.
  func forEachShaped(
    _ text: String, _ size: Int, _ weight: Weight, _ body: (Int, UInt32, Int, Int) -> Void
  ) -> Int {
    var characters: [UInt32] = []
    for character in text.unicodeScalars.prefix(Self.maxLength) {
      // Joiners and direction marks mean something to the shaper.
      if TextScripts.isControl(character.value), !(0x200C...0x200F).contains(character.value) {
        continue
      }
      characters.append(character.value)
    }
    if characters.isEmpty { return 0 }
    let runs = visualOrder(runs(of: characters))
    // In 1/64 pixel.
    var pen = 0
    characters.withUnsafeBufferPointer { characters in
      for run in runs {
        let font = fonts[run.font]
        font.select(size)
        if run.level & 1 == 0,
          !characters[run.range].contains(where: { TextScripts.needsShaping($0) })
        {
          // As in a line by itself.
          pen = (pen + 63) & ~63
          pen += 64 * set(characters[run.range], run.font, size, weight, pen / 64, body)
          continue
        }
        guard
          let glyphs = font.shape(
            characters, run.range, isRightToLeft: run.level & 1 != 0)
        else { continue }
        let bold = weight == .bold ? Self.boldWidth(size) : 0
        for glyph in glyphs {
          let x = pen + Int(glyph.x_offset)
          body(run.font, glyph.glyph, (x + 32) >> 6, (Int(glyph.y_offset) + 32) >> 6)
          pen += Int(glyph.x_advance) + (glyph.x_advance > 0 ? bold : 0)
        }
      }
    }
    return (pen + 63) >> 6
  }

  /// Sets letters one after the other from `x` on; returns how far they go.
  private func set(
    _ characters: Slice<UnsafeBufferPointer<UInt32>>, _ font: Int, _ size: Int, _ weight: Weight,
    _ x: Int, _ body: (Int, UInt32, Int, Int) -> Void
  ) -> Int {
    var pen = x
    var previous: UInt32 = 0
    for character in characters where !TextScripts.isControl(character) {
      let index = fonts[font].glyph(character)
      if previous != 0, index != 0 {
        fonts[font].select(size)
        pen += fonts[font].kerning(previous, index)
      }
      body(font, index, pen, 0)
      pen += advance(font, index, size, weight)
      previous = index
    }
    return pen - x
  }

  /// Cuts the line where font, script or direction change.
  private func runs(of characters: [UInt32]) -> [TextRun] {
    let levels = levels(of: characters)
    var runs: [TextRun] = []
    var script: UInt32 = 0
    for (i, character) in characters.enumerated() {
      let own = TextScripts.script(character)
      var font = runs.last?.font ?? -1
      // Marks and signs stay with the letters before them where that font has them.
      if own != 0 || font < 0 || fonts[font].glyph(character) == 0 {
        font = glyph(of: character).font
      }
      let fits = own == 0 || script == 0 || own == script
      if let last = runs.last, last.font == font, last.level == levels[i], fits {
        runs[runs.count - 1].range = last.range.lowerBound..<i + 1
      } else {
        runs.append(TextRun(range: i..<i + 1, font: font, level: levels[i]))
        script = 0
      }
      if own != 0 { script = own }
    }
    return runs
  }

  /// Each character's level (UAX 9): odd ones run from right to left.
  private func levels(of characters: [UInt32]) -> [Int8] {
    var levels = [Int8](repeating: 0, count: characters.count)
    let mixed = characters.contains { TextScripts.isRightToLeft($0) }
    if !mixed { return levels }
    let done = levels.withUnsafeMutableBufferPointer { levels in
      characters.withUnsafeBufferPointer {
        waypost_bidi_levels($0.baseAddress, Int32($0.count), levels.baseAddress) == 0
      }
    }
    if !done {
      // Without FriBidi: words of such letters run backwards in a line that runs forwards.
      for (i, character) in characters.enumerated() {
        levels[i] = TextScripts.isRightToLeft(character) ? 1 : 0
      }
    }
    return levels
  }

  /// The runs from left to right: from the highest level down to the lowest odd one, whatever has at
  /// least that level is turned round (UAX 9, rule L2).
  private func visualOrder(_ logical: [TextRun]) -> [TextRun] {
    var runs = logical
    let highest = runs.map(\.level).max() ?? 0
    guard highest > 0 else { return runs }
    for level in stride(from: highest, through: 1, by: -1) {
      var i = 0
      while i < runs.count {
        var end = i
        while end < runs.count, runs[end].level >= level { end += 1 }
        if end > i { runs[i..<end].reverse() }
        i = max(end, i + 1)
      }
    }
    return runs
  }
}
