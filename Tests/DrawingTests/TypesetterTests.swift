import CBundled
import Testing

@testable import Drawing

@Suite struct TypesetterTests {
  private func typesetter() throws -> Typesetter {
    try Typesetter(fonts: [
      .memory(UnsafeRawBufferPointer(start: waypost_font_bytes(), count: waypost_font_size()))
    ])
  }

  private func characters(_ text: String, scale: Float = 1) -> ArraySlice<TextCharacter> {
    text.unicodeScalars.map { TextCharacter($0.value, scale: scale) }[...]
  }

  @Test func widthsAreProportionalToTheSize() throws {
    let type = try typesetter()
    let one = type.set(characters("Street"), chains: [[0]])
    let two = type.set(characters("Street", scale: 2), chains: [[0]])
    #expect(one.glyphs.count == 6)
    #expect(abs(two.width - 2 * one.width) < 0.001)
  }

  @Test func glyphsFollowEachOtherFromLeftToRight() throws {
    let glyphs = try typesetter().set(characters("abc def"), chains: [[0]]).glyphs
    #expect(glyphs.map(\.character) == [0, 1, 2, 3, 4, 5, 6])
    let isAscending = zip(glyphs, glyphs.dropFirst()).allSatisfy { $0.x < $1.x }
    #expect(isAscending)
  }

  @Test func controlsTakeNoRoomAndUnknownCharactersAreBoxes() throws {
    let type = try typesetter()
    let plain = type.set(characters("ab"), chains: [[0]]).width
    let controlled = type.set(characters("a\u{200B}\u{7}b"), chains: [[0]]).width
    #expect(plain == controlled)
    #expect(type.advance(of: 0x10FFFF, chain: [0]) > 0)
    #expect(!type.has(0x10FFFF, chain: [0]) && type.has(0x41, chain: [0]))
  }

  @Test func aGlyphIsDrawnWhereItsPenIs() throws {
    let type = try typesetter()
    let glyph = try #require(type.set(characters("I"), chains: [[0]]).glyphs.first)
    var mask = GlyphMask(width: 40, height: 40)
    type.draw(glyph.index, font: 0, size: 20, x: 10, y: 30, into: &mask)
    let inked = mask.coverage.indices.filter { mask.coverage[$0] > 0 }
    let rows = inked.map { $0 / 40 }
    #expect(rows.max() == 29)
    #expect(inked.allSatisfy { $0 % 40 >= 10 })
  }

  @Test func aTurnedGlyphHasTheSameArea() throws {
    let type = try typesetter()
    let glyph = try #require(type.set(characters("O"), chains: [[0]]).glyphs.first)
    var sums: [Int] = []
    for (c, s) in [(0.999_999, 0.001), (0.7071, 0.7071), (0, 1), (-1, 0.0001)] as [(Float, Float)] {
      var mask = GlyphMask(width: 100, height: 100)
      type.draw(
        glyph.index, font: 0, size: 24, x: 50.3, y: 49.6, cosine: c, sine: s, into: &mask)
      sums.append(mask.coverage.reduce(0) { $0 + Int($1) })
    }
    let most = sums.max() ?? 0
    let least = sums.min() ?? 0
    #expect(least > 1000)
    #expect(Double(most - least) < 0.03 * Double(most))
  }

  @Test func fractionsOfAPixelMoveAGlyph() throws {
    let type = try typesetter()
    let glyph = try #require(type.set(characters("l"), chains: [[0]]).glyphs.first)
    func middle(_ x: Float) -> Double {
      var mask = GlyphMask(width: 40, height: 40)
      type.draw(glyph.index, font: 0, size: 16, x: x, y: 30, into: &mask)
      var (sum, weight) = (0.0, 0.0)
      for (index, cover) in mask.coverage.enumerated() {
        sum += Double(cover) * Double(index % 40)
        weight += Double(cover)
      }
      return weight > 0 ? sum / weight : 0
    }
    let start = middle(10)
    #expect(abs(middle(10.5) - start - 0.5) < 0.25)
    #expect(abs(middle(11) - start - 1) < 0.01)
  }

  @Test func noNumberWritesBesideTheMask() throws {
    let type = try typesetter()
    for size in [Float.nan, -5, 0, 3, 1000, .infinity] {
      for place in [Float.nan, -1e9, -20, 5, 39, 1e9, .infinity] {
        var mask = GlyphMask(width: 40, height: 40)
        type.draw(40, font: 0, size: size, x: place, y: place, into: &mask)
        type.draw(
          40, font: 0, size: size, x: place, y: 20, cosine: 0.6, sine: 0.8, into: &mask)
        type.draw(40, font: 7, size: size, x: 5, y: 5, into: &mask)
        #expect(mask.coverage.count == 1600)
      }
    }
    #expect(type.bytes < 2 << 20)
  }
}
