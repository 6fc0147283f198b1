import CSQLite

/// A connection to a SQLite file of unknown origin, for reading.
///
/// Small page cache, no memory mapping, no temporary files, no trust in what its views call, and an end
/// to queries that never end.
final class SQLiteFile {
  private let connection: OpaquePointer
  private let work: UnsafeMutablePointer<Int>
  /// The last query failed because a file could not be opened.
  private(set) var couldNotOpen = false

  /// The longest text or blob, in bytes.
  private static let lengthLimit: Int32 = 32 << 20
  /// Steps of SQLite's machine between two looks at the budget, and the budget of one query in such
  /// looks: some seconds. Looking at each of ten million rows takes a third of it.
  private static let stepsPerLook: Int32 = 1_000_000
  private static let looksPerQuery = 200

  init(path: String, access: PackAccess) throws(PackFault) {
    var opened: OpaquePointer?
    let address = "file:\(SQLiteFile.escaped(path))?\(access.parameters)"
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(address, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw SQLiteFile.fault(code, "")
    }
    connection = opened
    work = .allocate(capacity: 1)
    work.initialize(to: 0)
    sqlite3_limit(opened, SQLITE_LIMIT_LENGTH, SQLiteFile.lengthLimit)
    sqlite3_limit(opened, SQLITE_LIMIT_ATTACHED, 0)
    _ = csqlite_db_config(opened, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = csqlite_db_config(opened, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = csqlite_db_config(opened, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    sqlite3_busy_timeout(opened, 250)
    sqlite3_progress_handler(
      opened, SQLiteFile.stepsPerLook,
      { context in
        guard let work = context?.assumingMemoryBound(to: Int.self) else { return 1 }
        work.pointee &+= 1
        return work.pointee > SQLiteFile.looksPerQuery ? 1 : 0
      }, work)
    let exclusive = access == .copied ? "PRAGMA locking_mode=EXCLUSIVE;" : ""
    try run(
      "\(exclusive)PRAGMA mmap_size=0;PRAGMA cache_size=-512;PRAGMA temp_store=MEMORY;"
        + "PRAGMA query_only=1;PRAGMA cell_size_check=1;")
  }

  deinit {
    sqlite3_close_v2(connection)
    work.deallocate()
  }

  private func run(_ sql: String) throws(PackFault) {
    let code = sqlite3_exec(connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw fault(code) }
  }

  /// Has each transaction tell whether the file still is what it was; nil unless it is `locked`.
  func look(expecting expected: PackFiles.Stamp) -> FileLook? {
    FileLook(connection, expected: expected)
  }

  /// A prepared `sql`.
  func query(_ sql: String) throws(PackFault) -> SQLiteQuery {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw fault(code) }
    return SQLiteQuery(statement, of: self)
  }

  fileprivate func beginQuery() {
    work.pointee = 0
    couldNotOpen = false
  }

  fileprivate func fault(_ code: Int32) -> PackFault {
    couldNotOpen = code & 0xff == SQLITE_CANTOPEN
    return SQLiteFile.fault(code, String(cString: sqlite3_errmsg(connection)))
  }

  /// What SQLite's `code` means for a map.
  private static func fault(_ code: Int32, _ message: String) -> PackFault {
    if code == SQLITE_READONLY | 3 << 8 {  // SQLITE_READONLY_ROLLBACK
      return PackFault(
        "is in the middle of a write that was cut off: its -journal has to be rolled back. Open it "
          + "once with a program that may write it, as with sqlite3 FILE 'PRAGMA integrity_check'")
    }
    switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      return PackFault("is locked by a program that writes it: asked again later, it will answer")
    case SQLITE_CORRUPT: return PackFault("is damaged: \(message)")
    case SQLITE_NOTADB: return PackFault("is no SQLite database, or an encrypted one")
    case SQLITE_INTERRUPT: return PackFault("has a view that takes too long to answer")
    case SQLITE_IOERR: return PackFault("cannot be read from its medium: \(message)")
    case SQLITE_TOOBIG: return PackFault("has a value of more than \(lengthLimit) bytes")
    default:
      return PackFault("cannot be read: \(message.isEmpty ? "SQLite error \(code)" : message)")
    }
  }

  /// `path` for SQLite's URI.
  private static func escaped(_ path: String) -> String {
    let digits = Array("0123456789ABCDEF".utf8)
    var bytes: [UInt8] = []
    for byte in path.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."),
        UInt8(ascii: "-"), UInt8(ascii: "_"):
        bytes.append(byte)
      default:
        bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// A prepared statement. Between two uses it is reset, so that it holds no lock.
final class SQLiteQuery {
  private let statement: OpaquePointer
  private let file: SQLiteFile

  fileprivate init(_ statement: OpaquePointer, of file: SQLiteFile) {
    self.statement = statement
    self.file = file
  }

  deinit { sqlite3_finalize(statement) }

  /// What a column holds.
  enum Value: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// A text or blob of so many bytes, more than was asked for.
    case tooLong(Int)
  }

  /// Runs the statement with `numbers` for its parameters and gives up to `rows` rows.
  ///
  /// - Parameter limit: the longest text or blob in bytes.
  func rows(_ numbers: [Int] = [], upTo rows: Int, limit: Int) throws(PackFault) -> [[Value]] {
    file.beginQuery()
    defer {
      sqlite3_reset(statement)
      sqlite3_clear_bindings(statement)
    }
    for (index, number) in numbers.enumerated() {
      sqlite3_bind_int64(statement, Int32(index + 1), Int64(number))
    }
    var found: [[Value]] = []
    while found.count < rows {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { break }
      guard code == SQLITE_ROW else { throw file.fault(code) }
      found.append((0..<sqlite3_column_count(statement)).map { value($0, limit: limit) })
    }
    return found
  }

  /// The first column of the first row with three numbers for parameters, a blob, put into `buffer` and
  /// given back as an empty one; nil: there is no row. As `rows`, without an array for each.
  func first(
    _ a: Int, _ b: Int, _ c: Int, limit: Int, into buffer: inout TileBuffer
  ) throws(PackFault) -> Value? {
    file.beginQuery()
    defer { sqlite3_reset(statement) }
    sqlite3_bind_int64(statement, 1, Int64(a))
    sqlite3_bind_int64(statement, 2, Int64(b))
    sqlite3_bind_int64(statement, 3, Int64(c))
    let code = sqlite3_step(statement)
    if code == SQLITE_DONE { return nil }
    guard code == SQLITE_ROW else { throw file.fault(code) }
    guard sqlite3_column_type(statement, 0) == SQLITE_BLOB else { return value(0, limit: limit) }
    let bytes = sqlite3_column_blob(statement, 0)
    let count = bytes == nil ? 0 : Int(sqlite3_column_bytes(statement, 0))
    guard count <= limit else { return .tooLong(count) }
    buffer.room(for: count).copyMemory(from: UnsafeRawBufferPointer(start: bytes, count: count))
    return .blob([])
  }

  private func value(_ column: Int32, limit: Int) -> Value {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      guard let text = sqlite3_column_text(statement, column) else { return .null }
      let count = Int(sqlite3_column_bytes(statement, column))
      guard count <= limit else { return .tooLong(count) }
      return .text(String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      let bytes = sqlite3_column_blob(statement, column)
      let count = Int(sqlite3_column_bytes(statement, column))
      guard count <= limit else { return .tooLong(count) }
      return .blob([UInt8](UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : count)))
    default: return .null
    }
  }
}
