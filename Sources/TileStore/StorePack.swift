import Glibc
import MapGeometry
import Platform
import TileFormats

/// What is written at once.
struct StoreBatch {
  /// A tile, and the number of its last visit.
  struct Entry {
    var tile: TileStore.Tile
    var visit: Int64
  }

  var tiles: [(TileID, Entry)]
  /// Until when tiles that are stored already were confirmed.
  var confirmed: [TileID: Int64]

  /// Pages that a tile takes: what its bytes fill, and what they begin on.
  static func pages(_ bytes: Int) -> Int { bytes / (StorePack.pageSize - 16) + 2 }

  var pages: Int {
    tiles.reduce(0) { $0 + StoreBatch.pages($1.1.tile.bytes.count) } + confirmed.count
  }

  /// Bytes that writing takes: once into the log, once into the file.
  var estimate: Int { 2 * StorePack.pageSize * (pages + 16) }
}

/// The store's MBTiles file, open. A write-ahead log makes a batch whole or nothing, and lets any
/// reader open the file after a cut; it is written back and emptied after each batch.
final class StorePack {
  static let pageSize = 4096
  /// The part of the limit that the log may take.
  private static let logRoom = 6 << 20
  /// Evicting makes this much more room than the batch needs, so that it is not done each time.
  private static let spare = 256
  /// How many tiles one statement looks for when evicting.
  private static let victims = 64
  /// How many visits one batch brings up to date.
  private static let visitsPerBatch = 64
  private static let visitsAtEnd = 1024
  static let visitsEstimate = 4 * 2 * visitsAtEnd * pageSize
  /// "MPBX" (MBTiles 1.3).
  private static let applicationID = 0x4d50_4258

  let file: StoreFile
  private let database: StoreDatabase
  private let statements: StoreStatements
  private let mostPages: Int
  private var format: TileFormat?

  var isReadOnly: Bool { file.isReadOnly }
  var isGone: Bool { file.isGone }

  /// Opens the store's file, or makes it.
  ///
  /// - Throws: `StoreFault` if it is damaged or cannot be opened.
  init(_ options: TileStore.Options) throws(StoreFault) {
    var status = stat()
    if stat(options.path, &status) != 0, errno == ENOENT { try StorePack.make(options) }
    file = try StoreFile(path: options.path)
    database = try StoreDatabase(path: options.path, file: file)
    mostPages = max(options.limit - StorePack.logRoom, StorePack.logRoom) / StorePack.pageSize
    // A batch fits into the cache: what does not is written to the log more than once. Debian's
    // SQLite would overwrite freed pages with zeros, which wears a card out.
    try database.run(
      """
      PRAGMA cache_size=-6144;PRAGMA mmap_size=0;PRAGMA temp_store=MEMORY;
      PRAGMA secure_delete=OFF;PRAGMA trusted_schema=OFF;PRAGMA cell_size_check=ON;
      PRAGMA synchronous=NORMAL;PRAGMA wal_autocheckpoint=0;
      """)
    let tables = try database.number(
      "SELECT count(*) FROM sqlite_master WHERE type='table' AND name IN ('tiles','waypost_tiles')")
    guard tables == 2 else {
      throw StoreFault(.readOnly, "is there and is no store: give another path")
    }
    statements = try StoreStatements(database)
    if file.isReadOnly { return }
    _ = try database.checkpoint()
    try StorePack.describe(database, options)
    try shrink()
  }

  /// Makes an empty store. It gets its name when it is whole.
  private static func make(_ options: TileStore.Options) throws(StoreFault) {
    let draft = options.path + ".new"
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(draft + suffix) }
    try fill(draft, options)
    // Its log has gone with the connection.
    guard chmod(draft, 0o640) == 0, rename(draft, options.path) == 0 else {
      throw StoreFault(.readOnly, "cannot be made: \(SystemError.text())")
    }
  }

  private static func fill(
    _ draft: String, _ options: TileStore.Options
  ) throws(StoreFault) {
    let database = try StoreDatabase(path: draft, file: nil)
    try database.run(
      """
      PRAGMA page_size=\(pageSize);PRAGMA auto_vacuum=INCREMENTAL;PRAGMA encoding='UTF-8';
      PRAGMA application_id=\(applicationID);PRAGMA synchronous=FULL;
      PRAGMA journal_mode=WAL;BEGIN;\(StoreStatements.schema)COMMIT;
      """)
    try describe(database, options)
    _ = try database.checkpoint()
  }

  /// Writes the metadata that are not there yet.
  private static func describe(
    _ database: StoreDatabase, _ options: TileStore.Options
  ) throws(StoreFault) {
    let said = try database.prepare("SELECT value FROM metadata WHERE name = ?1")
    let say = try database.prepare("INSERT OR REPLACE INTO metadata VALUES (?1, ?2)")
    for (name, value) in [
      ("name", options.title), ("attribution", options.attribution), ("type", "baselayer"),
    ] {
      said.bind(1, name)
      let isSaid = try said.step() && said.text(0) == value
      said.reset()
      if isSaid { continue }
      say.bind(1, name)
      say.bind(2, value)
      try say.run()
    }
  }

  /// The number of the last visit that the file knows of.
  func lastVisit() throws(StoreFault) -> Int64 {
    try database.number("SELECT max(visited) FROM waypost_tiles")
  }

  /// Bytes that were written since the last call: each page into the log and into the file.
  func takeWrittenBytes() -> Int { 2 * StorePack.pageSize * database.takeWrittenPages() }

  func tile(_ id: TileID) throws(StoreFault) -> TileStore.Tile? {
    let look = statements.look
    look.bind(id)
    defer { look.reset() }
    guard try look.step() else { return nil }
    let bytes = look.blob(5)
    guard Int64(bytes.count) == look.number(0) else { return nil }
    return TileStore.Tile(
      bytes: bytes, tag: look.text(1), modified: look.text(2), expires: look.number(3),
      variant: look.number(4))
  }

  // MARK: Writing

  /// Writes a batch, and evicts what has to make room for it.
  func write(
    _ batch: StoreBatch, visits: inout [TileID: Int64], _ betweenSteps: (() -> Void)?
  ) throws(StoreFault) {
    // A reader kept the last batch in the log: there must be no second.
    guard try database.checkpoint() else {
      throw StoreFault(.full, "another program reads it and keeps its log from being written back")
    }
    try transaction { () throws(StoreFault) in
      betweenSteps?()
      try makeRoom(batch.pages, &visits)
      for (id, entry) in batch.tiles { try insert(entry.tile, id, visit: entry.visit) }
      for (id, expires) in batch.confirmed {
        statements.confirm.bind(id)
        statements.confirm.bind(4, expires)
        try statements.confirm.run()
      }
      try stamp(&visits, upTo: StorePack.visitsPerBatch)
      betweenSteps?()
    }
    betweenSteps?()
    _ = try database.checkpoint()
    betweenSteps?()
    try database.run("PRAGMA shrink_memory")
  }

  /// Writes when tiles were last visited.
  func write(visits: inout [TileID: Int64]) throws(StoreFault) {
    if visits.isEmpty { return }
    try transaction { () throws(StoreFault) in
      try stamp(&visits, upTo: StorePack.visitsAtEnd)
    }
    _ = try database.checkpoint()
  }

  private func transaction(_ body: () throws(StoreFault) -> Void) throws(StoreFault) {
    try database.run("BEGIN IMMEDIATE")
    do throws(StoreFault) {
      try body()
      try database.run("COMMIT")
    } catch {
      // Some errors roll it back by themselves.
      try? database.run("ROLLBACK")
      throw error
    }
  }

  private func insert(
    _ tile: TileStore.Tile, _ id: TileID, visit: Int64
  ) throws(StoreFault) {
    if tile.bytes.isEmpty {
      statements.removeTile.bind(id)
      try statements.removeTile.run()
    } else {
      statements.insertTile.bind(id)
      statements.insertTile.bind(4, tile.bytes)
      try statements.insertTile.run()
      try state(TileFormat(sniffing: tile.bytes))
    }
    let insert = statements.insert
    insert.bind(id)
    insert.bind(4, Int64(tile.bytes.count))
    insert.bind(5, tile.tag)
    insert.bind(6, tile.modified)
    insert.bind(7, tile.expires)
    insert.bind(8, tile.variant)
    insert.bind(9, visit)
    try insert.run()
  }

  /// The metadata's `format`, which MBTiles requires, is the first tile's.
  private func state(_ format: TileFormat) throws(StoreFault) {
    if self.format != nil { return }
    self.format = format
    let name = format == .jpeg ? "jpg" : format.rawValue
    try database.run("INSERT OR IGNORE INTO metadata VALUES ('format', '\(name)')")
  }

  /// Evicts the least recently visited tiles until `pages` are free.
  private func makeRoom(
    _ pages: Int, _ visits: inout [TileID: Int64]
  ) throws(StoreFault) {
    guard try freePages() < pages + StorePack.spare / 4 else { return }
    while try freePages() < pages + StorePack.spare {
      guard try evict(&visits) else { return }
    }
  }

  private func freePages() throws(StoreFault) -> Int {
    let (count, unused) = (
      try database.number("PRAGMA page_count"), try database.number("PRAGMA freelist_count")
    )
    return mostPages - Int(count) + Int(unused)
  }

  /// Evicts some of the least recently visited. A tile that was visited since it was stamped is
  /// stamped instead.
  ///
  /// - Returns: Whether there was any.
  private func evict(_ visits: inout [TileID: Int64]) throws(StoreFault) -> Bool {
    var oldest: [TileID] = []
    var found = 0
    statements.oldest.bind(1, Int64(StorePack.victims))
    while try statements.oldest.step() {
      found += 1
      let row = statements.oldest
      guard
        let id = TileID(
          z: Int(row.number(0)), x: Int(row.number(1)), tmsRow: Int(row.number(2)))
      else { continue }
      oldest.append(id)
    }
    statements.oldest.reset()
    guard found == oldest.count else { throw StoreFault(.damaged, "has tiles beyond the map") }
    for id in oldest {
      if let number = visits.removeValue(forKey: id) {
        try stamp(id, number)
        continue
      }
      statements.removeTile.bind(id)
      try statements.removeTile.run()
      statements.remove.bind(id)
      try statements.remove.run()
    }
    return found > 0
  }

  private func stamp(
    _ visits: inout [TileID: Int64], upTo limit: Int
  ) throws(StoreFault) {
    for (id, number) in visits.prefix(limit) {
      try stamp(id, number)
      visits[id] = nil
    }
  }

  private func stamp(_ id: TileID, _ number: Int64) throws(StoreFault) {
    statements.stamp.bind(id)
    statements.stamp.bind(4, number)
    try statements.stamp.run()
  }

  /// Makes the file smaller where the limit has become so.
  private func shrink() throws(StoreFault) {
    while try database.number("PRAGMA page_count") > Int64(mostPages) {
      var none: [TileID: Int64] = [:]
      let before = try database.number("PRAGMA page_count")
      try transaction { () throws(StoreFault) in
        while try database.number("PRAGMA freelist_count") < Int64(StorePack.spare) {
          guard try evict(&none) else { break }
        }
      }
      try database.run("PRAGMA incremental_vacuum(\(StorePack.spare))")
      guard try database.checkpoint(), try database.number("PRAGMA page_count") < before else {
        break
      }
    }
    try database.run("PRAGMA max_page_count=\(mostPages)")
  }
}
