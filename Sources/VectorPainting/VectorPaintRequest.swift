import MapGeometry

/// A square part of a vector tile: one of 2^levels × 2^levels equal squares.
public struct VectorTilePart: Sendable, Hashable {
  /// How often the tile's edge is halved; 0: the part is the whole tile.
  public let levels: Int
  /// The part's column, 0 ..< 2^levels.
  public let column: Int
  /// The part's row, 0 ..< 2^levels.
  public let row: Int

  /// The most levels: a tile's edge is halved at most as often.
  public static let mostLevels = 16

  /// The whole tile.
  public static let whole = VectorTilePart(checkedLevels: 0, column: 0, row: 0)

  /// The part at `column` and `row`; nil if there is no such part, or beyond `mostLevels`.
  public init?(levels: Int, column: Int, row: Int) {
    guard (0...Self.mostLevels).contains(levels), (0..<(1 << levels)).contains(column),
      (0..<(1 << levels)).contains(row)
    else { return nil }
    self.init(checkedLevels: levels, column: column, row: row)
  }

  private init(checkedLevels levels: Int, column: Int, row: Int) {
    self.levels = levels
    self.column = column
    self.row = row
  }

  /// The part of `ancestor` that `tile` is; nil if it does not lie in it, or too deep.
  public init?(of tile: TileID, in ancestor: TileID) {
    let levels = tile.z - ancestor.z
    guard (0...Self.mostLevels).contains(levels), tile.x >> levels == ancestor.x,
      tile.y >> levels == ancestor.y
    else { return nil }
    self.init(
      checkedLevels: levels, column: tile.x - ancestor.x << levels,
      row: tile.y - ancestor.y << levels)
  }
}

/// What to paint of a vector tile, and for which zoom.
public struct VectorPaintRequest: Sendable, Hashable {
  /// The vector tile's address in its pack.
  public var tile: TileID
  /// The part of it to paint.
  public var part: VectorTilePart
  /// The zoom as styles count it: Waypost's zoom − 1.
  public var zoom: Double
  /// Pixels per point: lengths of the style are multiplied by it.
  public var pixelsPerPoint: Double
  /// Whether label candidates are collected.
  public var hasLabels: Bool
  /// Moves everything left and up, in 1/256 pixels: for comparisons with pictures whose tiles do
  /// not begin at whole pixels.
  var nudgeX: Int64 = 0
  var nudgeY: Int64 = 0

  /// Creates a request.
  ///
  /// - Parameters:
  ///   - tile: The vector tile's address in its pack.
  ///   - part: The part of it to paint.
  ///   - zoom: The zoom as styles count it.
  ///   - pixelsPerPoint: Pixels per point.
  ///   - hasLabels: Whether label candidates are collected.
  public init(
    tile: TileID, part: VectorTilePart = .whole, zoom: Double, pixelsPerPoint: Double = 1,
    hasLabels: Bool = true
  ) {
    self.tile = tile
    self.part = part
    self.zoom = zoom
    self.pixelsPerPoint = pixelsPerPoint
    self.hasLabels = hasLabels
  }
}
