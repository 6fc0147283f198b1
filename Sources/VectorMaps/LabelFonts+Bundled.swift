import CBundled
import Drawing
import MapLabels

extension LabelFonts {
  /// The fonts that are part of the program: Noto Sans for Latin, Greek and Cyrillic, and DejaVu
  /// Sans for what it lacks.
  public static var bundled: LabelFonts {
    func font(_ start: UnsafePointer<UInt8>?, _ count: Int) -> FontSource {
      .memory(UnsafeRawBufferPointer(start: start, count: count))
    }
    return LabelFonts(
      regular: font(waypost_noto_regular_bytes(), waypost_noto_regular_size()),
      italic: font(waypost_noto_italic_bytes(), waypost_noto_italic_size()),
      semibold: font(waypost_noto_semibold_bytes(), waypost_noto_semibold_size()),
      others: [font(waypost_font_bytes(), waypost_font_size())])
  }
}
