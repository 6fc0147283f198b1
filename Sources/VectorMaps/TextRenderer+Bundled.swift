import CBundled
import Drawing

extension TextRenderer {
  /// What draws words with `files`, the first that has a character, and what none of them has with
  /// the fonts that are part of the program: Noto Sans, regular and semibold, and DejaVu Sans for
  /// what it lacks. They stay pages of the executable.
  ///
  /// - Parameter files: Font files in order of preference.
  /// - Returns: The renderer; nil if FreeType does not start.
  public static func bundled(after files: [FontFile] = []) -> TextRenderer? {
    func font(_ start: UnsafePointer<UInt8>?, _ count: Int) -> FontSource {
      .memory(UnsafeRawBufferPointer(start: start, count: count))
    }
    let files = files.prefix(TextRenderer.maxFonts - 2)
    let own = files.filter { !$0.isLast }.map { FontSource.file($0) }
    let last = files.filter(\.isLast).map { FontSource.file($0) }
    return try? TextRenderer(
      fonts: own + [
        font(waypost_noto_regular_bytes(), waypost_noto_regular_size()),
        font(waypost_font_bytes(), waypost_font_size()),
      ] + last,
      semibold: (own.count, font(waypost_noto_semibold_bytes(), waypost_noto_semibold_size())))
  }
}
