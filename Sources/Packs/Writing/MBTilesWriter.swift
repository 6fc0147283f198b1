import Glibc
import MapGeometry
import Platform
import TileFormats
import TileSources

/// Writes an MBTiles file (MBTiles 1.3): contents in `images`, each once, where they are in `map`,
/// and `tiles`, which readers ask, as a view of both.
///
/// Contents are written as they come. The rows of `map` are sorted first and written at the end:
/// its key is its order, the file has no separate index, and pages are full.
package final class MBTilesWriter: PackWriter {
  private let draft: DraftFile
  /// Nil once the file is complete, or given up.
  private var open: Open?
  private let rows: RecordSorter
  private let room: OutputRoom
  private var contents = ContentTable()
  private var tally = TileTally()
  private var formats = FormatTally()
  private var images: UInt64 = 0
  private var next: UInt64 = 0

  /// The connection and the statements that are run for every tile.
  private struct Open {
    let database: SQLiteDraft
    let insert: SQLiteDraft.Statement
    let look: SQLiteDraft.Statement
  }

  /// Tells SQLite files apart that hold a map ("MPBX", MBTiles 1.3).
  private static let applicationID = 0x4d50_4258

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - target: its name.
  ///   - mayReplace: a file of that name may be replaced.
  /// - Throws: `PackError` if `target` exists and may not be replaced, or cannot be written.
  package init(target: String, mayReplace: Bool = false) throws(PackError) {
    draft = try DraftFile(target: target, mayReplace: mayReplace)
    // A row of `map` takes some 20 bytes, and its record 24 while the rows are sorted.
    room = OutputRoom(folder: Paths.directory(of: draft.path), bytesPerTile: 44)
    rows = RecordSorter(folder: Paths.directory(of: draft.path))
    let database = try SQLiteDraft(path: draft.path, name: target)
    try database.run(
      """
      PRAGMA journal_mode=OFF;PRAGMA synchronous=OFF;PRAGMA locking_mode=EXCLUSIVE;
      PRAGMA page_size=4096;PRAGMA encoding='UTF-8';PRAGMA cache_size=-4096;PRAGMA mmap_size=0;
      PRAGMA application_id=\(MBTilesWriter.applicationID);
      BEGIN;
      CREATE TABLE metadata (name TEXT, value TEXT);
      CREATE TABLE images (tile_id INTEGER PRIMARY KEY, tile_data BLOB);
      CREATE TABLE map (
        zoom_level INTEGER, tile_column INTEGER, tile_row INTEGER, tile_id INTEGER,
        PRIMARY KEY (zoom_level, tile_column, tile_row)) WITHOUT ROWID;
      CREATE VIEW tiles AS SELECT map.zoom_level AS zoom_level, map.tile_column AS tile_column,
        map.tile_row AS tile_row, images.tile_data AS tile_data
        FROM map JOIN images ON images.tile_id = map.tile_id;
      CREATE UNIQUE INDEX metadata_name ON metadata (name);
      """)
    open = Open(
      database: database,
      insert: try database.statement("INSERT INTO images VALUES (?1, ?2)"),
      look: try database.statement("SELECT tile_data FROM images WHERE tile_id = ?1"))
  }

  package func add(
    first: UInt64, count: UInt64, _ bytes: UnsafeRawBufferPointer
  ) throws(PackError) {
    let (end, overflow) = first.addingReportingOverflow(count)
    guard first >= next, count > 0, !overflow else {
      throw PackError(file: draft.target, reason: "its tiles do not come in order")
    }
    next = end
    try checkRoom(for: count)
    tally.add(first: first, count: count)
    let image = try number(of: bytes)
    for id in first..<end {
      guard let tile = HilbertID.tile(id) else { break }
      try rows.add(
        RecordSorter.Record(
          key: UInt64(tile.z) << 48 | UInt64(tile.x) << 24 | UInt64(tile.tmsRow), a: image))
    }
  }

  /// The row of `bytes` in `images`, which is written if it is new.
  private func number(of bytes: UnsafeRawBufferPointer) throws(PackError) -> UInt64 {
    guard let open else { throw PackError(file: draft.target, reason: "is complete already") }
    let key = ContentTable.key(of: bytes)
    let known = try contents.find(key) { place throws(PackError) in
      try open.look.holds(bytes, at: Int64(place.number))
    }
    if let known { return known.number }
    images += 1
    try open.insert.run(Int64(images), bytes)
    contents.remember(key, as: images)
    formats.add(TileFormat(sniffing: bytes))
    return images
  }

  package func checkRoom(for count: UInt64) throws(PackError) {
    let (sum, overflow) = tally.addressed.addingReportingOverflow(count)
    guard !overflow, room.holds(sum) else {
      throw PackError(
        file: draft.target,
        reason: "has a row for each tile, and more than \(room.tiles) do not fit on its medium: "
          + "a PMTiles file stores equal neighbours once")
    }
  }

  package func finish(_ description: PackDescription) throws(PackError) -> PackTotals {
    guard let open else { throw PackError(file: draft.target, reason: "is complete already") }
    try complete(open.database, description)
    // Readers find it locked as long as the connection is there.
    self.open = nil
    var status = stat()
    _ = fstat(draft.descriptor, &status)
    try draft.commit()
    return PackTotals(
      addressed: tally.addressed, contents: images, bytes: UInt64(max(status.st_size, 0)))
  }

  package func abandon() {
    open = nil
    draft.abandon()
  }

  private func complete(
    _ database: SQLiteDraft, _ description: PackDescription
  ) throws(PackError) {
    let place = try database.statement("INSERT INTO map VALUES (?1, ?2, ?3, ?4)")
    let mask: UInt64 = 0xff_ffff
    while let row = try rows.next() {
      try place.run(
        Int64(row.key >> 48), Int64(row.key >> 24 & mask), Int64(row.key & mask), Int64(row.a))
    }
    let name = try database.statement("INSERT OR IGNORE INTO metadata VALUES (?1, ?2)")
    for (key, value) in metadata(description) { try name.run(key, value) }
    try database.run("COMMIT")
  }

  private func metadata(_ description: PackDescription) -> [(String, String)] {
    description.mbtilesRows(
      defaultName: Paths.stem(of: draft.target), format: formats.most, tally: tally)
  }
}

/// How many tiles a medium has room for.
package struct OutputRoom: Sendable {
  /// The most tiles.
  package let tiles: UInt64

  /// - Parameters:
  ///   - folder: on the medium.
  ///   - bytesPerTile: what a tile takes there at least.
  ///   - needsFiles: each tile is a file.
  package init(folder: String, bytesPerTile: UInt64, needsFiles: Bool = false) {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else {
      tiles = .max
      return
    }
    let free = UInt64(status.f_bavail) * UInt64(max(status.f_frsize, 1)) / max(bytesPerTile, 1)
    // A file system that knows no number of files says 0.
    tiles =
      needsFiles && status.f_files > 0 ? min(free, UInt64(status.f_favail)) : free
  }

  package func holds(_ count: UInt64) -> Bool { count <= tiles }
}
