import MapGeometry
import TileFormats

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
  /// For each tile that is stored already and was confirmed: until when.
  var confirmed: [(TileID, Int64)]
  /// The scale of its tiles; nil: it has none.
  var scale: Int?
  /// What MBTiles calls the format of its tiles; nil: it has no name.
  var format: String? {
    for (_, entry) in tiles where !entry.tile.bytes.isEmpty {
      if let name = TileFormat(sniffing: entry.tile.bytes).nameInMBTiles { return name }
    }
    return nil
  }

  /// The pages that a tile takes: those its bytes fill, the one they begin on, and those of long
  /// tags.
  static func pages(_ tile: TileStore.Tile) -> Int {
    let tags = tile.tag.utf8.count + tile.modified.utf8.count
    return tile.bytes.count / (StorePack.pageSize - 16) + 2 + (tags > 256 ? 1 : 0)
  }

  /// Pages that the batch takes.
  var pages: Int { tiles.reduce(0) { $0 + StoreBatch.pages($1.1.tile) } + confirmed.count }

  /// Pages that writing changes at most, beside the file's own list of its pages.
  var changedPages: Int { pages + StoreBatch.rowPages * tiles.count + 16 }
}

extension TileFormat {
  /// The value of `format` in MBTiles' metadata (MBTiles 1.3), where vector tiles are gzip data and
  /// other formats have the names of RFC 6838; nil: tiles do not have this format.
  fileprivate var nameInMBTiles: String? {
    switch self {
    case .png, .webp: rawValue
    case .jpeg: "jpg"
    case .mvt, .gzip, .zstd: "pbf"
    case .gif, .avif, .tiff: "image/\(rawValue)"
    case .json, .html, .gitLFSPointer, .text, .empty, .unknown: nil
    }
  }
}
