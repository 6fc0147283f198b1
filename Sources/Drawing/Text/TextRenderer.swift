import CFreeType
import CShaping

/// Why text cannot be drawn.
public enum TextError: Error, Equatable, Sendable, CustomStringConvertible {
  /// FreeType could not start, with its error number (fterrdef.h).
  case freeType(Int)
  /// The data is not a font that FreeType can read, with its error number (fterrdef.h).
  case badFont(Int)
  /// The font has no outlines (a bitmap font), so it cannot be scaled.
  case notScalable
  /// The file could not be read, and why.
  case unreadable(String)

  /// What is wrong, and what would be right.
  public var description: String {
    switch self {
    case .freeType(let code): "FreeType did not start (error \(code))"
    case .badFont(let code):
      "the font is not one that FreeType reads (error \(code)); give a TrueType or OpenType file"
    case .notScalable: "the font has no outlines; give a TrueType or OpenType file"
    case .unreadable(let reason): "the font cannot be read: \(reason)"
    }
  }
}

/// A font file that cannot be used.
public struct FontProblem: Equatable, Sendable {
  /// The font file's path.
  public var path: String
  /// Why it cannot be used, and what would be right.
  public var reason: String
}

/// Draws single lines of text into pixels: anti-aliased glyphs of any size, with a halo where they
/// would be hard to read on the map.
///
/// Of several fonts, the first one that has a character draws it; a character that none has is
/// drawn as the first font's "missing" box. Glyphs are set from left to right with the font's
/// kerning. Scripts that need more (Arabic, Hebrew, those of India and South-East Asia, combining
/// marks) are set by libraqm, which is loaded with the first such text; without it they are drawn
/// letter by letter. Control characters are left out. No string is an error.
///
/// The first instance loads FreeType, so create one only once text is needed. An instance belongs
/// to one thread at a time.
public final class TextRenderer {
  /// The valid sizes in pixels; others are clamped to them.
  public static let sizes = 4...256
  /// Only this many of a string's characters are used.
  public static let maxLength = 1024
  /// Only this many fonts are used.
  public static let maxFonts = 32

  /// The thickness of letters. Bold ones are those of the semibold font where there is one, else
  /// the regular ones emboldened.
  public enum Weight: Sendable { case regular, bold }

  let freeType: FT_Library
  let fonts: [TextFont]
  let stroker: FT_Stroker?
  var cache = GlyphCache()

  /// Creates a renderer of one font.
  ///
  /// - Parameter font: A font file's bytes, which must stay valid while the renderer lives.
  /// - Throws: `TextError` if FreeType does not start or the font cannot be used.
  public convenience init(font: UnsafeRawBufferPointer) throws(TextError) {
    try self.init(fonts: [.memory(font)])
    if let error = fonts[0].error { throw error }
  }

  /// Creates a renderer of several fonts.
  ///
  /// - Parameters:
  ///   - sources: The fonts in order of preference. Fonts that cannot be used are left out
  ///     (`problems`). The first usable one sets a line's height.
  ///   - semibold: The semibold face of one of the fonts, and that font's place in the list; nil:
  ///     there is none.
  /// - Throws: `TextError.freeType` if FreeType does not start.
  public init(
    fonts sources: [FontSource], semibold: (of: Int, font: FontSource)? = nil
  ) throws(TextError) {
    var freeType: FT_Library?
    let started = FT_Init_FreeType(&freeType)
    guard started == 0, let freeType else { throw .freeType(Int(started)) }
    var stroker: FT_Stroker?
    // Without a stroker (out of memory) text is drawn without halos.
    if FT_Stroker_New(freeType, &stroker) != 0 { stroker = nil }
    self.freeType = freeType
    self.stroker = stroker
    let plain = sources.prefix(Self.maxFonts).map { TextFont($0, freeType: freeType) }
    fonts = plain + (semibold.map { [TextFont($0.font, freeType: freeType)] } ?? [])
    lighter = semibold.flatMap { plain.indices.contains($0.of) ? $0.of : nil }
    searched = plain.count
    first = plain.firstIndex { $0.open() }
  }

  deinit {
    for font in fonts { font.close() }
    if let stroker { FT_Stroker_Done(stroker) }
    FT_Done_FreeType(freeType)
  }

  /// The first font that can be used.
  private let first: Int?
  /// How many of the fonts are asked for characters. One more may be the semibold one.
  private let searched: Int
  /// The font whose semibold face is the last font.
  private let lighter: Int?

  /// The font files that cannot be used. Opens those that have not been needed yet.
  public var problems: [FontProblem] {
    fonts.compactMap { font in
      guard let path = font.path, !font.open() else { return nil }
      return FontProblem(path: path, reason: font.error?.description ?? "cannot be used")
    }
  }

  /// The room that a line takes, in pixels: the distance from its start to the end of its last
  /// glyph's advance, and the font's ascent above and descent below the baseline (both positive). A
  /// halo reaches `haloRadius(size:)` further on every side.
  public func measure(
    _ text: String, size: Int, weight: Weight = .regular
  ) -> (width: Int, ascent: Int, descent: Int) {
    let size = Self.clamped(size)
    let width = forEachGlyph(text, size, weight) { _, _, _, _ in }
    guard let first else { return (width, size, 0) }
    fonts[first].select(size)
    guard let extent = fonts[first].extent else { return (width, size, 0) }
    return (width, extent.ascent, extent.descent)
  }

  /// How far a halo reaches beyond the letters, in pixels.
  ///
  /// - Parameters:
  ///   - size: The font's size in pixels.
  ///   - width: The halo's width in pixels; nil: that of the size.
  /// - Returns: The pixels.
  public static func haloRadius(size: Int, width: Double? = nil) -> Int {
    (haloWidth(clamped(size), width) + 63) >> 6 + 1
  }

  /// Draws a line over premultiplied argb8888 pixels, clipped to the canvas.
  ///
  /// - Parameters:
  ///   - text: The line; control characters are left out.
  ///   - size: The font's size (its em square) in pixels.
  ///   - weight: Regular or bold letters.
  ///   - color: `0xAARRGGBB`, not premultiplied.
  ///   - halo: The halo's colour, `0xAARRGGBB`, not premultiplied; nil: none.
  ///   - haloWidth: The halo's width in pixels; nil: a tenth of the size, at least 1.5.
  ///   - canvas: `height` rows of `stride` pixels; read and written.
  ///   - stride: 32-bit pixels from one row to the next.
  ///   - width: The canvas's width in pixels.
  ///   - height: The canvas's height in pixels.
  ///   - x: The column at which the pen starts.
  ///   - baselineY: The row below the baseline; letters without descenders end above it.
  public func draw(
    _ text: String, size: Int, weight: Weight = .regular, color: UInt32, halo: UInt32?,
    haloWidth: Double? = nil, into canvas: UnsafeMutablePointer<UInt32>, stride: Int, width: Int,
    height: Int, at x: Int,
    baselineY: Int
  ) {
    // Distant positions are of no use and must not overflow.
    let far = 1 << 24
    guard width > 0, height > 0, abs(x) < far, abs(baselineY) < far else { return }
    let target = GlyphTarget(
      canvas: canvas, stride: stride, width: min(width, far), height: min(height, far))
    let size = Self.clamped(size)
    if let halo, stroker != nil {
      let width = UInt16(Self.haloWidth(size, haloWidth))
      forEachGlyph(text, size, weight) { font, index, penX, penY in
        self.withGlyph(
          GlyphCache.Key(
            font: UInt8(font), index: index, size: UInt16(size), halo: width,
            isBold: self.emboldens(font, weight))
        ) {
          target.draw($0, color: halo, x: x + penX, y: baselineY - penY)
        }
      }
    }
    forEachGlyph(text, size, weight) { font, index, penX, penY in
      self.withGlyph(
        GlyphCache.Key(
          font: UInt8(font), index: index, size: UInt16(size), halo: 0,
          isBold: self.emboldens(font, weight))
      ) {
        target.draw($0, color: color, x: x + penX, y: baselineY - penY)
      }
    }
  }

  static func clamped(_ size: Int) -> Int { min(max(size, sizes.lowerBound), sizes.upperBound) }

  /// The halo's width in 1/64 pixel: as asked, at most the size; else a tenth of the size, at least
  /// 1.5 pixels.
  static func haloWidth(_ size: Int, _ asked: Double? = nil) -> Int {
    guard let asked, asked > 0 else { return max(96, size * 64 / 10) }
    return max(1, Int((min(asked, Double(size)) * 64).rounded()))
  }

  /// How much wider bold letters are, in 1/64 pixel: a 24th of the size.
  static func boldWidth(_ size: Int) -> Int { size * 64 / 24 }

  /// Calls `body` with each glyph's font, index and position, in pixels from the line's start and
  /// above its baseline. Returns the pen's final position.
  @discardableResult
  private func forEachGlyph(
    _ text: String, _ size: Int, _ weight: Weight, _ body: (Int, UInt32, Int, Int) -> Void
  ) -> Int {
    // Without a font there are no letters.
    if first == nil { return 0 }
    if text.unicodeScalars.contains(where: { TextScripts.needsShaping($0.value) }),
      waypost_shaping_available() != 0, let end = forEachShaped(text, size, weight, body)
    {
      return end
    }
    var pen = 0
    var previous: UInt32 = 0
    var previousFont = -1
    for character in text.unicodeScalars.prefix(Self.maxLength) {
      if TextScripts.isControl(character.value) { continue }
      let (font, index) = glyph(of: character.value, weight)
      if font == previousFont, previous != 0, index != 0 {
        fonts[font].select(size)
        pen += fonts[font].kerning(previous, index)
      }
      body(font, index, pen, 0)
      pen += advance(font, index, size, weight)
      previous = index
      previousFont = font
    }
    return pen
  }

  /// The first font that has the character, with its glyph; else the first font's "missing" box.
  func glyph(of character: UInt32, _ weight: Weight = .regular) -> (font: Int, index: UInt32) {
    for n in 0..<searched {
      let index = fonts[n].glyph(character)
      guard index != 0 else { continue }
      if weight == .bold, n == lighter {
        let heavier = fonts[searched].glyph(character)
        if heavier != 0 { return (searched, heavier) }
      }
      return (n, index)
    }
    return (first ?? 0, 0)
  }

  /// Whether bold letters of the font are made from its regular ones.
  func emboldens(_ font: Int, _ weight: Weight) -> Bool { weight == .bold && font < searched }

  func advance(_ font: Int, _ index: UInt32, _ size: Int, _ weight: Weight) -> Int {
    let key = GlyphCache.Key(
      font: UInt8(font), index: index, size: UInt16(size), halo: 0,
      isBold: emboldens(font, weight))
    var advance = 0
    withGlyph(key) { advance = $0.advance }
    return advance
  }

  /// Calls `body` with a glyph from the cache, rendered first if it is not there.
  private func withGlyph(_ key: GlyphCache.Key, _ body: (Glyph) -> Void) {
    if let glyph = cache[key] { return body(glyph) }
    let glyph = render(key)
    cache.insert(glyph, for: key)
    body(glyph)
  }

  /// Bytes of the cached glyphs.
  public var bytes: Int { cache.bytes }
}
