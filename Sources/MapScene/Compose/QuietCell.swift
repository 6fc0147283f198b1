import Drawing
import MapGeometry
import Pixels
import TileLoading
import TileSources

/// Paints the cell that is shown where a source has nothing: a plain field with a short text. The
/// loader paints it once per source, and the cache keeps it like a tile.
public struct QuietCell: TilePainter {
  static let field: UInt32 = 0xFFEC_ECE8
  static let border: UInt32 = 0xFFDC_DCD8
  static let ink: UInt32 = 0xFF9A_9A96

  /// The rows of the text, as wide as the cell, on the field's colour.
  private var band: [UInt32] = []
  private var bandTop = 0
  private let edge: Int
  private let colors: ColorTransform

  /// Lays the text out on this thread; painting does the rest.
  ///
  /// - Parameters:
  ///   - label: The text; empty for none.
  ///   - edge: The cell's edge in pixels.
  ///   - scale: Pixels per point.
  ///   - colors: Applied to the cell's colours.
  ///   - text: Draws the text, only during this call; nil: the cell has none.
  public init(
    label: String, edge: Int, scale: Int, colors: ColorTransform = .identity, text: TextRenderer?
  ) {
    self.edge = edge
    self.colors = colors
    guard let text, !label.isEmpty else { return }
    var size = 13 * scale
    var extent = text.measure(label, size: size)
    while extent.width > edge - 16 * scale, size > 7 * scale {
      size -= 1
      extent = text.measure(label, size: size)
    }
    let baseline = edge / 2 + extent.ascent / 2
    let margin = size
    bandTop = max(1, baseline - extent.ascent - margin)
    let bottom = min(edge, baseline + extent.descent + margin)
    guard bottom > bandTop else { return }
    var picture = [UInt32](repeating: QuietCell.field, count: edge * (bottom - bandTop))
    picture.withUnsafeMutableBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      text.draw(
        label, size: size, color: QuietCell.ink, halo: nil, into: base, stride: edge,
        width: edge, height: bottom - bandTop, at: max(4, (edge - extent.width) / 2),
        baselineY: baseline - bandTop)
    }
    band = picture
  }

  /// False: the cell is drawn, not decoded.
  public var needsPayload: Bool { false }

  /// Paints the whole cell, opaque, in memory with room for 4 bytes per pixel.
  public func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    guard target.edge == edge, !target.isPart, target.rowBytes == edge * 4,
      target.room >= edge * edge * 4
    else { return .needsAlphaRoom }
    let cell = target.pixels.bindMemory(to: UInt32.self, capacity: edge * edge)
    fill(cell, QuietCell.field, edge * edge)
    band.withUnsafeBufferPointer { pixels in
      guard let base = pixels.baseAddress else { return }
      (cell + bandTop * edge).update(from: base, count: pixels.count)
    }
    fill(cell, QuietCell.border, edge)
    for y in 0..<edge { cell[y * edge] = QuietCell.border }
    colors.apply(to: cell, count: edge * edge)
    if target.opaque == .rgb565 {
      convertOpaqueTile(
        UnsafeMutableRawBufferPointer(start: target.pixels, count: edge * edge * 4), edge: edge,
        to: .rgb565)
    }
    return .painted(target.opaque)
  }
}
