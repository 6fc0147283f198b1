import CFreeType
import CShaping

/// A character to set, and what it is set with.
public struct TextCharacter: Sendable, Hashable {
  /// The Unicode scalar's number.
  public var scalar: UInt32
  /// The number of its font chain, which `Typesetter.set` is given.
  public var chain: UInt8
  /// Its size as a multiple of the text's.
  public var scale: Float

  /// Creates a character.
  public init(_ scalar: UInt32, chain: UInt8 = 0, scale: Float = 1) {
    self.scalar = scalar
    self.chain = chain
    self.scale = scale
  }
}

/// A glyph of a line that was set. Lengths are ems of the text's size.
public struct SetGlyph: Sendable, Hashable {
  /// The glyph's number in its font.
  public var index: UInt32
  /// The font's number in the typesetter.
  public var font: UInt8
  /// Its size as a multiple of the text's.
  public var scale: Float
  /// From the line's start to its origin.
  public var x: Float
  /// From the baseline up to its origin.
  public var y: Float
  /// How far the pen advances.
  public var advance: Float
  /// The index of its character.
  public var character: Int
}

/// Sets lines of text in ems, independently of any size, and draws their glyphs at any size, angle
/// and fraction of a pixel.
///
/// Widths are the fonts' own, not rounded to pixels, so that a text has the same shape at every
/// size. Scripts whose letters join, reorder or stack are set by libraqm, if it is installed.
///
/// An instance belongs to one thread at a time.
public final class Typesetter {
  /// The size in pixels at which libraqm sets a line.
  private static let shapingSize = 256

  private let freeType: FT_Library
  let fonts: [TextFont]
  private let first: Int?
  private var advances: [UInt64: Float] = [:]
  /// For each script with characters that no font had, a language (BCP 47) that `ScriptFonts` can
  /// look for fonts with. Scripts for which it knows none are not in it.
  public private(set) var lackingLanguages: Set<String> = []
  var coverages = CoverageCache()
  /// Which character size each face has, in 1/64 pixel.
  var selected: [Int]

  /// Creates a typesetter. Fonts that cannot be used are left out.
  ///
  /// - Parameter sources: At most `TextRenderer.maxFonts` fonts.
  /// - Throws: `TextError.freeType` if FreeType does not start.
  public init(fonts sources: [FontSource]) throws(TextError) {
    var library: FT_Library?
    let started = FT_Init_FreeType(&library)
    guard started == 0, let library else { throw .freeType(Int(started)) }
    freeType = library
    fonts = sources.prefix(TextRenderer.maxFonts).map { TextFont($0, freeType: library) }
    selected = [Int](repeating: 0, count: fonts.count)
    first = fonts.firstIndex { $0.open() }
  }

  deinit {
    for font in fonts { font.close() }
    FT_Done_FreeType(freeType)
  }

  /// Bytes of the memory that it keeps: glyphs and widths.
  public var bytes: Int { coverages.bytes + advances.count * 24 }

  var library: FT_Library { freeType }

  /// The first font of a chain that has the character; else the first usable font, with its
  /// "missing" box.
  func glyph(_ scalar: UInt32, _ chain: [Int]) -> (font: Int, index: UInt32) {
    for number in chain where number >= 0 && number < fonts.count {
      let index = fonts[number].glyph(scalar)
      if index != 0 { return (number, index) }
    }
    if let language = ScriptFonts.language(of: scalar) { lackingLanguages.insert(language) }
    return (first ?? 0, 0)
  }

  /// Whether a font of the chain has the character.
  public func has(_ scalar: UInt32, chain: [Int]) -> Bool { glyph(scalar, chain).index != 0 }

  /// The width of a character that stands alone, in ems of its own size. 0 for controls.
  public func advance(of scalar: UInt32, chain: [Int]) -> Float {
    if TextScripts.isControl(scalar) || first == nil { return 0 }
    let (font, index) = glyph(scalar, chain)
    return advance(font, index)
  }

  private func advance(_ font: Int, _ index: UInt32) -> Float {
    let key = UInt64(font) << 32 | UInt64(index)
    if let known = advances[key] { return known }
    var width: Float = 0
    if let face = fonts[font].face, face.pointee.units_per_EM > 0,
      FT_Load_Glyph(face, index, FT_Int32(FT_LOAD_NO_SCALE)) == 0, let slot = face.pointee.glyph
    {
      let units = Float(slot.pointee.metrics.horiAdvance) / Float(face.pointee.units_per_EM)
      // A font may state any width.
      width = min(max(units, 0), 8)
    }
    if advances.count >= 4096 { advances.removeAll(keepingCapacity: true) }
    advances[key] = width
    return width
  }

  /// How much closer or further two glyphs stand, in ems.
  private func kerning(_ font: Int, _ left: UInt32, _ right: UInt32) -> Float {
    // FT_HAS_KERNING, a macro: bit 6.
    guard let face = fonts[font].face, face.pointee.face_flags & (1 << 6) != 0,
      face.pointee.units_per_EM > 0
    else { return 0 }
    var kerning = FT_Vector()
    let mode = FT_KERNING_UNSCALED.rawValue
    guard FT_Get_Kerning(face, left, right, mode, &kerning) == 0 else { return 0 }
    return min(max(Float(kerning.x) / Float(face.pointee.units_per_EM), -1), 1)
  }

  /// Sets one line.
  ///
  /// - Parameters:
  ///   - characters: The line in logical order, at most `TextRenderer.maxLength` of them; controls
  ///     are left out.
  ///   - chains: Lists of fonts' numbers in order of preference.
  ///   - spacing: Added after each character, in ems. Ignored in scripts whose letters join.
  /// - Returns: The glyphs from left to right, and the line's width in ems.
  public func set(
    _ characters: ArraySlice<TextCharacter>, chains: [[Int]], spacing: Float = 0
  ) -> (glyphs: [SetGlyph], width: Float) {
    guard first != nil, !chains.isEmpty else { return ([], 0) }
    let line = characters.prefix(TextRenderer.maxLength)
    if line.contains(where: { TextScripts.needsShaping($0.scalar) }),
      waypost_shaping_available() != 0, let shaped = setShaped(line, chains, spacing)
    {
      return shaped
    }
    var glyphs: [SetGlyph] = []
    glyphs.reserveCapacity(line.count)
    var pen: Float = 0
    for (number, character) in zip(line.indices, line) {
      if TextScripts.isControl(character.scalar) { continue }
      let (font, index) = glyph(
        character.scalar, chains[min(Int(character.chain), chains.count - 1)])
      if let last = glyphs.last, Int(last.font) == font, last.scale == character.scale {
        pen += kerning(font, last.index, index) * character.scale
      }
      let width = advance(font, index) * character.scale
      glyphs.append(
        SetGlyph(
          index: index, font: UInt8(font), scale: character.scale, x: pen, y: 0, advance: width,
          character: number))
      pen += width + spacing
    }
    return (glyphs, max(0, glyphs.isEmpty ? 0 : pen - spacing))
  }

  private func setShaped(
    _ line: ArraySlice<TextCharacter>, _ chains: [[Int]], _ spacing: Float
  ) -> ([SetGlyph], Float)? {
    var scalars: [UInt32] = []
    var numbers: [Int] = []
    var faces: [UnsafeMutableRawPointer?] = []
    var lastFont = 0
    for (number, character) in zip(line.indices, line) {
      let scalar = character.scalar
      // Joiners and direction marks matter to the shaper.
      if TextScripts.isControl(scalar), !(0x200C...0x200F).contains(scalar) { continue }
      // Marks stay with the preceding letter if its font has them.
      let isMark = Unicode.Scalar(scalar).map { $0.properties.generalCategory.isMark } ?? false
      let stays = isMark && !faces.isEmpty && fonts[lastFont].glyph(scalar) != 0
      let font =
        stays ? lastFont : glyph(scalar, chains[min(Int(character.chain), chains.count - 1)]).font
      lastFont = font
      select(font, size: Self.shapingSize * 64)
      guard let face = fonts[font].face else { return nil }
      scalars.append(scalar)
      numbers.append(number)
      faces.append(UnsafeMutableRawPointer(face))
    }
    if scalars.isEmpty { return ([], 0) }
    let limit = scalars.count * 4 + 16
    var count: Int32 = -1
    // FT_LOAD_NO_HINTING: widths in proportion to the size.
    let flags = Int32(FT_LOAD_NO_HINTING) | Int32(FT_LOAD_NO_BITMAP)
    let shaped = [waypost_glyph](unsafeUninitializedCapacity: limit) { out, initialized in
      out.initialize(repeating: waypost_glyph())
      count = waypost_shape(
        scalars, Int32(scalars.count), faces, flags, out.baseAddress, Int32(limit))
      initialized = max(0, Int(count))
    }
    guard count >= 0 else { return nil }
    var glyphs: [SetGlyph] = []
    glyphs.reserveCapacity(shaped.count)
    var pen: Float = 0
    let unit = 1 / Float(64 * Self.shapingSize)
    for glyph in shaped {
      let number = numbers[min(Int(glyph.cluster), numbers.count - 1)]
      let character = line[number]
      let font = fonts.firstIndex { UnsafeMutableRawPointer($0.face) == glyph.face } ?? 0
      let step = unit * character.scale
      let advance = min(max(Float(glyph.x_advance) * step, -8), 8)
      glyphs.append(
        SetGlyph(
          index: glyph.glyph, font: UInt8(font), scale: character.scale,
          x: pen + Float(glyph.x_offset) * step, y: Float(glyph.y_offset) * step,
          advance: advance, character: number))
      pen += advance
      if spacing != 0, glyph.x_advance > 0, !TextScripts.needsShaping(character.scalar) {
        pen += spacing
      }
    }
    return (glyphs, max(0, pen))
  }

  /// Sets a face's size, in 1/64 pixel.
  func select(_ font: Int, size: Int) {
    guard selected[font] != size, fonts[font].open(), let face = fonts[font].face,
      FT_Set_Char_Size(face, 0, FT_F26Dot6(size), 72, 72) == 0
    else { return }
    selected[font] = size
  }
}

extension Unicode.GeneralCategory {
  /// Whether it is a mark that stands with a letter.
  fileprivate var isMark: Bool {
    self == .nonspacingMark || self == .spacingMark || self == .enclosingMark
  }
}

/// Rules of scripts for those who break lines themselves.
public enum TextRules {
  /// Whether letters of this script join or stack, so that they are not spaced.
  public static func joins(_ scalar: UInt32) -> Bool { TextScripts.needsShaping(scalar) }
  /// Whether the character is not drawn.
  public static func isControl(_ scalar: UInt32) -> Bool { TextScripts.isControl(scalar) }
}
