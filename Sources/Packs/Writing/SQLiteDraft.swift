import CSQLite
import Glibc
import TileSources

/// A connection to a database that this process makes and nobody else sees yet: no journal, no
/// syncing, a small cache. Whoever owns it syncs the file when it is complete.
final class SQLiteDraft {
  private let connection: OpaquePointer
  private let name: String

  /// Opens the empty file at `path`.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - name: what errors name.
  /// - Throws: `PackError` if it cannot be opened.
  init(path: String, name: String) throws(PackError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close_v2(opened)
      throw PackError(
        file: name, reason: "cannot be written: \(String(cString: sqlite3_errstr(code)))")
    }
    connection = opened
    self.name = name
  }

  deinit { sqlite3_close_v2(connection) }

  /// Runs statements without results.
  func run(_ sql: String) throws(PackError) {
    try check(sqlite3_exec(connection, sql, nil, nil, nil))
  }

  /// A prepared statement.
  func statement(_ sql: String) throws(PackError) -> Statement {
    var statement: OpaquePointer?
    try check(
      sqlite3_prepare_v3(connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw failure(SQLITE_ERROR) }
    return Statement(statement, of: self)
  }

  fileprivate func check(_ code: Int32) throws(PackError) {
    guard code == SQLITE_OK || code == SQLITE_DONE || code == SQLITE_ROW else {
      throw failure(code)
    }
  }

  private func failure(_ code: Int32) -> PackError {
    PackError(
      file: name,
      reason: code & 0xff == SQLITE_FULL
        ? "cannot be written: the medium is full"
        : "cannot be written: \(String(cString: sqlite3_errmsg(connection)))")
  }

  /// A statement that is run again and again.
  final class Statement {
    private let statement: OpaquePointer
    private let owner: SQLiteDraft

    fileprivate init(_ statement: OpaquePointer, of owner: SQLiteDraft) {
      self.statement = statement
      self.owner = owner
    }

    deinit { sqlite3_finalize(statement) }

    /// Runs it with whole numbers for parameters.
    func run(_ numbers: Int64...) throws(PackError) {
      defer { sqlite3_reset(statement) }
      for (index, number) in numbers.enumerated() {
        sqlite3_bind_int64(statement, Int32(index + 1), number)
      }
      try owner.check(sqlite3_step(statement))
    }

    /// Runs it with two texts.
    func run(_ one: String, _ other: String) throws(PackError) {
      defer { sqlite3_reset(statement) }
      for (index, text) in [one, other].enumerated() {
        let bytes = Array(text.utf8)
        // -1: SQLite copies the text.
        sqlite3_bind_text(
          statement, Int32(index + 1), bytes.map { CChar(bitPattern: $0) }, Int32(bytes.count),
          unsafeBitCast(-1, to: sqlite3_destructor_type.self))
      }
      try owner.check(sqlite3_step(statement))
    }

    /// Runs it with a number and a blob, which is valid during the call.
    func run(_ number: Int64, _ blob: UnsafeRawBufferPointer) throws(PackError) {
      defer {
        sqlite3_reset(statement)
        sqlite3_clear_bindings(statement)
      }
      sqlite3_bind_int64(statement, 1, number)
      sqlite3_bind_blob64(statement, 2, blob.baseAddress, UInt64(blob.count), nil)
      try owner.check(sqlite3_step(statement))
    }

    /// Whether the blob in the first row with this number is `bytes`.
    func holds(_ bytes: UnsafeRawBufferPointer, at number: Int64) throws(PackError) -> Bool {
      defer { sqlite3_reset(statement) }
      sqlite3_bind_int64(statement, 1, number)
      let code = sqlite3_step(statement)
      try owner.check(code)
      guard code == SQLITE_ROW, let blob = sqlite3_column_blob(statement, 0),
        Int(sqlite3_column_bytes(statement, 0)) == bytes.count, let wanted = bytes.baseAddress
      else { return false }
      return memcmp(blob, wanted, bytes.count) == 0
    }
  }
}
