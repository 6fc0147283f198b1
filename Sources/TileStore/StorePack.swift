import Glibc
import MapGeometry
import Platform

/// The store's MBTiles file, open. A write-ahead log makes each batch all or nothing, and keeps the
/// file readable for any program after a power cut. The log is written back and emptied after each
/// batch.
final class StorePack {
  static let pageSize = 4096
  /// The part of the limit that the log may take.
  private static let logRoom = 6 << 20
  /// How many visits one transaction writes, and how many transactions follow each other at once.
  private static let visitSteps = (visits: 256, count: 8)
  /// "MPBX" (MBTiles 1.3).
  private static let applicationID = 0x4d50_4258

  let file: StoreFile
  private let database: StoreDatabase
  private let statements: StoreStatements
  private let metadata: StoreMetadata
  private let room: StoreRoom
  /// What the file's metadata say already.
  private var said: (format: String?, scale: Int?)

  /// The file's record of written bytes is an estimate, higher than the true number.
  private var isLedgerRough = false

  var isReadOnly: Bool { file.isReadOnly }
  var isGone: Bool { file.isGone }
  /// The limit was lowered, and the file is not below it yet.
  var isOverLimit: Bool { !isReadOnly && room.isOverLimit }

  /// Opens the store's file, or makes it.
  ///
  /// - Throws: `StoreFault` if it is damaged or cannot be opened.
  init(_ options: TileStore.Options) throws(StoreFault) {
    var status = stat()
    if stat(options.path, &status) != 0, errno == ENOENT { try StorePack.make(options) }
    file = try StoreFile(path: options.path)
    database = try StoreDatabase(path: options.path, file: file)
    // The cache holds a whole batch; a page that did not fit would be written to the log more than
    // once. Debian's SQLite would also overwrite freed pages with zeros, which wears a card out.
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
    metadata = try StoreMetadata(database)
    let isReadOnly = file.isReadOnly
    if !isReadOnly {
      _ = try database.checkpoint()
      let size = try database.number("PRAGMA page_count") * Int64(StorePack.pageSize)
      guard size / 2 <= Int64(options.limit) else {
        throw StoreFault(.tooLarge, "has \(size >> 20) MiB, more than twice its store_limit")
      }
    }
    room = try StoreRoom(
      database, statements, metadata,
      mostPages: max(options.limit - StorePack.logRoom, StorePack.logRoom) / StorePack.pageSize)
    if !isReadOnly { try StorePack.describe(database, options) }
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
    var facts = ["name": options.title, "type": "baselayer"]
    facts["attribution"] = options.attribution
    try StoreMetadata(database).state(facts)
  }

  /// The number of the last visit that the file knows of.
  ///
  /// - Throws: `StoreFault` also if there are numbers that no store writes.
  func lastVisit() throws(StoreFault) -> Int64 {
    for order in ["", " DESC"] {
      let wrong = try database.number(
        "SELECT typeof(visited) <> 'integer' OR visited NOT BETWEEN 0 AND \(1 << 62 - 1) "
          + "FROM waypost_tiles ORDER BY visited\(order) LIMIT 1")
      if wrong != 0 { throw StoreFault(.damaged, "has visits that never were") }
    }
    return try database.number("SELECT max(visited) FROM waypost_tiles")
  }

  /// The scale of the tiles, once it was written.
  func scale() throws(StoreFault) -> Int? {
    let scale = Int(
      try database.number(
        "SELECT CAST(value AS INTEGER) FROM metadata WHERE name = 'waypost_scale'"))
    said.scale = (1...4).contains(scale) ? scale : nil
    return said.scale
  }

  /// The value of the metadata `name`; nil: there is none.
  func fact(_ name: String) throws(StoreFault) -> String? { try metadata[name] }

  /// Writes metadata.
  ///
  /// - Returns: Whether the hour allowed it.
  func write(
    facts: [String: String], _ quota: inout StoreQuota
  ) throws(StoreFault) -> Bool {
    guard try database.checkpoint() else { return false }
    defer { quota.spend(database.takeWrittenPages()) }
    let estimate = StorePack.bytes(pages: 4 * facts.count + room.listPages + StoreQuota.pages)
    guard quota.allows(estimate) else { return false }
    try database.transaction { () throws(StoreFault) in
      try metadata.state(quota.ledger(adding: estimate))
      try metadata.state(facts)
    }
    _ = try database.checkpoint()
    return true
  }

  /// Called before the file is closed: corrects the record of written bytes.
  func settle(_ quota: inout StoreQuota) throws(StoreFault) {
    guard isLedgerRough, try database.checkpoint() else { return }
    try metadata.state(quota.ledger(adding: StorePack.bytes(pages: StoreQuota.pages)))
    _ = try database.checkpoint()
    quota.spend(database.takeWrittenPages())
    isLedgerRough = false
  }

  /// Bytes that writing pages takes: each into the log, and from there into the file.
  static func bytes(pages: Int) -> Int { 2 * pageSize * pages }

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
  ///
  /// - Returns: Whether it was written; if not, why not.
  func write(
    _ batch: StoreBatch, visits: inout [TileID: Int64], _ quota: inout StoreQuota,
    _ betweenSteps: (() -> Void)?
  ) throws(StoreFault) -> StoreRoom.Outcome {
    // If a reader has kept the last batch in the log, no second one may follow.
    guard try database.checkpoint() else {
      throw StoreFault(.full, "another program reads it and keeps its log from being written back")
    }
    defer { quota.spend(database.takeWrittenPages()) }
    isLedgerRough = true
    let estimate = StorePack.bytes(
      pages: batch.changedPages + room.listPages + StoreQuota.pages)
    guard quota.allows(estimate) else { return .overBudget }
    let outcome = try room.make(batch.pages, &visits, &quota, betweenSteps)
    guard outcome == .done else { return outcome }
    guard quota.allows(estimate) else { return .overBudget }
    betweenSteps?()
    let format = said.format ?? batch.format
    try database.transaction { () throws(StoreFault) in
      // An estimate of what the tiles take; the true number is recorded with the next batch.
      try metadata.state(quota.ledger(adding: StorePack.bytes(pages: batch.pages + 16)))
      try state(format, batch.scale)
      for (id, entry) in batch.tiles { try insert(entry.tile, id, visit: entry.visit) }
      for (id, expires) in batch.confirmed {
        statements.confirm.bind(id)
        statements.confirm.bind(4, expires)
        try statements.confirm.run()
      }
      betweenSteps?()
    }
    said = (format, batch.scale ?? said.scale)
    betweenSteps?()
    _ = try database.checkpoint()
    betweenSteps?()
    try database.run("PRAGMA shrink_memory")
    return .done
  }

  /// Writes the numbers of tiles' last visits, the newest first, as many as the hour's budget
  /// allows.
  func write(
    visits: inout [TileID: Int64], _ quota: inout StoreQuota
  ) throws(StoreFault) {
    guard !visits.isEmpty, try database.checkpoint() else { return }
    defer { quota.spend(database.takeWrittenPages()) }
    let (size, count) = StorePack.visitSteps
    var newest = visits.sorted { $0.value > $1.value }.prefix(size * count)
    let estimate = StorePack.bytes(pages: 3 * size + room.listPages + StoreQuota.pages)
    while !newest.isEmpty, quota.allows(estimate) {
      let step = newest.prefix(size)
      try database.transaction { () throws(StoreFault) in
        try metadata.state(quota.ledger(adding: StorePack.bytes(pages: step.count)))
        for (id, number) in step { try statements.stamp(id, number) }
      }
      for (id, _) in step { visits[id] = nil }
      newest = newest.dropFirst(size)
      let isWrittenBack = try database.checkpoint()
      quota.spend(database.takeWrittenPages())
      guard isWrittenBack else { return }
    }
  }

  /// Makes the file smaller, by some steps, where the limit has become so.
  func shrink(_ visits: inout [TileID: Int64], _ quota: inout StoreQuota) throws(StoreFault) {
    defer { quota.spend(database.takeWrittenPages()) }
    try room.shrink(&visits, &quota)
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

  /// Writes the metadata's `format`, which MBTiles requires and which is the first tile's, and the
  /// scale of the tiles.
  private func state(_ format: String?, _ scale: Int?) throws(StoreFault) {
    if let format, said.format == nil {
      try database.run("INSERT OR IGNORE INTO metadata VALUES ('format', '\(format)')")
    }
    if let scale, said.scale != scale {
      try database.run("INSERT OR REPLACE INTO metadata VALUES ('waypost_scale', '\(scale)')")
    }
  }
}
