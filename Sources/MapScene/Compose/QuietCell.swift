import Drawing
import Pixels
import TileLoading

/// The cell that is shown where a source has no tile: a plain field with the source's name, drawn
/// once for each source and kept in the cache like a tile.
public enum QuietCell {
  static let field: UInt32 = 0xFFEC_ECE8
  static let border: UInt32 = 0xFFDC_DCD8
  static let ink: UInt32 = 0xFF9A_9A96

  /// Draws the cell of a source into the cache.
  ///
  /// - Parameters:
  ///   - source: The source's number in the cache's keys.
  ///   - name: The words in the cell; empty: none.
  ///   - edge: The cell's edge in pixels.
  ///   - scale: Pixels a point.
  ///   - opaque: The format of opaque tiles.
  ///   - colors: Applied to the cell's colours.
  ///   - text: Draws the words; nil: there are none.
  ///   - cache: Takes the cell.
  /// - Returns: Whether the cache had room for it.
  public static func draw(
    source: Int, name: String, edge: Int, scale: Int, opaque: TilePixelFormat,
    colors: ColorTransform = .identity, text: TextRenderer?, cache: TileCache
  ) -> Bool {
    let bytes = edge * edge * 4
    guard let buffer = cache.reserve(bytes, standing: .needed) else { return false }
    let words = buffer.bindMemory(to: UInt32.self, capacity: edge * edge)
    fill(words, field, edge * edge)
    fill(words, border, edge)
    for y in 0..<edge { words[y * edge] = border }
    if let text {
      var size = 13 * scale
      var extent = text.measure(name, size: size)
      while extent.width > edge - 16 * scale, size > 7 * scale {
        size -= 1
        extent = text.measure(name, size: size)
      }
      text.draw(
        name, size: size, color: ink, halo: nil, into: words, stride: edge, width: edge,
        height: edge, at: max(4, (edge - extent.width) / 2),
        baselineY: edge / 2 + extent.ascent / 2)
    }
    colors.apply(to: words, count: edge * edge)
    if opaque == .rgb565 {
      convertOpaqueTile(
        UnsafeMutableRawBufferPointer(start: buffer, count: bytes), edge: edge, to: .rgb565)
    }
    cache.insert(
      TileKey(quietCellOf: source), buffer: buffer, bytes: bytes, edge: edge, format: opaque,
      standing: .needed)
    return true
  }
}
