import CFreeType

/// Where a font is.
public enum FontSource {
  /// A font file's bytes, which must stay valid while a renderer lives.
  case memory(UnsafeRawBufferPointer)
  /// A TrueType or OpenType file that was read; the first font of a collection.
  case file(FontFile)
}

/// One font of a renderer, opened when the first character is asked of it.
final class TextFont {
  private let source: FontSource
  private let freeType: FT_Library
  private(set) var face: FT_Face?
  private(set) var error: TextError?
  private var wasTried = false
  private var size = 0
  /// Glyphs looked up before: texts use few characters.
  private var known: [UInt32: UInt32] = [:]

  /// FT_LOAD_TARGET_LIGHT, a macro: FT_RENDER_MODE_LIGHT in bits 16 ... 19. It fits outlines to the
  /// rows only, so that letters keep their widths.
  static let loadFlags = FT_Int32(FT_LOAD_NO_BITMAP) | 1 << 16

  init(_ source: FontSource, freeType: FT_Library) {
    self.source = source
    self.freeType = freeType
  }

  /// Frees everything; call it before the library ends.
  func close() {
    if let face { FT_Done_Face(face) }
    face = nil
  }

  /// The file's path; nil for one in memory.
  var path: String? {
    if case .file(let file) = source { return file.path }
    return nil
  }

  /// Opens the font unless that was tried before. Returns whether it can be used.
  func open() -> Bool {
    if wasTried { return face != nil }
    wasTried = true
    let bytes: UnsafeRawBufferPointer
    switch source {
    case .memory(let memory): bytes = memory
    case .file(let file):
      if let reason = file.reason {
        error = .unreadable(reason)
        return false
      }
      bytes = file.bytes
    }
    var opened: FT_Face?
    let start = bytes.baseAddress?.assumingMemoryBound(to: FT_Byte.self)
    let code = FT_New_Memory_Face(freeType, start, FT_Long(bytes.count), 0, &opened)
    guard code == 0, let opened else {
      error = .badFont(Int(code))
      return false
    }
    // FT_IS_SCALABLE, a macro: bit 0, FT_FACE_FLAG_SCALABLE.
    guard opened.pointee.face_flags & 1 != 0 else {
      FT_Done_Face(opened)
      error = .notScalable
      return false
    }
    face = opened
    return true
  }

  /// The glyph of a character; 0 if the font has none.
  func glyph(_ character: UInt32) -> UInt32 {
    if let index = known[character] { return index }
    guard open(), let face else { return 0 }
    let index = FT_Get_Char_Index(face, FT_ULong(character))
    if known.count >= 4096 { known.removeAll(keepingCapacity: true) }
    known[character] = index
    return index
  }

  /// Sets the face's size, in pixels.
  func select(_ size: Int) {
    guard size != self.size, open(), let face, FT_Set_Pixel_Sizes(face, 0, FT_UInt(size)) == 0
    else { return }
    self.size = size
  }

  /// The font's ascent and descent at the current size, in pixels.
  var extent: (ascent: Int, descent: Int)? {
    guard let metrics = face?.pointee.size?.pointee.metrics else { return nil }
    return ((Int(metrics.ascender) + 63) >> 6, (63 - Int(metrics.descender)) >> 6)
  }

  func kerning(_ left: UInt32, _ right: UInt32) -> Int {
    var kerning = FT_Vector()
    guard let face,
      FT_Get_Kerning(face, left, right, FT_KERNING_DEFAULT.rawValue, &kerning) == 0
    else { return 0 }
    return Int(kerning.x) >> 6
  }
}
