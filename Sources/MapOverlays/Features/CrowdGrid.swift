/// Thins crowds: of things smaller than a point that look alike, one is drawn per point of the
/// tile.
///
/// The cells are aligned with the tile. Neighbouring tiles lie whole points apart, so they leave
/// out the same things. A feature is thinned if it has a crowd of places, and a set if it has a
/// crowd of features, at every zoom. What is drawn therefore never depends on what else the tile
/// shows.
struct CrowdGrid {
  /// More places or features than this are a crowd.
  static let crowd = 1 << 16

  private let margin: Int
  private let side: Int
  /// Pixels per cell; a cell is one point.
  private let cell: Double
  /// The style that was last drawn in each cell; −1 for none.
  private var styles: [Int32]

  /// Creates an empty grid.
  ///
  /// - Parameters:
  ///   - width: The tile's side in points.
  ///   - margin: How far beyond the tile anything may be visible, in points.
  ///   - scale: Pixels per point.
  init(width: Int, margin: Double, scale: Double) {
    self.margin = Int(margin.rounded(.up)) + 1
    side = width + 2 * self.margin
    cell = scale
    styles = Array(repeating: -1, count: side * side)
  }

  /// Takes the cell of a place in pixels; false if the same style took it last. Also false for
  /// places beyond the margin, which are not visible.
  mutating func take(_ place: FeatureCut.Place, style: Int32) -> Bool {
    let column = (place.x / cell).rounded(.down) + Double(margin)
    let row = (place.y / cell).rounded(.down) + Double(margin)
    guard column >= 0, column < Double(side), row >= 0, row < Double(side) else { return false }
    let index = Int(row) * side + Int(column)
    if styles[index] == style { return false }
    styles[index] = style
    return true
  }
}
