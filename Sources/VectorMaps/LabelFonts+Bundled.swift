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

  /// The fonts of labels, with `files` for characters that Noto Sans lacks. Those of `files` that
  /// are last draw what no other font has.
  public static func bundled(with files: [FontFile]) -> LabelFonts {
    var fonts = LabelFonts.bundled
    let files = files.prefix(TextRenderer.maxFonts - 4)
    fonts.others =
      files.filter { !$0.isLast }.map { .file($0) } + fonts.others
      + files.filter(\.isLast).map { .file($0) }
    return fonts
  }
}
