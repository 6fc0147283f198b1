import Drawing
import MapStyle

/// A text that was broken into lines and set, in ems of its size. Immutable.
///
/// Lines are 'lineHeight' apart; the block's box is as wide as its widest line and as high as its
/// lines, as in MapLibre, where the capitals of a single line are in the middle of the box.
final class TextBlock: Sendable {
  struct Line: Sendable {
    var glyphs: Range<Int>
    var width: Float
    /// Ems from the block's top to the baseline.
    var baseline: Float
  }

  let glyphs: [SetGlyph]
  /// The section of each glyph; empty if there is only one.
  let sections: [UInt8]
  let lines: [Line]
  let width: Float
  /// The width for which room is kept: MapLibre cuts each letter's width to 24ths of an em.
  let roomWidth: Float
  let height: Float
  let bytes: Int

  /// From the middle of a line down to its baseline: half the height of capitals, in ems.
  static let middleToBaseline: Float = 0.36

  init(
    glyphs: [SetGlyph], sections: [UInt8], lines: [Line], width: Float, roomWidth: Float,
    height: Float
  ) {
    self.roomWidth = roomWidth
    self.glyphs = glyphs
    self.sections = sections
    self.lines = lines
    self.width = width
    self.height = height
    bytes = 160 + glyphs.count * MemoryLayout<SetGlyph>.stride + lines.count * 32
  }

  var isEmpty: Bool { glyphs.isEmpty }

  /// How large a text is, without its glyphs.
  struct Extent {
    var width: Float
    var roomWidth: Float
    var height: Float
    var isEmpty: Bool
  }

  var extent: Extent {
    Extent(width: width, roomWidth: roomWidth, height: height, isEmpty: isEmpty)
  }
}

extension LabelType {
  /// Breaks and sets a text.
  func block(_ text: FormattedText, _ settings: LabelSettings) -> TextBlock {
    var characters: [TextCharacter] = []
    var sectionOf: [UInt8] = []
    for (number, section) in text.sections.prefix(32).enumerated() {
      let face = face(section.font ?? settings.textFont)
      let scale = Float(section.scale ?? 1)
      let limited = scale.isFinite ? min(max(scale, 0.1), 4) : 1
      for scalar in section.text.unicodeScalars
      where characters.count < TileLabelsBuilder.maxTextLength {
        characters.append(TextCharacter(scalar.value, chain: face.rawValue, scale: limited))
        sectionOf.append(UInt8(number))
      }
    }
    let spacing = Self.limited(settings.textLetterSpacing, -0.5...4)
    let lineHeight = Self.limited(settings.textLineHeight, 0...10)
    let maxWidth =
      settings.placement == .point ? Self.limited(settings.textMaxWidth, 0...1000) : .infinity
    let breaker = LineBreaker(
      characters: characters,
      widths: characters.map {
        let advance = typesetter.advance(of: $0.scalar, chain: chains[Int($0.chain)])
        return (advance * 24 + 0.001).rounded(.down) / 24 * $0.scale + spacing
      })
    var glyphs: [SetGlyph] = []
    var lines: [TextBlock.Line] = []
    var width: Float = 0
    var roomWidth: Float = 0
    var y: Float = 0
    for range in breaker.lines(maxWidth: maxWidth) {
      // A line is as high as its largest section.
      let largest = characters[range].reduce(Float(0)) { max($0, $1.scale) }
      let height = lineHeight * (largest > 0 ? largest : 1)
      let line = typesetter.set(characters[range], chains: chains, spacing: spacing)
      let first = glyphs.count
      glyphs += line.glyphs
      lines.append(
        TextBlock.Line(
          glyphs: first..<glyphs.count, width: line.width,
          baseline: y + height / 2 + TextBlock.middleToBaseline * (largest > 0 ? largest : 1)))
      width = max(width, line.width)
      roomWidth = max(roomWidth, breaker.widths[range].reduce(0, +) - spacing)
      y += height
    }
    let sections =
      text.sections.count > 1
      ? glyphs.map { sectionOf[min($0.character, sectionOf.count - 1)] } : []
    return TextBlock(
      glyphs: glyphs, sections: sections, lines: lines, width: width, roomWidth: roomWidth,
      height: y)
  }

  /// `value` within `range`; its lower end for NaN.
  static func limited(_ value: Float, _ range: ClosedRange<Float>) -> Float {
    value.isNaN ? range.lowerBound : min(max(value, range.lowerBound), range.upperBound)
  }
}
