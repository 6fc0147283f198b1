import MapGeometry
import Pixels
import TileLoading
import TileSources

/// Paints the cell that is shown where a source has nothing: a plain field with a hatch that
/// continues from cell to cell. The loader paints it once per source, and the cache keeps it like a
/// tile.
///
/// The hatch is at 45 degrees of the map, not of the screen: it moves and turns with the map, so
/// that people see what they do where there is nothing else to see, and it meets the tiles beside
/// it. On the screen it would seem to swim while the map moves. Straightened at rest, it would jump
/// at the end of each turn.
public struct QuietCell: TilePainter {
  private let edge: Int
  private let scale: Int
  private let palette: Compositor.Palette

  /// Creates the painter.
  ///
  /// - Parameters:
  ///   - edge: The cell's edge in pixels.
  ///   - scale: Pixels per point.
  ///   - palette: The colours where there is no map.
  public init(edge: Int, scale: Int, palette: Compositor.Palette = .day) {
    self.edge = edge
    self.scale = scale
    self.palette = palette
  }

  /// False: the cell is drawn, not decoded.
  public var needsPayload: Bool { false }

  /// Paints the whole cell, opaque, in memory with room for 4 bytes per pixel.
  public func paint(_ payload: TilePayload?, _ tile: TileID, into target: inout PaintTarget)
    -> PaintOutcome
  {
    guard edge > 0, target.edge == edge, !target.isPart, target.rowBytes == edge * 4,
      target.room >= edge * edge * 4
    else { return .needsAlphaRoom }
    let cell = target.pixels.bindMemory(to: UInt32.self, capacity: edge * edge)
    // Each row is the one above, a pixel further to the left.
    let diagonal = diagonal()
    for y in 0..<edge {
      for x in 0..<edge { cell[y * edge + x] = diagonal[(x + y) % edge] }
    }
    if target.opaque == .rgb565 {
      convertOpaqueTile(
        UnsafeMutableRawBufferPointer(start: target.pixels, count: edge * edge * 4), edge: edge,
        to: .rgb565)
    }
    return .painted(target.opaque)
  }

  /// The colours of the uppermost row: a line of two points every sixteen or so, a whole number of
  /// times in the cell.
  private func diagonal() -> [UInt32] {
    let count = max(1, (Double(edge) / Double(16 * max(scale, 1))).rounded())
    let period = Double(edge) / count
    // A line at 45 degrees is √2 of its width wide in a row.
    let width = min(2.8 * Double(scale), period / 2)
    return (0..<edge).map { x in
      // How much of the pixel the line covers.
      let from = Double(x).truncatingRemainder(dividingBy: period)
      var covered = max(0, min(width, from + 1) - from)
      if from + 1 > period { covered += min(width, from + 1 - period) }
      return QuietCell.mixed(palette.waiting, palette.hatch, min(covered, 1))
    }
  }

  /// `share` of the colour `line`, 0xAARRGGBB, over the opaque colour `field`.
  private static func mixed(_ field: UInt32, _ line: UInt32, _ share: Double) -> UInt32 {
    let alpha = Double(line >> 24) / 255 * share
    var result: UInt32 = 0xff00_0000
    for shift: UInt32 in [16, 8, 0] {
      let (a, b) = (Double(field >> shift & 255), Double(line >> shift & 255))
      result |= UInt32((a + (b - a) * alpha).rounded()) << shift
    }
    return result
  }
}
