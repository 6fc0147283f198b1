import CSQLite
import Glibc

/// The VFS through which SQLite reads packs in rollback mode: the system's own
/// (sqlite.org/vfs.html) with these differences.
///
/// - Temporary files are refused (`PackVFS`).
/// - There is no shared memory. Without it SQLite opens nothing in WAL mode (sqlite.org/wal.html,
///   section 8) and so never creates `-wal` or `-shm`, whenever a writer changes the journal mode.
/// - A `-wal` beside a file whose header says rollback mode is ignored, as it belongs to something
///   else.
/// - SQLite asks for the open file's size once in each transaction, under its lock. The size is
///   then looked up by the file's name, which also tells whether it is still the unchanged file
///   that was opened.
enum LockedVFS {
  /// The value of `vfs` in a URI; nil if SQLite refused to register it.
  static let name: String? = register()

  // Written once, under the lock of the initialiser of `name`, before SQLite can call this VFS. A
  // pack's bytes cannot change it.
  nonisolated(unsafe) private static var system: UnsafeMutablePointer<sqlite3_vfs>?

  /// SQLITE_IOERR_FSTAT
  private static let noSize = SQLITE_IOERR | 7 << 8

  /// Data appended to SQLite's own file object, in the same allocation.
  struct Tail {
    /// The system's methods with our own replacements. First, because SQLite takes their address.
    var methods: sqlite3_io_methods
    /// The system's methods.
    var original: UnsafePointer<sqlite3_io_methods>
    /// SQLite keeps it valid while the file is open.
    var path: UnsafePointer<CChar>
    /// The file's expected state; nil: it is not checked yet.
    var expected: PackFiles.Stamp?
    /// Whether a transaction looked at the file since `FileLook.begin`; `isSame`: and found it as
    /// expected.
    var hasLooked: Bool
    var isSame: Bool
    var status: stat
  }

  private static func register() -> String? {
    guard let system = sqlite3_vfs_find("unix") else { return nil }
    let name = "waypost-locked"
    LockedVFS.system = system
    // The VFS and its name live as long as the process.
    let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    own.initialize(to: system.pointee)
    own.pointee.pNext = nil
    own.pointee.zName = UnsafePointer(strdup(name))
    own.pointee.szOsFile = Int32(tailPlace(system) + MemoryLayout<Tail>.size)
    own.pointee.xOpen = { _, name, file, flags, outFlags in
      LockedVFS.open(name, file, flags, outFlags)
    }
    own.pointee.xAccess = { _, name, flags, result in
      guard let system = LockedVFS.system, let name, let result else { return SQLITE_IOERR }
      let length = strlen(name)
      if flags == SQLITE_ACCESS_EXISTS, length > 4, strcmp(name + (length - 4), "-wal") == 0 {
        result.pointee = 0
        return SQLITE_OK
      }
      return system.pointee.xAccess(system, name, flags, result)
    }
    return sqlite3_vfs_register(own, 0) == SQLITE_OK ? name : nil
  }

  private static func tailPlace(_ system: UnsafeMutablePointer<sqlite3_vfs>) -> Int {
    let alignment = MemoryLayout<Tail>.alignment
    return (Int(system.pointee.szOsFile) + alignment - 1) / alignment * alignment
  }

  /// The tail of a file opened by this VFS.
  static func tail(of file: UnsafeMutablePointer<sqlite3_file>) -> UnsafeMutablePointer<Tail>? {
    guard let system else { return nil }
    return (UnsafeMutableRawPointer(file) + tailPlace(system)).assumingMemoryBound(to: Tail.self)
  }

  private static func open(
    _ name: UnsafePointer<CChar>?, _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let system else { return SQLITE_CANTOPEN }
    let code = PackVFS.open(system, name, file, flags, outFlags)
    guard code == SQLITE_OK, flags & SQLITE_OPEN_MAIN_DB != 0, let name, let file,
      let original = file.pointee.pMethods, let tail = tail(of: file)
    else { return code }
    var methods = original.pointee
    // Version 1 has no methods for shared memory or memory mapping.
    methods.iVersion = 1
    methods.xFileSize = { file, size in
      guard let file, let size else { return LockedVFS.noSize }
      return LockedVFS.look(file, size)
    }
    tail.initialize(
      to: Tail(
        methods: methods, original: original, path: name, expected: nil, hasLooked: false,
        isSame: false, status: stat()))
    // The methods are part of the file object's own memory, so they live as long as it does.
    file.pointee.pMethods = UnsafePointer(
      UnsafeMutableRawPointer(tail).assumingMemoryBound(to: sqlite3_io_methods.self))
    return code
  }

  /// The file's size, from what its name leads to now.
  private static func look(
    _ file: UnsafeMutablePointer<sqlite3_file>, _ size: UnsafeMutablePointer<sqlite3_int64>
  ) -> Int32 {
    guard let tail = tail(of: file) else { return noSize }
    guard let expected = tail.pointee.expected else {
      return tail.pointee.original.pointee.xFileSize(file, size)
    }
    tail.pointee.hasLooked = true
    tail.pointee.isSame =
      stat(tail.pointee.path, &tail.pointee.status) == 0
      && expected == PackFiles.Stamp(tail.pointee.status)
    if tail.pointee.isSame {
      size.pointee = sqlite3_int64(tail.pointee.status.st_size)
      return SQLITE_OK
    }
    // The file changed: the result of this transaction is discarded.
    return noSize
  }
}

/// Tells whether the file of a connection in rollback mode was unchanged since it was opened, at
/// the time a transaction began.
struct FileLook {
  private let tail: UnsafeMutablePointer<LockedVFS.Tail>

  /// Watches the file of `connection`; nil if the connection uses another VFS.
  ///
  /// - Parameters:
  ///   - connection: Must outlive this value.
  ///   - expected: The file's state before it was opened.
  init?(_ connection: OpaquePointer, expected: PackFiles.Stamp) {
    var file: UnsafeMutablePointer<sqlite3_file>?
    var vfs: UnsafeMutablePointer<sqlite3_vfs>?
    guard let name = LockedVFS.name,
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_VFS_POINTER, &vfs) == SQLITE_OK,
      let used = vfs?.pointee.zName, strcmp(used, name) == 0,
      sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file) == SQLITE_OK,
      let file, let tail = LockedVFS.tail(of: file)
    else { return nil }
    self.tail = tail
    tail.pointee.expected = expected
  }

  /// Call before each transaction.
  func begin() {
    tail.pointee.hasLooked = false
    tail.pointee.isSame = false
  }

  /// Whether a transaction has begun since `begin`.
  var hasLooked: Bool { tail.pointee.hasLooked }

  /// Whether a transaction has begun since `begin`, and the file was as expected.
  var isSame: Bool { tail.pointee.isSame }
}
