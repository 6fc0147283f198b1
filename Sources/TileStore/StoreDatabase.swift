import CSQLite

/// A connection to the store's file. Used under the store's lock.
final class StoreDatabase {
  private let connection: OpaquePointer
  /// The file's lock, which must outlive the connection.
  private let file: StoreFile?

  /// Opens the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - file: The same file, locked; nil: it is created, and nobody else knows of it yet.
  /// - Throws: `StoreFault` if it cannot be opened.
  init(path: String, file: StoreFile?) throws(StoreFault) {
    let isReadOnly = file?.isReadOnly ?? false
    var opened: OpaquePointer?
    var flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    flags |= isReadOnly ? SQLITE_OPEN_READONLY | SQLITE_OPEN_URI : SQLITE_OPEN_READWRITE
    if file == nil { flags |= SQLITE_OPEN_CREATE }
    // On a read-only medium SQLite must not create or lock any file.
    let name = isReadOnly ? "file:\(StoreDatabase.escaped(path))?immutable=1" : path
    let code = sqlite3_open_v2(name, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw StoreFault(code: code, String(cString: sqlite3_errstr(code)))
    }
    connection = opened
    self.file = file
    sqlite3_busy_timeout(connection, 1000)
    sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, TileStore.largestTile + 4096)
  }

  deinit { sqlite3_close_v2(connection) }

  /// Escapes `path` for SQLite's URI (sqlite.org/uri.html, section 3.1).
  private static func escaped(_ path: String) -> String {
    var text = ""
    for scalar in path.unicodeScalars {
      switch scalar {
      case "%": text += "%25"
      case "?": text += "%3f"
      case "#": text += "%23"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// Runs statements without results.
  func run(_ sql: String) throws(StoreFault) {
    let code = sqlite3_exec(connection, sql, nil, nil, nil)
    if code != SQLITE_OK { throw fault(code) }
  }

  /// The number in the first column of the first row; 0 if there is none.
  func number(_ sql: String) throws(StoreFault) -> Int64 {
    let statement = try prepare(sql)
    defer { statement.reset() }
    return try statement.step() ? statement.number(0) : 0
  }

  func prepare(_ sql: String) throws(StoreFault) -> Statement {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw fault(code) }
    return Statement(statement, of: self)
  }

  /// Runs `body` as one transaction, which is whole or nothing.
  func transaction(_ body: () throws(StoreFault) -> Void) throws(StoreFault) {
    try run("BEGIN IMMEDIATE")
    do throws(StoreFault) {
      try body()
      try run("COMMIT")
    } catch {
      // Some errors roll it back by themselves.
      try? run("ROLLBACK")
      throw error
    }
  }

  /// Pages that were written since the last call.
  func takeWrittenPages() -> Int {
    var (count, most) = (Int32(0), Int32(0))
    sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_WRITE, &count, &most, 1)
    return Int(count)
  }

  /// Moves what is in the write-ahead log into the file, and empties the log.
  ///
  /// - Returns: Whether all of it was moved: a reader may need an older state.
  func checkpoint() throws(StoreFault) -> Bool {
    let code = sqlite3_wal_checkpoint_v2(connection, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
    if code & 0xff == SQLITE_BUSY { return false }
    if code != SQLITE_OK { throw fault(code) }
    return true
  }

  fileprivate func fault(_ code: Int32) -> StoreFault {
    StoreFault(code: code, String(cString: sqlite3_errmsg(connection)))
  }

  /// A prepared statement.
  final class Statement {
    private let statement: OpaquePointer
    private let owner: StoreDatabase

    fileprivate init(_ statement: OpaquePointer, of owner: StoreDatabase) {
      self.statement = statement
      self.owner = owner
    }

    deinit { sqlite3_finalize(statement) }

    func reset() { sqlite3_reset(statement) }

    /// Whether there is another row.
    func step() throws(StoreFault) -> Bool {
      let code = sqlite3_step(statement)
      if code == SQLITE_ROW { return true }
      guard code == SQLITE_DONE else { throw owner.fault(code) }
      return false
    }

    /// Runs it to its end, which leaves it ready to be run again.
    func run() throws(StoreFault) {
      defer { sqlite3_reset(statement) }
      _ = try step()
    }

    func bind(_ index: Int32, _ number: Int64) { sqlite3_bind_int64(statement, index, number) }

    func bind(_ index: Int32, _ text: String) {
      // -1: SQLite copies the text.
      sqlite3_bind_text(
        statement, index, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
    }

    func bind(_ index: Int32, _ bytes: [UInt8]) {
      _ = bytes.withUnsafeBytes { raw in
        sqlite3_bind_blob64(
          statement, index, raw.baseAddress, UInt64(raw.count),
          unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      }
    }

    func number(_ column: Int32) -> Int64 { sqlite3_column_int64(statement, column) }

    func text(_ column: Int32) -> String {
      sqlite3_column_text(statement, column).map { String(cString: $0) } ?? ""
    }

    func blob(_ column: Int32) -> [UInt8] {
      let count = Int(sqlite3_column_bytes(statement, column))
      guard count > 0, let start = sqlite3_column_blob(statement, column) else { return [] }
      return Array(UnsafeRawBufferPointer(start: start, count: count))
    }
  }
}
