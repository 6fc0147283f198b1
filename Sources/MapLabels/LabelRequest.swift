import MapGeometry

/// A tile whose labels a view may show.
public struct LabelTile {
  /// The tile.
  public var tile: TileID
  /// The copy of the world that it belongs to: 0, or how many worlds further east.
  public var world: Int
  /// Its candidates; `TileLabels.empty` if it has none.
  public var labels: TileLabels
  /// Which map it is a tile of: tiles stand in for others of their own map only.
  public var group: Int

  /// Creates a tile.
  public init(_ tile: TileID, world: Int = 0, labels: TileLabels, group: Int = 0) {
    self.tile = tile
    self.world = world
    self.labels = labels
    self.group = group
  }
}

/// What is to be placed, and where.
public struct LabelRequest {
  /// The tiles of the view and its margin. Candidates of a tile are left out where a deeper tile of
  /// the list covers them, so stand-ins may be given with the tiles that they stand in for.
  public var tiles: [LabelTile]
  /// The view.
  public var view: Viewport
  /// How far beyond the view labels are placed, in pixels.
  public var margin: Int
  /// Rectangles in pixels of the view that labels keep clear of: markers, the HUD.
  public var obstacles: [PixelRect]
  /// The lines over the map that labels keep clear of; nil: none.
  public var lines: (any LabelLines)?
  /// Whether candidates are missing because the system had no memory for them.
  public var lacksMemory = false
  /// Whether all tiles are there. Labels of an incomplete placement give way in the next one.
  public var isComplete: Bool
  /// Whether labels are left out that the view's edge would cut off. A line's only name is moved
  /// along it instead, if it then fits.
  public var keepsWhole: Bool
  /// The time in nanoseconds, for fading; nil: labels appear and disappear at once.
  public var time: UInt64?

  /// Creates a request.
  public init(
    tiles: [LabelTile], view: Viewport, margin: Int = 0, obstacles: [PixelRect] = [],
    isComplete: Bool = true, keepsWhole: Bool = false, time: UInt64? = nil
  ) {
    self.tiles = tiles
    self.view = view
    self.margin = margin
    self.obstacles = obstacles
    self.isComplete = isComplete
    self.keepsWhole = keepsWhole
    self.time = time
  }
}
