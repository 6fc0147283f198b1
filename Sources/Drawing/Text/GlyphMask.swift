import CFreeType

/// Coverage of pixels, 0 to 255 each, that glyphs are added to.
public struct GlyphMask {
  /// The coverage, row by row.
  public var coverage: [UInt8]
  /// Columns.
  public let width: Int
  /// Rows.
  public let height: Int

  /// Creates an empty mask. Sizes below 0 count as 0.
  public init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
    coverage = [UInt8](repeating: 0, count: self.width * self.height)
  }

  /// Adds a glyph whose pen is at (x, y), clipped to the mask. Coverage beyond 255 is cut off.
  mutating func add(_ glyph: Glyph, x: Int, y: Int) {
    let left = x.addingReportingOverflow(glyph.left).partialValue
    let top = y.subtractingReportingOverflow(glyph.top).partialValue
    let columns = max(0, -left)..<max(0, -left, min(glyph.width, width - left))
    let rows = max(0, -top)..<max(0, -top, min(glyph.height, height - top))
    guard !columns.isEmpty, !rows.isEmpty else { return }
    coverage.withUnsafeMutableBufferPointer { pixels in
      glyph.coverage.withUnsafeBufferPointer { source in
        for row in rows {
          let to = (top + row) * width + left
          let from = row * glyph.width
          for column in columns {
            let sum = UInt16(pixels[to + column]) + UInt16(source[from + column])
            pixels[to + column] = UInt8(min(sum, 255))
          }
        }
      }
    }
  }
}

/// Coverages of upright glyphs, limited in bytes. When it is full it is emptied.
struct CoverageCache {
  struct Key: Hashable {
    var font: UInt8
    /// Quarters of a pixel that the pen is right of a column.
    var phase: UInt8
    /// In 1/64 pixel.
    var size: UInt16
    var index: UInt32
  }

  static let maxBytes = 512 << 10

  private var glyphs: [Key: Glyph] = [:]
  private(set) var bytes = 0

  subscript(key: Key) -> Glyph? { glyphs[key] }

  mutating func insert(_ glyph: Glyph, for key: Key) {
    let size = glyph.coverage.count + 128
    if size > Self.maxBytes / 4 { return }
    if bytes + size > Self.maxBytes {
      glyphs.removeAll(keepingCapacity: true)
      bytes = 0
    }
    bytes += size
    glyphs[key] = glyph
  }
}

extension Typesetter {
  /// The sizes in pixels at which glyphs are drawn; others are limited to them.
  public static let sizes: ClosedRange<Float> = 2...256

  /// Adds a glyph to a mask. Upright ones are fitted to pixel rows and cached; turned ones are
  /// drawn from their turned outline.
  ///
  /// - Parameters:
  ///   - index: The glyph's number in its font.
  ///   - font: The font's number.
  ///   - size: The em in pixels, within `sizes`.
  ///   - x: The pen's column; fractions count.
  ///   - y: The baseline's row; fractions count for turned glyphs.
  ///   - cosine: Of the clockwise angle by which the glyph is turned.
  ///   - sine: Of that angle.
  ///   - mask: What to add it to; the glyph is clipped to it.
  public func draw(
    _ index: UInt32, font: Int, size: Float, x: Float, y: Float, cosine: Float = 1,
    sine: Float = 0, into mask: inout GlyphMask
  ) {
    let far: Float = 1_048_576
    guard fonts.indices.contains(font), abs(x) < far, abs(y) < far, !size.isNaN else { return }
    let steps = Int((min(max(size, Self.sizes.lowerBound), Self.sizes.upperBound) * 64).rounded())
    let column = x.rounded(.down)
    if sine == 0, cosine == 1 {
      let phase = min(3, Int((x - column) * 4))
      let key = CoverageCache.Key(
        font: UInt8(font), phase: UInt8(phase), size: UInt16(steps), index: index)
      let row = Int(y.rounded())
      if let glyph = coverages[key] { return mask.add(glyph, x: Int(column), y: row) }
      let glyph = coverage(index, font, steps, nil, x: phase * 16, y: 0)
      coverages.insert(glyph, for: key)
      return mask.add(glyph, x: Int(column), y: row)
    }
    let row = y.rounded(.up)
    func fixed(_ value: Float) -> FT_Fixed { FT_Fixed((value * 65536).rounded()) }
    guard abs(cosine) <= 1, abs(sine) <= 1 else { return }
    // FreeType's y points up: a clockwise turn on the screen is one of the negative angle.
    let matrix = FT_Matrix(
      xx: fixed(cosine), xy: fixed(sine), yx: fixed(-sine), yy: fixed(cosine))
    let glyph = coverage(
      index, font, steps, matrix, x: Int((x - column) * 64), y: Int((row - y) * 64))
    mask.add(glyph, x: Int(column), y: Int(row))
  }

  /// Draws an outline moved by (x, y) in 1/64 pixel, y upwards.
  private func coverage(
    _ index: UInt32, _ font: Int, _ size: Int, _ matrix: FT_Matrix?, x: Int, y: Int
  ) -> Glyph {
    var result = Glyph()
    select(font, size: size)
    let flags =
      matrix == nil
      ? TextFont.loadFlags : FT_Int32(FT_LOAD_NO_HINTING) | FT_Int32(FT_LOAD_NO_BITMAP)
    guard let face = fonts[font].face, FT_Load_Glyph(face, index, flags) == 0,
      let slot = face.pointee.glyph, slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE
    else { return result }
    if var matrix { FT_Outline_Transform(&slot.pointee.outline, &matrix) }
    FT_Outline_Translate(&slot.pointee.outline, FT_Pos(x), FT_Pos(y))
    var box = FT_BBox()
    FT_Outline_Get_CBox(&slot.pointee.outline, &box)
    let limit = 64 * 2048
    guard box.xMin > -limit, box.yMin > -limit, box.xMax < limit, box.yMax < limit,
      box.xMax >= box.xMin, box.yMax >= box.yMin
    else { return result }
    let left = Int(box.xMin) >> 6
    let bottom = Int(box.yMin) >> 6
    let width = ((Int(box.xMax) + 63) >> 6) - left
    let height = ((Int(box.yMax) + 63) >> 6) - bottom
    guard width > 0, height > 0, width <= 2048, height <= 2048, width * height <= 1 << 20 else {
      return result
    }
    FT_Outline_Translate(&slot.pointee.outline, FT_Pos(-left * 64), FT_Pos(-bottom * 64))
    result.width = width
    result.height = height
    result.left = left
    result.top = bottom + height
    result.coverage = [UInt8](repeating: 0, count: width * height)
    result.coverage.withUnsafeMutableBufferPointer { memory in
      var bitmap = FT_Bitmap()
      bitmap.rows = UInt32(height)
      bitmap.width = UInt32(width)
      // Positive: rows from the top.
      bitmap.pitch = Int32(width)
      bitmap.buffer = memory.baseAddress
      bitmap.num_grays = 256
      bitmap.pixel_mode = UInt8(FT_PIXEL_MODE_GRAY.rawValue)
      _ = FT_Outline_Get_Bitmap(library, &slot.pointee.outline, &bitmap)
    }
    return result
  }
}
