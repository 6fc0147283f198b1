import CFreeType
import CShaping

extension TextRenderer {
  /// Like `forEachGlyph`, for text that needs shaping; nil if libraqm cannot do it.
  func forEachShaped(
    _ text: String, _ size: Int, _ weight: Weight, _ body: (Int, UInt32, Int, Int) -> Void
  ) -> Int? {
    var characters: [UInt32] = []
    var fonts: [Int] = []
    for scalar in text.unicodeScalars.prefix(Self.maxLength) {
      // Joiners and direction marks matter to the shaper.
      if TextScripts.isControl(scalar.value), !(0x200C...0x200F).contains(scalar.value) {
        continue
      }
      characters.append(scalar.value)
      fonts.append(font(of: scalar, weight, after: fonts.last))
    }
    if characters.isEmpty { return 0 }
    guard let glyphs = shape(characters, fonts, size) else { return nil }
    // In 1/64 pixel.
    var pen = 0
    var plain: (font: Int, glyph: UInt32)?
    for glyph in glyphs {
      let font = self.fonts.firstIndex { UnsafeMutableRawPointer($0.face) == glyph.face } ?? 0
      let character = characters[min(Int(glyph.cluster), characters.count - 1)]
      if !TextScripts.needsShaping(character), self.fonts[font].glyph(character) == glyph.glyph {
        // HarfBuzz positions letters at fractions of pixels; Latin ones are put at whole pixels, as
        // in a line of their own.
        pen = (pen + 63) & ~63
        if let plain, plain.font == font, plain.glyph != 0, glyph.glyph != 0 {
          self.fonts[font].select(size)
          pen += 64 * self.fonts[font].kerning(plain.glyph, glyph.glyph)
        }
        body(font, glyph.glyph, pen >> 6, 0)
        pen += 64 * advance(font, glyph.glyph, size, weight)
        plain = (font, glyph.glyph)
      } else {
        let x = pen + Int(glyph.x_offset)
        body(font, glyph.glyph, (x + 32) >> 6, (Int(glyph.y_offset) + 32) >> 6)
        let isWider = glyph.x_advance > 0 && emboldens(font, weight)
        pen += Int(glyph.x_advance) + (isWider ? Self.boldWidth(size) : 0)
        plain = nil
      }
    }
    return (pen + 63) >> 6
  }

  /// The font that draws a character: for a letter or a digit of Europe, the first one that has
  /// it, so that all numbers of a line look alike. Marks and signs, and other digits, stay with the
  /// preceding character if its font has them.
  private func font(
    of scalar: Unicode.Scalar, _ weight: Weight, after last: Int?
  ) -> Int {
    let stays: Bool
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
      stays = false
    default: stays = !("0"..."9").contains(scalar)
    }
    if stays, let last, fonts[last].glyph(scalar.value) != 0 { return last }
    return glyph(of: scalar.value, weight).font
  }

  /// The line's glyphs from left to right; nil if libraqm cannot set it.
  private func shape(_ characters: [UInt32], _ fonts: [Int], _ size: Int) -> [waypost_glyph]? {
    for font in Set(fonts) { self.fonts[font].select(size) }
    let faces = fonts.map { UnsafeMutableRawPointer(self.fonts[$0].face) }
    if faces.contains(nil) { return nil }
    let limit = characters.count * 4 + 16
    var count: Int32 = -1
    let glyphs = [waypost_glyph](unsafeUninitializedCapacity: limit) { out, initialized in
      out.initialize(repeating: waypost_glyph())
      count = waypost_shape(
        characters, Int32(characters.count), faces, Int32(TextFont.loadFlags), out.baseAddress,
        Int32(limit))
      initialized = max(0, Int(count))
    }
    return count < 0 ? nil : glyphs
  }
}
