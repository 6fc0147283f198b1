import CFreeType
import CShaping

/// Why text cannot be drawn.
public enum TextError: Error, Equatable, Sendable, CustomStringConvertible {
  /// FreeType could not start; FreeType's error number (fterrdef.h).
  case freeType(Int)
  /// The font is not a font that FreeType reads; FreeType's error number.
  case badFont(Int)
  /// The font has no outlines (a bitmap font): text of any size needs them.
  case notScalable
  /// The file cannot be opened, and why.
  case unreadable(String)

  /// The reason, and what would be right.
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
  /// The font's file.
  public var path: String
  /// Why it cannot be used.
  public var reason: String
}

/// Draws single lines of text into pixels: grey-scale glyphs of any size, with a halo where the map
/// beneath would make them hard to read.
///
/// Of several fonts the first that has a character draws it; what none has is drawn as the last
/// one's "missing" box. Glyphs are set one after the other from left to right with the font's
/// kerning. Scripts that need more (Arabic, Hebrew, those of India and South-East Asia, combining
/// marks) are set by libraqm, which is loaded when the first such text comes; without it they are
/// drawn letter by letter. Control characters are left out. No string is an error.
///
/// FreeType is loaded by the first instance, so make one when text is first needed. An instance
/// belongs to one thread at a time.
public final class TextRenderer {
  /// Sizes lie in this range; others are moved to its nearest end. In pixels.
  public static let sizes = 4...256
  /// At most so many characters of a string are looked at.
  public static let maxLength = 1024
  /// At most so many fonts.
  public static let maxFonts = 32

  /// How letters are drawn.
  public enum Weight: Sendable { case regular, bold }

  let freeType: FT_Library
  let fonts: [TextFont]
  let stroker: FT_Stroker?
  var cache = GlyphCache()

  /// A renderer of one font.
  ///
  /// - Parameter font: A font file's bytes, which stay where they are while the renderer lives.
  /// - Throws: `TextError` if FreeType does not start or the font cannot be used.
  public convenience init(font: UnsafeRawBufferPointer) throws(TextError) {
    try self.init(fonts: [.memory(font)])
    if let error = fonts[0].error { throw error }
  }

  /// A renderer of several fonts.
  ///
  /// - Parameter sources: The first font that has a character draws it. Fonts that cannot be used
  ///   are left out (`problems`); the first that can sets a line's height.
  /// - Throws: `TextError.freeType` if FreeType does not start.
  public init(fonts sources: [FontSource]) throws(TextError) {
    var freeType: FT_Library?
    let started = FT_Init_FreeType(&freeType)
    guard started == 0, let freeType else { throw .freeType(Int(started)) }
    var stroker: FT_Stroker?
    // Without a stroker (out of memory) text is drawn without halos.
    if FT_Stroker_New(freeType, &stroker) != 0 { stroker = nil }
    self.freeType = freeType
    self.stroker = stroker
    fonts = sources.prefix(Self.maxFonts).map { TextFont($0, freeType: freeType) }
    first = fonts.firstIndex { $0.open() }
  }

  deinit {
    for font in fonts { font.close() }
    if let stroker { FT_Stroker_Done(stroker) }
    FT_Done_FreeType(freeType)
  }

  /// The first font that can be used.
  private let first: Int?

  /// The files that cannot be used; those not needed so far are opened for that.
  public var problems: [FontProblem] {
    fonts.compactMap { font in
      guard let path = font.path, !font.open() else { return nil }
      return FontProblem(path: path, reason: font.error?.description ?? "cannot be used")
    }
  }

  /// How much room a line takes, in pixels: the pen's way from the first glyph to past the last,
  /// and the font's ascent above and descent below the baseline (both positive). A halo reaches
  /// `haloRadius(size:)` further on every side.
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

  /// How far a halo reaches beyond its letters, in whole pixels.
  public static func haloRadius(size: Int) -> Int { (haloWidth(clamped(size)) + 63) >> 6 + 1 }

  /// Draws a line into premultiplied ARGB, clipped to the canvas.
  ///
  /// - Parameters:
  ///   - text: The line; control characters are left out.
  ///   - size: The font's size (its em square) in pixels.
  ///   - weight: Regular or bold letters.
  ///   - color: `0xAARRGGBB`, not premultiplied.
  ///   - halo: The colour of the halo, likewise; nil for none.
  ///   - canvas: `height` rows of `stride` words; read and written.
  ///   - stride: Words from one row to the next.
  ///   - width: The canvas's width in pixels.
  ///   - height: The canvas's height in pixels.
  ///   - x: Where the pen starts, in pixels.
  ///   - baselineY: The row below the baseline: letters without descenders end above it.
  public func draw(
    _ text: String, size: Int, weight: Weight = .regular, color: UInt32, halo: UInt32?,
    into canvas: UnsafeMutablePointer<UInt32>, stride: Int, width: Int, height: Int, at x: Int,
    baselineY: Int
  ) {
    // Far places are of no use and must not overflow.
    let far = 1 << 24
    guard width > 0, height > 0, abs(x) < far, abs(baselineY) < far else { return }
    let target = GlyphTarget(
      canvas: canvas, stride: stride, width: min(width, far), height: min(height, far))
    let size = Self.clamped(size)
    if let halo, stroker != nil {
      forEachGlyph(text, size, weight) { font, index, penX, penY in
        self.withGlyph(
          GlyphCache.Key(
            font: UInt8(font), index: index, size: UInt16(size), isHalo: true,
            isBold: weight == .bold)
        ) {
          target.draw($0, color: halo, x: x + penX, y: baselineY - penY)
        }
      }
    }
    forEachGlyph(text, size, weight) { font, index, penX, penY in
      self.withGlyph(
        GlyphCache.Key(
          font: UInt8(font), index: index, size: UInt16(size), isHalo: false,
          isBold: weight == .bold)
      ) {
        target.draw($0, color: color, x: x + penX, y: baselineY - penY)
      }
    }
  }

  static func clamped(_ size: Int) -> Int { min(max(size, sizes.lowerBound), sizes.upperBound) }

  /// The halo's width in 1/64 pixel: a tenth of the size, at least 1.5 pixels.
  static func haloWidth(_ size: Int) -> Int { max(96, size * 64 / 10) }

  /// How much wider bold letters are, in 1/64 pixel: a 24th of the size.
  static func boldWidth(_ size: Int) -> Int { size * 64 / 24 }

  /// Calls `body` with each glyph's font, index and place, in pixels from the line's beginning and
  /// above its baseline; returns the pen's last place.
  @discardableResult
  private func forEachGlyph(
    _ text: String, _ size: Int, _ weight: Weight, _ body: (Int, UInt32, Int, Int) -> Void
  ) -> Int {
    // Without any font there is no letter.
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
      let (font, index) = glyph(of: character.value)
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

  /// The first font that has a character, and its glyph; else the last font's box.
  func glyph(of character: UInt32) -> (font: Int, index: UInt32) {
    for (n, font) in fonts.enumerated() {
      let index = font.glyph(character)
      if index != 0 { return (n, index) }
    }
    return (first ?? 0, 0)
  }

  func advance(_ font: Int, _ index: UInt32, _ size: Int, _ weight: Weight) -> Int {
    let key = GlyphCache.Key(
      font: UInt8(font), index: index, size: UInt16(size), isHalo: false, isBold: weight == .bold)
    var advance = 0
    withGlyph(key) { advance = $0.advance }
    return advance
  }

  /// Calls `body` with a glyph from the cache, rendered if it is not there yet.
  private func withGlyph(_ key: GlyphCache.Key, _ body: (Glyph) -> Void) {
    if let glyph = cache[key] { return body(glyph) }
    let glyph = render(key)
    cache.insert(glyph, for: key)
    body(glyph)
  }

  /// Bytes of the glyphs that are kept.
  public var bytes: Int { cache.bytes }
}
