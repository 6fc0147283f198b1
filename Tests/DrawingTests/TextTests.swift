import CBundled
import Drawing
import Pixels
import TestSupport
import Testing

private func bundledFont() throws -> TextRenderer {
  try TextRenderer(
    font: UnsafeRawBufferPointer(start: waypost_font_bytes(), count: waypost_font_size()))
}

/// A canvas with guard rows around it.
private struct Canvas {
  let width: Int
  let height: Int
  var words: [UInt32]
  static let sentinel: UInt32 = 0x5a5a_5a5a

  init(_ width: Int, _ height: Int, background: UInt32 = 0) {
    self.width = width
    self.height = height
    words = [UInt32](repeating: Self.sentinel, count: (width + 3) * (height + 2))
    for y in 0..<height {
      for x in 0..<width { words[(y + 1) * (width + 3) + x] = background }
    }
  }

  mutating func draw(
    _ renderer: TextRenderer, _ text: String, size: Int, color: UInt32 = 0xffff_ffff,
    halo: UInt32? = nil, x: Int, y: Int
  ) {
    let (width, height) = (self.width, self.height)
    words.withUnsafeMutableBufferPointer {
      renderer.draw(
        text, size: size, color: color, halo: halo, into: $0.baseAddress! + width + 3,
        stride: width + 3, width: width, height: height, at: x, baselineY: y)
    }
  }

  subscript(x: Int, y: Int) -> UInt32 { words[(y + 1) * (width + 3) + x] }

  var pixels: [UInt32] { (0..<width * height).map { self[$0 % width, $0 / width] } }

  var guardsAreWhole: Bool {
    words.indices.allSatisfy {
      let (x, y) = ($0 % (width + 3), $0 / (width + 3) - 1)
      return (x < width && y >= 0 && y < height) || words[$0] == Self.sentinel
    }
  }

  /// The columns and rows that hold anything.
  var inked: (columns: ClosedRange<Int>, rows: ClosedRange<Int>)? {
    let all = pixels
    let places = all.indices.filter { all[$0] != 0 }
    let columns = places.map { $0 % width }.sorted()
    guard let left = columns.first, let right = columns.last, let top = places.first,
      let bottom = places.last
    else { return nil }
    return (left...right, top / width...bottom / width)
  }
}

@Test func lettersStandOnTheBaselineWithinTheirMeasure() throws {
  let text = try bundledFont()
  for size in [9, 16, 40] {
    let room = text.measure("HEL", size: size)
    var canvas = Canvas(200, 80)
    canvas.draw(text, "HEL", size: size, x: 10, y: 60)
    let inked = try #require(canvas.inked)
    #expect(inked.rows.upperBound == 59)
    #expect(inked.rows.lowerBound >= 60 - room.ascent)
    // Coverage may reach a part of a pixel beyond the rounded advances.
    #expect(inked.columns.lowerBound >= 10)
    #expect(inked.columns.upperBound <= 10 + room.width)
    // Stems wider than a pixel are drawn in full white; all is premultiplied.
    let isSolid = canvas.pixels.contains(0xffff_ffff)
    #expect(isSolid || size < 16)
    let isPremultiplied = canvas.pixels.allSatisfy { $0 == ($0 >> 24) &* 0x0101_0101 }
    #expect(isPremultiplied)
  }
}

@Test func aDescenderReachesBelowTheBaselineWithinTheDescent() throws {
  let text = try bundledFont()
  let room = text.measure("g", size: 32)
  var canvas = Canvas(60, 80)
  canvas.draw(text, "g", size: 32, x: 5, y: 50)
  let rows = try #require(canvas.inked).rows
  #expect(rows.upperBound > 50 && rows.upperBound < 50 + room.descent)
}

@Test func kerningDrawsPairsTogether() throws {
  let text = try bundledFont()
  let apart = text.measure("A", size: 64).width + text.measure("V", size: 64).width
  #expect(text.measure("AV", size: 64).width < apart)
}

@Test func aHaloSurroundsTheLettersWithinItsRadius() throws {
  let text = try bundledFont()
  var plain = Canvas(80, 60)
  plain.draw(text, "I", size: 30, x: 30, y: 45)
  var haloed = Canvas(80, 60)
  haloed.draw(text, "I", size: 30, halo: 0xff00_0000, x: 30, y: 45)
  let letter = try #require(plain.inked)
  let all = try #require(haloed.inked)
  let radius = TextRenderer.haloRadius(size: 30)
  #expect(all.columns.lowerBound < letter.columns.lowerBound)
  #expect(all.columns.lowerBound >= letter.columns.lowerBound - radius)
  #expect(all.rows.upperBound > letter.rows.upperBound)
  #expect(all.rows.upperBound <= letter.rows.upperBound + radius)
  let hasBoth = haloed.pixels.contains(0xff00_0000) && haloed.pixels.contains(0xffff_ffff)
  #expect(hasBoth)
}

@Test func aHaloIsAsWideAsAsked() throws {
  let text = try bundledFont()
  for width in [1.5, 2.5, 5] {
    var pixels = [UInt32](repeating: 0, count: 80 * 60)
    var letter = pixels
    letter.withUnsafeMutableBufferPointer {
      guard let start = $0.baseAddress else { return }
      text.draw(
        "I", size: 30, color: 0xFFFF_FFFF, halo: nil, into: start, stride: 80, width: 80,
        height: 60, at: 30, baselineY: 45)
    }
    pixels.withUnsafeMutableBufferPointer {
      guard let start = $0.baseAddress else { return }
      text.draw(
        "I", size: 30, color: 0xFFFF_FFFF, halo: 0xFF00_0000, haloWidth: width, into: start,
        stride: 80, width: 80, height: 60, at: 30, baselineY: 45)
    }
    // How much is covered in the row through the letter's middle.
    func covered(_ pixels: [UInt32]) -> Double {
      pixels[(35 * 80)..<(36 * 80)].reduce(0) { $0 + Double($1 >> 24) / 255 }
    }
    let reach = (covered(pixels) - covered(letter)) / 2
    #expect(abs(reach - width) < 0.3)
    #expect(Int(width) < TextRenderer.haloRadius(size: 30, width: width))
  }
}

@Test func textIsClippedToTheCanvasOnEverySide() throws {
  let text = try bundledFont()
  var whole = Canvas(300, 120)
  whole.draw(text, "Ägypten fjord", size: 40, halo: 0xff00_0000, x: 20, y: 70)
  // The same line through a small window at many places.
  for (left, top) in [(0, 0), (15, 30), (100, 60), (250, 90), (290, 110)] {
    var window = Canvas(37, 23)
    window.draw(text, "Ägypten fjord", size: 40, halo: 0xff00_0000, x: 20 - left, y: 70 - top)
    let isInside = window.guardsAreWhole
    #expect(isInside)
    var same = true
    for y in 0..<min(23, 120 - top) {
      for x in 0..<min(37, 300 - left) where window[x, y] != whole[x + left, y + top] {
        same = false
      }
    }
    #expect(same, "window at \(left), \(top)")
  }
}

@Test func aHalfClearColourIsBlendedPremultiplied() throws {
  let text = try bundledFont()
  var canvas = Canvas(60, 60, background: 0xff00_0000)
  canvas.draw(text, "█", size: 30, color: 0x80ff_0000, x: 5, y: 40)
  let isBlended = canvas.pixels.contains(0xff80_0000)
  #expect(isBlended)
  let isOpaque = canvas.pixels.allSatisfy { $0 >> 24 == 255 }
  #expect(isOpaque)
}

@Test func controlsAreLeftOutAndUnknownCharactersAreBoxes() throws {
  let text = try bundledFont()
  let plain = text.measure("ab", size: 20).width
  #expect(text.measure("a\u{0}\u{7}\n\t\u{7f}\u{9b}\u{200e}b\u{feff}", size: 20).width == plain)
  #expect(text.measure("", size: 20).width == 0)
  #expect(text.measure("\u{10ffff}", size: 20).width > 0)
  var canvas = Canvas(60, 60)
  canvas.draw(text, "\u{10ffff}", size: 20, x: 5, y: 40)
  #expect(canvas.inked != nil)
}

@Test func noStringSizeOrPlaceWritesBesideTheCanvas() throws {
  let text = try bundledFont()
  var numbers = SeededNumbers(77)
  for round in 0..<120 {
    var string = ""
    for _ in 0..<Int.random(in: 0...40, using: &numbers) {
      // A range that grows from ASCII to all of Unicode.
      let last = min(0x10ffff, 0x80 << (round / 9))
      if let scalar = Unicode.Scalar(UInt32.random(in: 0...UInt32(last), using: &numbers)) {
        string.unicodeScalars.append(scalar)
      }
    }
    let size = [-5, 0, 1, 7, 13, 48, 400, .max, .min][round % 9]
    var canvas = Canvas(50, 31)
    let x = Int.random(in: -200...80, using: &numbers)
    canvas.draw(text, string, size: size, halo: 0x8000_ff00, x: x, y: round)
    canvas.draw(text, string, size: size, x: .max, y: .min)
    let isInside = canvas.guardsAreWhole
    #expect(isInside)
    #expect(text.measure(string, size: size).width >= 0)
  }
}

@Test func moreGlyphsThanTheCacheHoldsAreStillDrawnRight() throws {
  let text = try bundledFont()
  var first = Canvas(60, 60)
  first.draw(text, "Rß", size: 20, x: 5, y: 40)
  for size in 10..<25 {
    let many = String(String.UnicodeScalarView((0x100..<0x180).compactMap(Unicode.Scalar.init)))
    #expect(text.measure(many, size: size).width > 0)
  }
  var again = Canvas(60, 60)
  again.draw(text, "Rß", size: 20, x: 5, y: 40)
  let isSame = first.words == again.words
  #expect(isSame)
}

@Test func whatIsNoFontIsATypedError() {
  let bytes: [UInt8] = Array("This is not a font, but a text of some length.".utf8)
  #expect(throws: TextError.self) {
    try bytes.withUnsafeBytes { junk in _ = try TextRenderer(font: junk) }
  }
  #expect(throws: TextError.self) {
    _ = try TextRenderer(font: UnsafeRawBufferPointer(start: nil, count: 0))
  }
  // A font that was cut off.
  let cut = UnsafeRawBufferPointer(start: waypost_font_bytes(), count: 300)
  #expect(throws: TextError.self) { _ = try TextRenderer(font: cut) }
}
