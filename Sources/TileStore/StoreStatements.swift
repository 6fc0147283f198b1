import MapGeometry

/// The store's tables, and the statements on them.
///
/// `metadata` and `tiles` are those of MBTiles 1.3. `waypost_tiles` has what Waypost knows of each
/// tile beside its bytes, also of tiles that their server does not have.
final class StoreStatements {
  static let schema = """
    CREATE TABLE IF NOT EXISTS metadata (name TEXT, value TEXT);
    CREATE UNIQUE INDEX IF NOT EXISTS metadata_name ON metadata (name);
    CREATE TABLE IF NOT EXISTS tiles (
      zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_data BLOB);
    CREATE UNIQUE INDEX IF NOT EXISTS tile_index ON tiles (zoom_level, tile_column, tile_row);
    CREATE TABLE IF NOT EXISTS waypost_tiles (
      zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, size INTEGER, etag TEXT,
      modified TEXT, expires INTEGER, variant INTEGER, visited INTEGER,
      PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS waypost_visited ON waypost_tiles (visited);

    """

  let look, insertTile, removeTile, insert, remove, confirm, stamp, oldest: StoreDatabase.Statement

  /// - Throws: `StoreFault` if the tables are not those.
  init(_ database: StoreDatabase) throws(StoreFault) {
    func place(_ table: String = "") -> String {
      "\(table)zoom_level=?1 AND \(table)tile_column=?2 AND \(table)tile_row=?3"
    }
    do throws(StoreFault) {
      look = try database.prepare(
        "SELECT w.size, w.etag, w.modified, w.expires, w.variant, t.tile_data "
          + "FROM waypost_tiles w LEFT JOIN tiles t ON t.zoom_level=w.zoom_level "
          + "AND t.tile_column=w.tile_column AND t.tile_row=w.tile_row WHERE \(place("w."))")
      insertTile = try database.prepare("INSERT OR REPLACE INTO tiles VALUES (?1,?2,?3,?4)")
      removeTile = try database.prepare("DELETE FROM tiles WHERE \(place())")
      insert = try database.prepare(
        "INSERT OR REPLACE INTO waypost_tiles VALUES (?1,?2,?3,?4,?5,?6,?7,?8,?9)")
      remove = try database.prepare("DELETE FROM waypost_tiles WHERE \(place())")
      confirm = try database.prepare("UPDATE waypost_tiles SET expires=?4 WHERE \(place())")
      stamp = try database.prepare("UPDATE waypost_tiles SET visited=?4 WHERE \(place())")
      oldest = try database.prepare(
        "SELECT zoom_level, tile_column, tile_row FROM waypost_tiles ORDER BY visited LIMIT ?1")
    } catch {
      // An MBTiles file of somebody else, whose tables differ: not this store's.
      throw error.kind == .failed
        ? StoreFault(.readOnly, "is another program's (\(error.reason)): give another path") : error
    }
  }

  /// Notes the last visit of a tile.
  func stamp(_ id: TileID, _ number: Int64) throws(StoreFault) {
    stamp.bind(id)
    stamp.bind(4, number)
    try stamp.run()
  }
}

extension StoreDatabase.Statement {
  /// Binds the address of `id` as the first three parameters.
  func bind(_ id: TileID) {
    bind(1, Int64(id.z))
    bind(2, Int64(id.x))
    bind(3, Int64(id.tmsRow))
  }
}
