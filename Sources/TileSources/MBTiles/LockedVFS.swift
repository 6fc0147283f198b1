import CSQLite
import Glibc

/// SQLite's way to the files of packs in rollback mode: the system's own VFS (sqlite.org/vfs.html)
/// with these differences.
///
/// - Temporary files are refused (`PackVFS`).
/// - It has no shared memory, without which SQLite opens nothing in WAL mode (sqlite.org/wal.html,
///   section 8) and therefore creates neither `-wal` nor `-shm`, at whatever moment a writer
///   changes the journal mode.
/// - A `-wal` beside a file whose header says rollback mode is not looked for: it belongs to
///   something else.
/// - Where SQLite asks the open file for its size, once in each transaction and under its lock, the
///   file is looked at by its name instead: that tells the size too, and whether it still is the
///   one that was opened, unchanged.
enum LockedVFS {
  /// The `vfs` of a URI, or nil where SQLite does not take it.
  static let name: String? = register()

  // Written once, before SQLite can call anything of it.
  nonisolated(unsafe) private static var system: UnsafeMutablePointer<sqlite3_vfs>?

  /// SQLITE_IOERR_FSTAT
  private static let noSize = SQLITE_IOERR | 7 << 8

  /// What stands behind SQLite's own file in the memory of each.
  struct Tail {
    /// The system's methods with this VFS's own among them. First: SQLite is given their address.
    var methods: sqlite3_io_methods
    /// The system's.
    var original: UnsafePointer<sqlite3_io_methods>
    /// As SQLite keeps it while the file is open.
    var path: UnsafePointer<CChar>
    /// What the file is compared with; nil: nothing yet.
    var expected: PackFiles.Stamp?
    /// Whether it was looked at since `FileLook.begin`, and was as expected.
    var hasLooked: Bool
    var isSame: Bool
    var status: stat
  }

  private static func register() -> String? {
    guard let system = sqlite3_vfs_find("unix") else { return nil }
    let name = "waypost-locked"
    LockedVFS.system = system
    // Both live as long as the process.
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

  /// The tail of a file that this VFS opened.
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
    // Version 1 ends before shared memory and mapped pages.
    methods.iVersion = 1
    methods.xFileSize = { file, size in
      guard let file, let size else { return LockedVFS.noSize }
      return LockedVFS.look(file, size)
    }
    tail.initialize(
      to: Tail(
        methods: methods, original: original, path: name, expected: nil, hasLooked: false,
        isSame: false, status: stat()))
    // In the memory of the file itself, which outlives its methods.
    file.pointee.pMethods = UnsafePointer(
      UnsafeMutableRawPointer(tail).assumingMemoryBound(to: sqlite3_io_methods.self))
    return code
  }

  /// The file's size, by a look at what its name leads to now.
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
    // What comes of it does not count any more.
    return noSize
  }
}

/// Whether the file under a connection in rollback mode was the one that it was opened on,
/// unchanged, when a transaction began.
struct FileLook {
  private let tail: UnsafeMutablePointer<LockedVFS.Tail>

  /// Watches the file under `connection`; nil where that goes another way to its file.
  ///
  /// - Parameters:
  ///   - connection: outlives this.
  ///   - expected: what the file was before it was opened.
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

  /// To be called before each transaction.
  func begin() {
    tail.pointee.hasLooked = false
    tail.pointee.isSame = false
  }

  /// A transaction has begun since.
  var hasLooked: Bool { tail.pointee.hasLooked }

  /// It has, and the file was as it was expected.
  var isSame: Bool { tail.pointee.isSame }
}
