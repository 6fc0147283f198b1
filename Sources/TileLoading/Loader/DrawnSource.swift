import Drawing
import MapGeometry
import Pixels
import TileSources

/// A source whose tiles are drawn instead of read: features, the tile grid.
///
/// The loader asks it for drawings on the threads that decode.
public protocol DrawnSource: TileSource {
  /// What draws its tiles.
  var drawing: any TileDrawing { get }
}

/// Draws tiles. Its values do not change; several threads draw with it at once.
public protocol TileDrawing: Sendable {
  /// Whether there can be anything to draw in `tile`. Quick; true where it is not known.
  func mayDraw(_ tile: TileID) -> Bool

  /// Draws `tile` on `canvas`, which is square and transparent.
  ///
  /// - Parameters:
  ///   - scale: pixels a point.
  ///   - rasteriser: the thread's own.
  /// - Returns: whether anything was drawn.
  func draw(_ tile: TileID, scale: Int, on canvas: PixelCanvas, with rasteriser: PathRasteriser)
    -> Bool
}
