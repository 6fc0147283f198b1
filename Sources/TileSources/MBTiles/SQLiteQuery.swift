import CSQLite

/// A prepared statement. It is reset after each use, so that it holds no lock.
final class SQLiteQuery {
  private let statement: OpaquePointer
  private let file: SQLiteFile

  init(_ statement: OpaquePointer, of file: SQLiteFile) {
    self.statement = statement
    self.file = file
  }

  deinit { sqlite3_finalize(statement) }

  /// The value of a column.
  enum Value: Equatable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case blob([UInt8])
    /// A text or blob of that many bytes, more than the limit.
    case tooLong(Int)
  }

  /// Runs the statement.
  ///
  /// - Parameters:
  ///   - numbers: Its parameters.
  ///   - rows: The most rows to read.
  ///   - limit: The longest text or blob to read, in bytes.
  /// - Returns: The columns of each row.
  /// - Throws: A fault if SQLite cannot run it within its limits.
  func rows(_ numbers: [Int] = [], upTo rows: Int, limit: Int) throws(PackFault) -> [[Value]] {
    file.beginQuery()
    defer {
      sqlite3_reset(statement)
      file.endQuery()
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

  /// As `rows`, without the watchdog and with a budget of its own.
  func rowsUnwatched(upTo rows: Int, limit: Int, looks: Int) throws(PackFault) -> [[Value]] {
    file.beginUnwatched(looks: looks)
    defer { sqlite3_reset(statement) }
    var found: [[Value]] = []
    while found.count < rows {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { break }
      guard code == SQLITE_ROW else { throw file.fault(code) }
      found.append((0..<sqlite3_column_count(statement)).map { value($0, limit: limit) })
    }
    return found
  }

  /// A row while a query stands on it.
  struct Row {
    fileprivate let statement: OpaquePointer

    /// The whole number in `column`; nil for anything else.
    func integer(_ column: Int32) -> Int? {
      guard sqlite3_column_type(statement, column) == SQLITE_INTEGER else { return nil }
      return Int(exactly: sqlite3_column_int64(statement, column))
    }

    /// The blob in `column`, valid until the next row; nil for anything else.
    func blob(_ column: Int32) -> UnsafeRawBufferPointer? {
      guard sqlite3_column_type(statement, column) == SQLITE_BLOB else { return nil }
      let bytes = sqlite3_column_blob(statement, column)
      return UnsafeRawBufferPointer(
        start: bytes, count: bytes == nil ? 0 : Int(sqlite3_column_bytes(statement, column)))
    }

    /// Whether `column` is NULL.
    func isNull(_ column: Int32) -> Bool {
      sqlite3_column_type(statement, column) == SQLITE_NULL
    }
  }

  /// Calls `body` with each row, of which there may be many.
  ///
  /// - Parameters:
  ///   - limit: the most rows; a query that gives more is a fault.
  ///   - body: gets each row.
  /// - Throws: a fault if SQLite cannot run it, or not within its limits; what `body` throws.
  func each(upTo limit: Int, _ body: (Row) throws(PackFault) -> Void) throws(PackFault) {
    file.beginQuery()
    defer {
      sqlite3_reset(statement)
      file.endQuery()
    }
    var count = 0
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return }
      guard code == SQLITE_ROW else { throw file.fault(code) }
      count += 1
      guard count <= limit else {
        throw PackFault("has a view that gives more rows than the file can hold: make it a table")
      }
      try body(Row(statement: statement))
      file.continueQuery(row: count)
    }
  }

  /// Runs `body` in one transaction: the statement stands on its first row meanwhile.
  func holding<Value>(_ body: () throws(PackFault) -> Value) throws(PackFault) -> Value {
    file.beginQuery()
    let code = sqlite3_step(statement)
    file.endQuery()
    defer { sqlite3_reset(statement) }
    guard code == SQLITE_ROW || code == SQLITE_DONE else { throw file.fault(code) }
    return try body()
  }

  /// Runs the statement with three parameters and returns the first column of its first row; nil if
  /// there is no row. Unlike `rows` it allocates no arrays: it copies a blob into `buffer` and
  /// returns an empty one.
  func first(
    _ a: Int, _ b: Int, _ c: Int, limit: Int, into buffer: inout TileBuffer
  ) throws(PackFault) -> Value? {
    file.beginQuery()
    var count = 0
    defer {
      sqlite3_reset(statement)
      file.endQuery()
      if count >= SQLiteFile.largeValue { file.dropPages() }
    }
    sqlite3_bind_int64(statement, 1, Int64(a))
    sqlite3_bind_int64(statement, 2, Int64(b))
    sqlite3_bind_int64(statement, 3, Int64(c))
    let code = sqlite3_step(statement)
    if code == SQLITE_DONE { return nil }
    guard code == SQLITE_ROW else { throw file.fault(code) }
    guard sqlite3_column_type(statement, 0) == SQLITE_BLOB else { return value(0, limit: limit) }
    let bytes = sqlite3_column_blob(statement, 0)
    // An empty blob has no address either.
    if bytes == nil, sqlite3_errcode(sqlite3_db_handle(statement)) & 0xff == SQLITE_NOMEM {
      throw file.fault(SQLITE_NOMEM)
    }
    count = bytes == nil ? 0 : Int(sqlite3_column_bytes(statement, 0))
    guard count <= limit else { return .tooLong(count) }
    try buffer.copy(UnsafeRawBufferPointer(start: bytes, count: count))
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
