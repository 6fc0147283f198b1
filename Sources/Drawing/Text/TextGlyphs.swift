import CFreeType
import Pixels

/// A rendered glyph: the coverage of each pixel, 0 to 255.
struct Glyph {
  var coverage: [UInt8] = []
  var width = 0
  var height = 0
  /// Pixels from the pen to the left column; `top` is from the baseline up to the top row.
  var left = 0
  var top = 0
  /// How far the pen advances, in pixels.
  var advance = 0
}

/// Rendered glyphs, limited in number and bytes. When it is full it is emptied: a kiosk's texts use
/// few glyphs, and the next frame renders them again.
struct GlyphCache {
  struct Key: Hashable {
    /// The font's index in the renderer.
    var font: UInt8
    var index: UInt32
    var size: UInt16
    /// The halo's width in 1/64 pixel; 0: the letter itself.
    var halo: UInt16
    var isBold: Bool
  }

  static let maxGlyphs = 512
  static let maxBytes = 1 << 20

  private var glyphs: [Key: Glyph] = [:]
  private(set) var bytes = 0

  var count: Int { glyphs.count }

  subscript(key: Key) -> Glyph? { glyphs[key] }

  mutating func insert(_ glyph: Glyph, for key: Key) {
    if glyphs.count >= Self.maxGlyphs || bytes + glyph.coverage.count > Self.maxBytes {
      glyphs.removeAll(keepingCapacity: true)
      bytes = 0
    }
    bytes += glyph.coverage.count
    glyphs[key] = glyph
  }
}

extension TextRenderer {
  /// Renders a glyph. One that FreeType cannot render is blank.
  func render(_ key: GlyphCache.Key) -> Glyph {
    var result = Glyph()
    let font = fonts[Int(key.font)]
    font.select(Int(key.size))
    guard let face = font.face, FT_Load_Glyph(face, key.index, TextFont.loadFlags) == 0,
      let slot = face.pointee.glyph
    else { return result }
    if key.isBold, slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE {
      // Grow evenly, keep the baseline, and widen the advance by the same amount.
      let strength = FT_Pos(Self.boldWidth(Int(key.size)))
      FT_Outline_Embolden(&slot.pointee.outline, strength)
      FT_Outline_Translate(&slot.pointee.outline, 0, -strength / 2)
      if slot.pointee.advance.x != 0 { slot.pointee.advance.x += strength }
    }
    result.advance = (Int(slot.pointee.advance.x) + 32) >> 6
    var glyph: FT_Glyph?
    guard FT_Get_Glyph(slot, &glyph) == 0 else { return result }
    defer { FT_Done_Glyph(glyph) }
    if key.halo > 0 {
      guard let stroker else { return result }
      FT_Stroker_Set(
        stroker, FT_Fixed(key.halo), FT_STROKER_LINECAP_ROUND,
        FT_STROKER_LINEJOIN_ROUND, 0)
      // The area inside the outer border is the letter with its halo.
      guard FT_Glyph_StrokeBorder(&glyph, stroker, 0, 1) == 0 else { return result }
    }
    guard Self.hasRoom(glyph),
      FT_Glyph_To_Bitmap(&glyph, FT_RENDER_MODE_NORMAL, nil, 1) == 0, let glyph
    else { return result }
    // FT_Glyph_To_Bitmap made it a bitmap glyph, whose first member is the glyph (ftglyph.h).
    glyph.withMemoryRebound(to: FT_BitmapGlyphRec_.self, capacity: 1) {
      copy($0.pointee, to: &result)
    }
    return result
  }

  /// Whether a glyph will have the size of text once rendered, because a font may give an outline
  /// any size.
  private static func hasRoom(_ glyph: FT_Glyph?) -> Bool {
    guard let glyph else { return false }
    var box = FT_BBox()
    FT_Glyph_Get_CBox(glyph, FT_UInt(FT_GLYPH_BBOX_PIXELS.rawValue), &box)
    let (width, width0) = Int(box.xMax).subtractingReportingOverflow(Int(box.xMin))
    let (height, height0) = Int(box.yMax).subtractingReportingOverflow(Int(box.yMin))
    let limit = sizes.upperBound * 8
    return !width0 && !height0 && width <= limit && height <= limit
      && max(0, width) * max(0, height) <= GlyphCache.maxBytes
  }

  private func copy(_ rendered: FT_BitmapGlyphRec_, to result: inout Glyph) {
    let bitmap = rendered.bitmap
    let width = Int(bitmap.width)
    let height = Int(bitmap.rows)
    // Larger than this is not text.
    let limit = Self.sizes.upperBound * 8
    guard let rows = bitmap.buffer, width > 0, height > 0, width <= limit, height <= limit,
      width * height <= GlyphCache.maxBytes,
      UInt32(bitmap.pixel_mode) == FT_PIXEL_MODE_GRAY.rawValue
    else { return }
    result.width = width
    result.height = height
    result.left = Int(rendered.left)
    result.top = Int(rendered.top)
    result.coverage = [UInt8](unsafeUninitializedCapacity: width * height) { memory, count in
      for y in 0..<height {
        let row = UnsafeBufferPointer(start: rows + y * Int(bitmap.pitch), count: width)
        _ = memory[(y * width)...].update(fromContentsOf: row)
      }
      count = width * height
    }
  }
}

/// The canvas that glyphs are drawn on, premultiplied argb8888.
struct GlyphTarget {
  let canvas: UnsafeMutablePointer<UInt32>
  let stride: Int
  let width: Int
  let height: Int

  /// Draws a glyph with its pen at (x, y), clipped to the canvas.
  func draw(_ glyph: Glyph, color: UInt32, x: Int, y: Int) {
    let left = x + glyph.left
    let top = y - glyph.top
    let columns = max(0, -left)..<max(0, -left, min(glyph.width, width - left))
    let rows = max(0, -top)..<max(0, -top, min(glyph.height, height - top))
    guard !columns.isEmpty, !rows.isEmpty else { return }
    let alpha = color >> 24
    glyph.coverage.withUnsafeBufferPointer { coverage in
      for row in rows {
        let pixels = canvas + (top + row) * stride + left
        for column in columns {
          let cover = UInt32(coverage[row * glyph.width + column])
          if cover == 0 { continue }
          pixels[column] = Self.over(color, alpha: Self.product(alpha, cover), pixels[column])
        }
      }
    }
  }

  /// `a * b / 255` of two bytes, rounded.
  private static func product(_ a: UInt32, _ b: UInt32) -> UInt32 {
    let biased = a * b + 128
    return (biased + biased >> 8) >> 8
  }

  /// `color` with the opacity `alpha`, over a premultiplied pixel.
  private static func over(_ color: UInt32, alpha: UInt32, _ under: UInt32) -> UInt32 {
    func channel(_ shift: UInt32) -> UInt32 {
      let source = product(color >> shift & 255, alpha)
      return min(255, source + product(under >> shift & 255, 255 - alpha)) << shift
    }
    let alphas = min(255, alpha + product(under >> 24, 255 - alpha)) << 24
    return alphas | channel(16) | channel(8) | channel(0)
  }
}
