#if canImport(Glibc)
  import Glibc
#elseif canImport(Darwin)
  import Darwin
#endif

/// Zooms at which the cells of the tile grid are a whole number of pixels.
///
/// A map that is painted for the zoom on the screen needs no scaling at such a zoom: each pixel of
/// a tile is a pixel of the screen. Every zoom lies within 0.3 % of such a zoom.
extension Viewport {
  /// The level of the grid at this zoom: the rounded zoom, 0...24.
  public var restingLevel: Int {
    zoom.isFinite ? min(max(Int(zoom.rounded()), 0), TileID.maxLevel) : 0
  }

  /// The edge in pixels of a cell of the grid at this zoom: the whole number nearest to
  /// 256·scale·2^(zoom − level), 1 or more. At whole zooms it is 256·scale.
  public var restingCell: Int {
    let level = restingLevel
    if zoom == Double(level) { return 256 * scale }
    let edge = 256 * Double(scale) * exp2(zoom - Double(level))
    return edge.isFinite ? min(max(Int(edge.rounded()), 1), 1 << 20) : 256 * scale
  }

  /// The view with its zoom changed by at most 0.3 %, so that a cell is exactly `restingCell`
  /// pixels. The centre stays.
  public var resting: Viewport {
    var view = self
    view.zoom = Viewport.zoom(cell: restingCell, level: restingLevel, scale: scale)
    return view
  }

  /// `resting` if a cell of this view at rest is `cell` pixels; otherwise the view itself.
  public func resting(cell: Int?) -> Viewport { cell == restingCell ? resting : self }

  /// The zoom at which the cells of `level` are `cell` pixels.
  ///
  /// - Parameters:
  ///   - cell: A cell's edge in pixels, 1 or more.
  ///   - level: The grid's level.
  ///   - scale: Pixels per point.
  /// - Returns: The zoom.
  public static func zoom(cell: Int, level: Int, scale: Int) -> Double {
    cell == 256 * scale
      ? Double(level) : Double(level) + log2(Double(cell) / (256 * Double(scale)))
  }
}
