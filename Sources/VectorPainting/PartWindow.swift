/// The surroundings of a part far below its tile's level, which are drawn in place of the tile.
///
/// In a tile of more than `TileProjection.maximumEdge` pixels across, points far from the part have
/// no exact place in pixels. There, a square of the tile takes the tile's place: one of those that
/// it is halved into, larger than the part. Geometries are cut to it and to a margin around it.
struct PartWindow {
  /// The part of the window that is painted.
  let part: VectorTilePart
  /// How often the tile is halved, and the window's place among the squares.
  private let levels: Int
  private let column: Int
  private let row: Int

  /// The largest edge of a window in pixels. With half a window of margin, all points keep within
  /// `TileProjection.maximumEdge` of the part.
  static let maximumEdge = TileProjection.maximumEdge / 2

  /// The window for a part of a tile; nil: the tile itself is small enough, or the part too large.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - edge: The part's edge in pixels.
  init?(_ part: VectorTilePart, edge: Int) {
    guard edge > 0, edge <= Self.maximumEdge,
      edge > TileProjection.maximumEdge >> part.levels
    else { return nil }
    var inner = part.levels
    while edge > Self.maximumEdge >> inner { inner -= 1 }
    let last = 1 << inner - 1
    guard
      let inside = VectorTilePart(
        levels: inner, column: part.column & last, row: part.row & last)
    else { return nil }
    self.part = inside
    levels = part.levels - inner
    column = part.column >> inner
    row = part.row >> inner
  }

  /// What cuts the geometries of a layer.
  ///
  /// - Parameter extent: The layer's extent, 1 ... 2^24.
  /// - Returns: The cutter.
  func cutter(extent: Int) -> GeometryCutter {
    GeometryCutter(layerExtent: extent, levels: levels, column: column, row: row)
  }
}
