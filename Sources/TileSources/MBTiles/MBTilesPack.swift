import MapGeometry

/// The tables of an MBTiles file (MBTiles 1.3) on one connection.
struct MBTilesPack {
  private let tile: SQLiteQuery
  private let presence: SQLiteQuery
  let file: SQLiteFile
  let hasMetadata: Bool

  init(_ file: SQLiteFile) throws(PackFault) {
    self.file = file
    try SQLiteLimits.checkViews(of: file)
    // Either may be a view: the specification describes an interface.
    let names = try file.query(
      "SELECT lower(name) FROM sqlite_master WHERE type IN ('table','view') "
        + "AND lower(name) IN ('tiles','metadata')"
    ).rows(upTo: 8, limit: 64)
    hasMetadata = names.contains([.text("metadata")])
    guard names.contains([.text("tiles")]) else {
      throw PackFault(
        hasMetadata
          ? "has no table 'tiles': it is not an MBTiles file"
          : "has neither of the tables 'tiles' and 'metadata': it is not an MBTiles file")
    }
    let place = "zoom_level=?1 AND tile_column=?2 AND tile_row=?3"
    tile = try MBTilesPack.orWrongColumns {
      () throws(PackFault) in try file.query("SELECT tile_data FROM tiles WHERE \(place)")
    }
    presence = try file.query("SELECT 1 FROM tiles WHERE \(place)")
  }

  private static func orWrongColumns(
    _ prepare: () throws(PackFault) -> SQLiteQuery
  ) throws(PackFault) -> SQLiteQuery {
    do {
      return try prepare()
    } catch {
      guard error.reason.contains("no such column") else { throw error }
      throw PackFault(
        "has a table 'tiles' without the columns zoom_level, tile_column, tile_row and tile_data of "
          + "MBTiles: another program's tile database? Convert it to MBTiles")
    }
  }

  /// Fills `buffer` with the tile at `column` and `row`, as stored, of level `z`; false if there is
  /// none.
  func tile(z: Int, column: Int, row: Int, into buffer: inout TileBuffer) throws(PackFault) -> Bool
  {
    switch try tile.first(z, column, row, limit: StoredTile.sizeLimit, into: &buffer) {
    case nil: return false
    case .blob: return true
    case .null: throw PackFault("the tile is there but holds no data: NULL")
    case .tooLong(let count):
      throw PackFault("the tile has \(count) bytes: at most \(StoredTile.sizeLimit) are read")
    case .integer, .real, .text:
      throw PackFault("the tile is not a blob: tile_data holds text or a number")
    }
  }

  func hasTile(z: Int, column: Int, row: Int) throws(PackFault) -> Bool {
    try !presence.rows([z, column, row], upTo: 1, limit: 0).isEmpty
  }

  /// The data of any tile; nil if the first rows have none.
  func anyTile() throws(PackFault) -> [UInt8]? {
    for row in try file.query("SELECT tile_data FROM tiles LIMIT 4").rows(
      upTo: 4, limit: StoredTile.sizeLimit)
    {
      if case .blob(let bytes) = row[0], !bytes.isEmpty { return bytes }
    }
    return nil
  }

  /// Level, column and row of up to `limit` tiles, as stored.
  func places(upTo limit: Int) throws(PackFault) -> [(z: Int, column: Int, row: Int)] {
    var places: [(z: Int, column: Int, row: Int)] = []
    let sql = "SELECT zoom_level, tile_column, tile_row FROM tiles"
    for row in try file.query(sql).rows(upTo: limit, limit: 64) {
      guard row.count == 3, case .integer(let z) = row[0], case .integer(let x) = row[1],
        case .integer(let y) = row[2], let z = Int(exactly: z), let x = Int(exactly: x),
        let y = Int(exactly: y)
      else { continue }
      places.append((z, x, y))
    }
    return places
  }

  /// The first and the last level with tiles; nil if the pack is empty. SQLite takes them from the
  /// ends of an index or a primary key; without one it scans all rows. A damaged index may have
  /// them in the wrong order.
  func levels() throws(PackFault) -> (Int, Int)? {
    func level(_ function: String) throws(PackFault) -> Int? {
      let sql =
        "SELECT \(function)(zoom_level) FROM tiles "
        + "WHERE zoom_level >= 0 AND zoom_level <= \(TileID.maxLevel)"
      let rows = try file.query(sql).rows(upTo: 1, limit: 64)
      guard case .integer(let level)? = rows.first?.first else { return nil }
      return Int(exactly: level)
    }
    guard let first = try level("min"), let last = try level("max") else { return nil }
    return (min(first, last), max(first, last))
  }

  /// The names of the layers of a vector map, as the row "json" states them.
  func layers() throws(PackFault) -> [String] {
    guard hasMetadata else { return [] }
    let query = try file.query("SELECT value FROM metadata WHERE name='json'")
    guard
      case .text(let text)? = try query.rows(
        upTo: 1, limit: Int(PMTilesSource.metadataLimit)
      ).first?.first
    else { return [] }
    return VectorLayerNames.stated(inJSON: Array(text.utf8))
  }

  /// The values of `metadata` that Waypost uses, as text. If a name occurs more than once, the
  /// first row counts.
  func metadata() throws(PackFault) -> [String: String] {
    guard hasMetadata else { return [:] }
    let sql =
      "SELECT name, value FROM metadata WHERE name IN "
      + "('name','format','minzoom','maxzoom','bounds','center','attribution')"
    var values: [String: String] = [:]
    for row in try file.query(sql).rows(upTo: 100, limit: 64 * 1024) {
      guard row.count == 2, case .text(let name) = row[0], values[name] == nil else { continue }
      switch row[1] {
      case .text(let text): values[name] = text
      case .integer(let number): values[name] = String(number)
      case .real(let number): values[name] = String(number)
      case .blob, .null, .tooLong: break
      }
    }
    return values
  }
}
