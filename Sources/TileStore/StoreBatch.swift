import MapGeometry

/// What is written at once.
struct StoreBatch {
  /// A tile, and the number of its last visit.
  struct Entry {
    var tile: TileStore.Tile
    var visit: Int64
  }

  /// Rows that one tile changes, each on a page of its own at worst: in both tables, in both
  /// indexes, and where the row was that it replaces.
  static let rowPages = 5

  var tiles: [(TileID, Entry)]
  /// Until when tiles that are stored already were confirmed.
  var confirmed: [(TileID, Int64)]

  /// Pages that a tile takes: what its bytes fill, what they begin on, and long tags.
  static func pages(_ tile: TileStore.Tile) -> Int {
    let tags = tile.tag.utf8.count + tile.modified.utf8.count
    return tile.bytes.count / (StorePack.pageSize - 16) + 2 + (tags > 256 ? 1 : 0)
  }

  /// Pages that the batch takes.
  var pages: Int { tiles.reduce(0) { $0 + StoreBatch.pages($1.1.tile) } + confirmed.count }

  /// Pages that writing changes at most, beside the file's own list of its pages.
  var changedPages: Int { pages + StoreBatch.rowPages * tiles.count + 16 }
}
