import CSQLite
import Glibc
import Platform

/// A read-only connection to a SQLite file of unknown origin.
///
/// It has a small page cache, no memory mapping and no temporary files. It does not trust the
/// file's views (`SQLiteLimits`), and interrupts statements that run too long.
final class SQLiteFile {
  private let connection: OpaquePointer
  /// Checks left in the budget of the present query.
  private let work: UnsafeMutablePointer<Int>
  private let budget: Int
  /// Whether the last query failed because a file could not be opened.
  private(set) var couldNotOpen = false
  /// The last query failed because the medium did.
  private(set) var couldNotRead = false

  private let watchdog: SQLiteWatchdog
  private let ward: SQLiteWatchdog.Ward
  /// Steps of SQLite's virtual machine between two checks of the budget.
  private static let stepsPerLook: Int32 = 1_000_000
  /// The budget of a query in checks: some seconds of computing, independent of the medium's speed.
  /// Scanning ten million rows takes a third of it.
  static let looksPerQuery = 200

  /// Opens the file at `path`.
  ///
  /// - Parameters:
  ///   - path: The file, with links resolved.
  ///   - access: How to open it; see `PackAccess`.
  ///   - watchdog: Interrupts statements that hang.
  ///   - budget: The checks after which a query is interrupted.
  /// - Throws: A fault if it cannot be opened.
  init(
    path: String, access: PackAccess, watchdog: SQLiteWatchdog = .shared,
    budget: Int = SQLiteFile.looksPerQuery
  ) throws(PackFault) {
    guard SQLiteLimits.isHeapLimited else { throw PackFault("cannot be opened within limits") }
    // Also for a pack that may open any file: it must not wait for one.
    _ = ConfinedOpening.isInstalled
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
    work.initialize(to: budget)
    self.budget = budget
    self.watchdog = watchdog
    ward = watchdog.watch(opened)
    SQLiteLimits.apply(to: opened)
    sqlite3_busy_timeout(opened, 250)
    sqlite3_progress_handler(
      opened, SQLiteFile.stepsPerLook,
      { context in
        guard let work = context?.assumingMemoryBound(to: Int.self) else { return 1 }
        work.pointee &-= 1
        return work.pointee < 0 ? 1 : 0
      }, work)
    let exclusive = access == .copied ? "PRAGMA locking_mode=EXCLUSIVE;" : ""
    try run(
      "\(exclusive)PRAGMA mmap_size=0;PRAGMA cache_size=-512;PRAGMA temp_store=FILE;"
        + "PRAGMA query_only=1;PRAGMA cell_size_check=1;")
    SQLiteLimits.authorizeLookupsAlone(on: opened)
  }

  deinit {
    watchdog.release(ward)
    sqlite3_close_v2(connection)
    work.deallocate()
  }

  private func run(_ sql: String) throws(PackFault) {
    let code = sqlite3_exec(connection, sql, nil, nil, nil)
    guard code == SQLITE_OK else { throw fault(code) }
  }

  /// Makes each transaction check that the file is in the `expected` state; nil unless its access
  /// is `locked`.
  func look(expecting expected: PackFiles.Stamp) -> FileLook? {
    FileLook(connection, expected: expected)
  }

  /// A value of so many bytes or more has filled the page cache with pages of its own.
  static let largeValue = 64 << 10

  /// Drops the pages that are cached: after a large value, which nobody reads again. The few of an
  /// index return with the next query.
  func dropPages() { sqlite3_db_release_memory(connection) }

  /// Bytes of the pages that are cached.
  var pageBytes: Int {
    var (now, most): (Int32, Int32) = (0, 0)
    sqlite3_db_status(connection, SQLITE_DBSTATUS_CACHE_USED, &now, &most, 0)
    return Int(now)
  }

  /// Prepares `sql`.
  ///
  /// - Throws: A fault if it cannot be prepared, or if `SQLiteLimits` does not allow it.
  func query(_ sql: String) throws(PackFault) -> SQLiteQuery {
    beginQuery()
    defer { endQuery() }
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(
      connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    guard code == SQLITE_OK, let statement else { throw fault(code) }
    return SQLiteQuery(statement, of: self)
  }

  /// What SQLite's own check of pages and indexes finds (sqlite.org/pragma.html, integrity_check).
  ///
  /// The watchdog does not look at it: it reads each page once, however slow the medium is, and
  /// its computing is limited by the file's size.
  ///
  /// - Throws: a fault if it cannot be done.
  func integrityProblems(upTo limit: Int) throws(PackFault) -> [String] {
    SQLiteLimits.authorizeIntegrityCheck(on: connection)
    defer { SQLiteLimits.authorizeLookupsAlone(on: connection) }
    let check = try query("PRAGMA integrity_check(\(limit))")
    var problems: [String] = []
    for row in try check.rowsUnwatched(upTo: limit, limit: 4096, looks: SQLiteFile.looksPerCheck) {
      if case .text(let text)? = row.first, text != "ok" { problems.append(text) }
    }
    return problems
  }

  /// A check of a hundred million rows.
  private static let looksPerCheck = 20_000

  /// Begins a query with a budget of `looks` that the watchdog does not watch.
  func beginUnwatched(looks: Int) {
    work.pointee = looks
    couldNotOpen = false
  }

  func beginQuery() {
    work.pointee = budget
    (couldNotOpen, couldNotRead) = (false, false)
    ward.begin()
  }

  func endQuery() { ward.end() }

  /// Call it for each row of a long query: the watchdog's time starts again, and every
  /// `rowsPerLook` rows the budget grows by one check.
  func continueQuery(row: Int) {
    ward.end()
    ward.begin()
    if row % SQLiteFile.rowsPerLook == 0 { work.pointee = min(work.pointee + 1, budget) }
  }

  /// Looks of the budget that the last query took.
  var looksTaken: Int { budget - work.pointee }

  /// Ten thousand steps per row, far more than a row of a table, or of a join of two, takes.
  private static let rowsPerLook = 100

  func fault(_ code: Int32) -> PackFault {
    couldNotOpen = code & 0xff == SQLITE_CANTOPEN
    // SQLite reports a read that fails with EIO, ENXIO or ERANGE as a damaged file.
    var failure: Int32?
    if code & 0xff == SQLITE_CORRUPT { failure = readFailure ?? (isReadable ? nil : EIO) }
    couldNotRead = failure != nil || code & 0xff == SQLITE_IOERR
    if code == SQLITE_IOERR | 1 << 8 {  // SQLITE_IOERR_READ
      let number = sqlite3_system_errno(connection)
      failure = number > 0 ? number : nil
    }
    if let refusal = Self.refusal(code, heap: sqlite3_memory_used()) { return refusal }
    if let failure {
      return PackFault(
        "cannot be read from its medium: \(SystemError.text(of: failure))", isTransient: true)
    }
    return SQLiteFile.fault(code, String(cString: sqlite3_errmsg(connection)))
  }

  /// The errno of a failed read of the open file; nil: no read failed. The file is opened again
  /// after such a failure.
  private var readFailure: Int32? {
    var number: Int32 = 0
    guard
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &number) == SQLITE_OK
    else { return nil }
    return [EIO, ENXIO, ERANGE].contains(number) ? number : nil
  }

  /// Whether the open file's first bytes can be read.
  private var isReadable: Bool {
    var file: UnsafeMutablePointer<sqlite3_file>?
    guard
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, let methods = file.pointee.pMethods
    else { return true }
    var header: [UInt8] = Array(repeating: 0, count: 16)
    let code = methods.pointee.xRead(file, &header, Int32(header.count), 0)
    // A file that is too short can be read: SQLITE_IOERR_SHORT_READ.
    return code & 0xff != SQLITE_IOERR || code == SQLITE_IOERR | 2 << 8
  }

  /// What SQLite's `code` says if the system refused it memory (SQLITE_NOMEM, SQLITE_IOERR_NOMEM)
  /// while all connections had `heap` bytes; nil: it says something else, or SQLite's own limit
  /// refused it.
  static func refusal(_ code: Int32, heap: Int64) -> PackFault? {
    guard code & 0xff == SQLITE_NOMEM || code == SQLITE_IOERR | 12 << 8,
      heap < SQLiteLimits.usualHeap
    else { return nil }
    return PackFault.noMemory("for a query")
  }

  /// Explains SQLite's `code` in terms of a map.
  private static func fault(_ code: Int32, _ message: String) -> PackFault {
    if code == SQLITE_READONLY | 3 << 8 {  // SQLITE_READONLY_ROLLBACK
      return PackFault(
        "is in the middle of a write that was cut off: its -journal has to be rolled back. Open it "
          + "once with a program that may write it, as with sqlite3 FILE 'PRAGMA integrity_check'")
    }
    // SQLite reports a refused function as SQLITE_ERROR, anything else as SQLITE_AUTH.
    if code & 0xff == SQLITE_AUTH || message.hasPrefix("not authorized") {
      return PackFault("has a view that does more than look up tiles (\(message)): make it a table")
    }
    switch code & 0xff {
    case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL:
      return PackFault(
        "is locked by a program that writes it: asked again later, it will answer",
        isTransient: true)
    case SQLITE_CORRUPT: return PackFault("is damaged: \(message)")
    case SQLITE_NOTADB: return PackFault("is not an SQLite database, or is an encrypted one")
    case SQLITE_INTERRUPT: return PackFault("has a view that takes too long to answer")
    case SQLITE_IOERR:
      return PackFault("cannot be read from its medium: \(message)", isTransient: true)
    case SQLITE_CANTOPEN: return PackFault("cannot be opened: \(message)", isTransient: true)
    case SQLITE_TOOBIG:
      return PackFault("has a value of more than \(SQLiteLimits.length) bytes, or SQL of that kind")
    case SQLITE_FULL:
      return PackFault("has a view that sorts more than fits: give its tables an index")
    case SQLITE_NOMEM:
      return PackFault("takes more memory than SQLite may have here", isTransient: true)
    default:
      return PackFault("cannot be read: \(message.isEmpty ? "SQLite error \(code)" : message)")
    }
  }

  /// Escapes `path` for SQLite's URI.
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
