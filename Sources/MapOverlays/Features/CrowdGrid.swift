/// Thins crowds: of what is smaller than a point and looks the same, one is drawn per point of the
/// tile.
///
/// The cells are the tile's, so neighbouring tiles, which lie whole points apart, leave out the
/// same things. Only a feature with a crowd of places, and a set with a crowd of features, is
/// thinned, at every zoom: what is drawn never depends on what else the tile shows.
struct CrowdGrid {
  /// More places or features than this are a crowd.
  static let crowd = 1 << 16

  private let margin: Int
  private let side: Int
  /// Pixels of a cell: those of a point.
  private let cell: Double
  /// The style that was last drawn in each cell; −1 for none.
  private var styles: [Int32]

  /// - Parameters:
  ///   - width: The tile's side, in points.
  ///   - margin: How far things may lie beyond the tile, in points.
  ///   - scale: Pixels a point.
  init(width: Int, margin: Double, scale: Double) {
    self.margin = Int(margin.rounded(.up)) + 1
    side = width + 2 * self.margin
    cell = scale
    styles = Array(repeating: -1, count: side * side)
  }

  /// Takes the cell of a place in pixels; false if the same style took it last. Places beyond the
  /// margin, of which nothing is seen, count as taken.
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
