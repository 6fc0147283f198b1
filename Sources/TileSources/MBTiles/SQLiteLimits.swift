import CSQLite
import Glibc

/// Limits on a SQLite file of unknown origin. A pack's `tiles` may be a view, whose SQL could take
/// unlimited time, memory and stack. These limits leave what looking up a tile needs.
enum SQLiteLimits {
  /// The longest text or blob in bytes: the largest tile and a little more, so that a tile that is
  /// too large can be reported.
  static let length = Int32(StoredTile.sizeLimit) + (2 << 20)
  /// The most views. SQLite expands views of views by recursion.
  static let views = 16
  /// How deep the parentheses of a view may nest; SQLite also walks them by recursion.
  static let nesting = 32
  /// Heap bytes for all connections together. Above `soft`, SQLite reuses pages instead of
  /// allocating; above `hard`, statements fail.
  private static let heap: (soft: Int64, hard: Int64) = (24 << 20, 64 << 20)

  /// While SQLite has no more than this, what it lacks is the system's.
  static var usualHeap: Int64 { heap.soft }

  /// Functions that a view may call. None takes long for long arguments.
  private static let functions: Set<String> = [
    "abs", "coalesce", "count", "ifnull", "iif", "length", "likelihood", "likely", "lower", "max",
    "min", "nullif", "round", "substr", "substring", "sum", "total", "typeof", "unlikely", "upper",
  ]

  /// Sets the limits of the heap, which all connections share, once.
  static let isHeapLimited: Bool = {
    sqlite3_soft_heap_limit64(heap.soft)
    sqlite3_hard_heap_limit64(heap.hard)
    return true
  }()

  /// Limits what SQL on `connection` may do (sqlite.org/limits.html).
  static func apply(to connection: OpaquePointer) {
    for (limit, value) in [
      (SQLITE_LIMIT_LENGTH, length), (SQLITE_LIMIT_SQL_LENGTH, 16 << 10),
      (SQLITE_LIMIT_COLUMN, 100), (SQLITE_LIMIT_EXPR_DEPTH, 64), (SQLITE_LIMIT_COMPOUND_SELECT, 32),
      (SQLITE_LIMIT_VDBE_OP, 50_000), (SQLITE_LIMIT_FUNCTION_ARG, 16), (SQLITE_LIMIT_ATTACHED, 0),
      (SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 64), (SQLITE_LIMIT_VARIABLE_NUMBER, 8),
      (SQLITE_LIMIT_TRIGGER_DEPTH, 1), (SQLITE_LIMIT_WORKER_THREADS, 0),
    ] {
      sqlite3_limit(connection, limit, value)
    }
    _ = csqlite_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1)
    _ = csqlite_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0)
    _ = csqlite_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
  }

  /// Makes SQLite refuse everything that looking up a tile does not need: recursive queries, and
  /// all but a few functions (sqlite.org/c3ref/set_authorizer.html).
  static func authorizeLookupsAlone(on connection: OpaquePointer) {
    sqlite3_set_authorizer(
      connection,
      { _, action, _, name, _, _ in
        switch action {
        case SQLITE_SELECT, SQLITE_READ: SQLITE_OK
        case SQLITE_FUNCTION:
          name.map { SQLiteLimits.functions.contains(String(cString: $0).lowercased()) } == true
            ? SQLITE_OK : SQLITE_DENY
        default: SQLITE_DENY
        }
      }, nil)
  }

  /// The same, and SQLite's check of the file besides.
  static func authorizeIntegrityCheck(on connection: OpaquePointer) {
    sqlite3_set_authorizer(
      connection,
      { _, action, name, function, _, _ in
        switch action {
        case SQLITE_SELECT, SQLITE_READ: SQLITE_OK
        case SQLITE_PRAGMA:
          name.map { strcmp($0, "integrity_check") == 0 } == true ? SQLITE_OK : SQLITE_DENY
        case SQLITE_FUNCTION:
          function.map { SQLiteLimits.functions.contains(String(cString: $0).lowercased()) } == true
            ? SQLITE_OK : SQLITE_DENY
        default: SQLITE_DENY
        }
      }, nil)
  }

  /// Refuses views that SQLite would expand too deep.
  ///
  /// - Throws: A fault that names the exceeded limit.
  static func checkViews(of file: SQLiteFile) throws(PackFault) {
    let sql = "SELECT sql FROM sqlite_master WHERE type='view' LIMIT \(views + 1)"
    let found = try file.query(sql).rows(upTo: views + 1, limit: 64 << 10)
    guard found.count <= views else {
      throw PackFault("has more than \(views) views: make 'tiles' a table, or a view of tables")
    }
    for case .text(let text)? in found.map(\.first) {
      var depth = 0
      for byte in text.utf8 {
        if byte == UInt8(ascii: "(") { depth += 1 }
        if byte == UInt8(ascii: ")") { depth -= 1 }
        guard depth <= nesting else {
          throw PackFault("has a view nested more than \(nesting) deep: make 'tiles' a table")
        }
      }
    }
  }
}
