import CFreeType

/// Why text cannot be drawn.
public enum TextError: Error, Equatable, Sendable, CustomStringConvertible {
  /// FreeType could not start; FreeType's error number (fterrdef.h).
  case freeType(Int)
  /// The font is not a font that FreeType reads; FreeType's error number.
  case badFont(Int)
  /// The font has no outlines (a bitmap font): text of any size needs them.
  case notScalable

  public var description: String {
    switch self {
    case .freeType(let code): "FreeType did not start (error \(code))"
    case .badFont(let code):
      "the font is not one that FreeType reads (error \(code)); give a TrueType or OpenType file"
    case .notScalable: "the font has no outlines; give a TrueType or OpenType file"
    }
  }
}

/// Draws single lines of text into pixels: grey-scale glyphs of one font, any size, with a halo
/// where the map beneath would make them hard to read.
///
/// Glyphs are set one after the other from left to right with the font's kerning; scripts that
/// need shaping are drawn letter by letter. Characters that the font lacks are drawn as its
/// "missing" box, control characters are left out. No string is an error.
///
/// FreeType is loaded by the first instance, so make one when text is first needed. An instance
/// belongs to one thread at a time.
public final class TextRenderer {
  /// Sizes lie in this range; others are moved to its nearest end. In pixels.
  public static let sizes = 4...256
  /// At most so many characters of a string are looked at.
  public static let maxLength = 1024

  let library: FT_Library
  let face: FT_Face
  let stroker: FT_Stroker?
  var cache = GlyphCache()
  var currentSize = 0

  /// - Parameter font: A font file's bytes, which stay where they are while the renderer lives.
  public init(font: UnsafeRawBufferPointer) throws(TextError) {
    var library: FT_Library?
    let started = FT_Init_FreeType(&library)
    guard started == 0, let library else { throw .freeType(Int(started)) }
    var face: FT_Face?
    let bytes = font.baseAddress?.assumingMemoryBound(to: FT_Byte.self)
    let opened = FT_New_Memory_Face(library, bytes, FT_Long(font.count), 0, &face)
    guard opened == 0, let face else {
      FT_Done_FreeType(library)
      throw .badFont(Int(opened))
    }
    // FT_IS_SCALABLE, a macro: bit 0, FT_FACE_FLAG_SCALABLE.
    guard face.pointee.face_flags & 1 != 0 else {
      FT_Done_FreeType(library)
      throw .notScalable
    }
    var stroker: FT_Stroker?
    // Without a stroker (out of memory) text is drawn without halos.
    if FT_Stroker_New(library, &stroker) != 0 { stroker = nil }
    self.library = library
    self.face = face
    self.stroker = stroker
  }

  deinit {
    if let stroker { FT_Stroker_Done(stroker) }
    FT_Done_FreeType(library)  // the face too
  }

  /// How much room a line takes, in pixels: the pen's way from the first glyph to past the last,
  /// and the font's ascent above and descent below the baseline (both positive). A halo reaches
  /// `haloRadius(size:)` further on every side.
  public func measure(_ text: String, size: Int) -> (width: Int, ascent: Int, descent: Int) {
    let size = select(size)
    let width = forEachGlyph(text) { _, _ in }
    guard let metrics = face.pointee.size?.pointee.metrics else { return (width, size, 0) }
    return (width, (Int(metrics.ascender) + 63) >> 6, (63 - Int(metrics.descender)) >> 6)
  }

  /// How far a halo reaches beyond its letters, in whole pixels.
  public static func haloRadius(size: Int) -> Int { (haloWidth(clamped(size)) + 63) >> 6 + 1 }

  /// Draws a line into premultiplied ARGB, clipped to the canvas.
  ///
  /// - Parameters:
  ///   - size: The font's size in pixels (of the em square).
  ///   - color: `0xAARRGGBB`, not premultiplied.
  ///   - halo: The colour of the halo, likewise; nil for none.
  ///   - canvas: `height` rows of `stride` words; read and written.
  ///   - x: Where the pen starts, in pixels.
  ///   - baselineY: The row below the baseline: letters without descenders end above it.
  public func draw(
    _ text: String, size: Int, color: UInt32, halo: UInt32?,
    into canvas: UnsafeMutablePointer<UInt32>, stride: Int, width: Int, height: Int, at x: Int,
    baselineY: Int
  ) {
    // Far places are of no use and must not overflow.
    let far = 1 << 24
    guard width > 0, height > 0, abs(x) < far, abs(baselineY) < far else { return }
    let target = GlyphTarget(
      canvas: canvas, stride: stride, width: min(width, far), height: min(height, far))
    let size = select(size)
    if let halo, stroker != nil {
      forEachGlyph(text) { index, pen in
        self.withGlyph(GlyphCache.Key(index: index, size: size, isHalo: true)) {
          target.draw($0, color: halo, x: x + pen, y: baselineY)
        }
      }
    }
    forEachGlyph(text) { index, pen in
      self.withGlyph(GlyphCache.Key(index: index, size: size, isHalo: false)) {
        target.draw($0, color: color, x: x + pen, y: baselineY)
      }
    }
  }

  static func clamped(_ size: Int) -> Int { min(max(size, sizes.lowerBound), sizes.upperBound) }

  /// The halo's width in 1/64 pixel: a tenth of the size, at least 1.5 pixels.
  static func haloWidth(_ size: Int) -> Int { max(96, size * 64 / 10) }

  /// Makes `size`, clamped, the face's size; returns it.
  private func select(_ size: Int) -> Int {
    let size = Self.clamped(size)
    if size != currentSize, FT_Set_Pixel_Sizes(face, 0, FT_UInt(size)) == 0 { currentSize = size }
    return size
  }

  /// Calls `body` with each glyph and the pen's place before it; returns the pen's last place.
  @discardableResult
  private func forEachGlyph(_ text: String, _ body: (UInt32, Int) -> Void) -> Int {
    var pen = 0
    var previous: UInt32 = 0
    for character in text.unicodeScalars.prefix(Self.maxLength) {
      if Self.isControl(character.value) { continue }
      let index = FT_Get_Char_Index(face, FT_ULong(character.value))
      if previous != 0, index != 0 {
        var kerning = FT_Vector()
        if FT_Get_Kerning(face, previous, index, FT_KERNING_DEFAULT.rawValue, &kerning) == 0 {
          pen += Int(kerning.x) >> 6
        }
      }
      body(index, pen)
      pen += advance(index)
      previous = index
    }
    return pen
  }

  /// C0 and C1 controls, and the marks that steer a text's direction and joining.
  private static func isControl(_ value: UInt32) -> Bool {
    value < 0x20 || (0x7f..<0xa0).contains(value) || (0x200b...0x200f).contains(value)
      || (0x2028...0x202e).contains(value) || (0x2060...0x206f).contains(value)
      || (0xfe00...0xfe0f).contains(value) || value == 0xfeff
  }

  private func advance(_ index: UInt32) -> Int {
    let key = GlyphCache.Key(index: index, size: currentSize, isHalo: false)
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
}
