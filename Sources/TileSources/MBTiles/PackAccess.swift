import Glibc
import Platform

/// How to read a SQLite file without changing it, without leaving files beside it, and without
/// mixing states while another program writes. Decided again whenever the files change.
///
/// SQLite itself would create `-wal` and `-shm` beside a file in WAL mode even to read it, so:
///
/// - A file with a rollback journal is `locked`, whatever lies beside it: `LockedVFS` reads each
///   tile in a transaction of its own, under SQLite's locks.
/// - A file in WAL mode without `-wal`, or with an empty one and no `-shm`, is `still`: it is read
///   as immutable, and a result counts only if the file is the same afterwards. So is one whose
///   `-wal` has a header and nothing else, as a writer that was killed may leave it: SQLite cannot
///   read that one with a read-only wal-index.
/// - A file in WAL mode with `-wal` and `-shm` is `shared`: it is read with the writer's wal-index,
///   opened read-only, and closed after each tile so that the writer can clean up when it ends.
/// - A file in WAL mode with content in its `-wal` and no `-shm` is `copied`: nobody writes it, and
///   the wal-index is built in memory.
///
/// A writer in WAL mode that ends at the very moment when a tile is read cannot remove its `-wal`
/// and `-shm`. They stay, complete, until the next writer ends. A `-journal` that an interrupted
/// write left must be rolled back first; such a file is refused with an error that says how.
enum PackAccess: Equatable {
  case locked, still, shared, copied

  /// Bytes of the header of a write-ahead log (sqlite.org/fileformat2.html, section 4.1).
  private static let logHeader: Int64 = 32

  /// The parameters of SQLite's URI (sqlite.org/uri.html, section 3.3).
  var parameters: String {
    switch self {
    case .locked: "mode=ro&" + (LockedVFS.name.map { "vfs=\($0)" } ?? "readonly_shm=1")
    case .still: "mode=ro&immutable=1" + (PackVFS.plain.map { "&vfs=\($0)" } ?? "")
    case .shared: "mode=ro&readonly_shm=1" + (PackVFS.plain.map { "&vfs=\($0)" } ?? "")
    // This VFS has no shared memory. With an exclusive lock, SQLite keeps the wal-index on its
    // heap.
    case .copied: "mode=ro&vfs=" + (PackVFS.lockless ?? "unix-none")
    }
  }

  /// Whether a result counts only if the files have not changed meanwhile.
  var needsSameFiles: Bool { self == .still || self == .copied }

  /// Decides for the file at `path`, whose links are resolved.
  ///
  /// - Throws: A fault if the file cannot be read or is not a database.
  init(path: String, files: PackFiles, trust: PathTrust) throws(PackFault) {
    let start = try FileReader(path: path, trust: trust).start(100)
    guard start.count == 100, start.starts(with: Array("SQLite format 3\0".utf8)) else {
      throw PackFault("is not an SQLite database, so not MBTiles: is it cut off?")
    }
    // File format versions: 1 rollback journal, 2 WAL (sqlite.org/fileformat2.html, section 1.3.3).
    guard start[18] == 2 || start[19] == 2 else {
      self = .locked
      return
    }
    switch (files.wal?.size ?? 0, files.hasSharedMemory) {
    case (PackAccess.logHeader, true): self = .still
    case (0, false): self = .still
    case (_, true): self = files.wal == nil ? .still : .shared
    case (_, false): self = .copied
    }
  }
}

/// The state on disk: the file, and what SQLite keeps beside it.
struct PackFiles: Equatable {
  /// What distinguishes one state of a file from another.
  struct Stamp: Equatable {
    var device: UInt64
    var node: UInt64
    var size: Int64
    var seconds: Int
    var nanoseconds: Int

    init(_ status: stat) {
      device = UInt64(status.st_dev)
      node = UInt64(status.st_ino)
      size = Int64(status.st_size)
      seconds = status.st_mtim.tv_sec
      nanoseconds = status.st_mtim.tv_nsec
    }
  }

  var main: Stamp
  var wal: Stamp?
  var hasSharedMemory: Bool

  /// Looks at the file `path` (with links resolved), and at what lies beside it.
  ///
  /// - Throws: a fault if the file is not there, and if something else than a file lies
  ///   beside it.
  init(path: String, trust: PathTrust) throws(PackFault) {
    guard let status = trust.status(of: path) else {
      throw PackFault(
        "is not there any more: \(trust.explanation(of: errno))", isTransient: true)
    }
    main = Stamp(status)
    wal = try PackFiles.companion("-wal", of: path, trust)
    hasSharedMemory = try PackFiles.companion("-shm", of: path, trust) != nil
  }

  /// What lies beside the file `path`; nil: nothing. Only a regular file may: SQLite would wait for
  /// the other end of a FIFO, and to open a device may do something.
  ///
  /// - Throws: a fault if there is something else, or `trust` does not lead there.
  @discardableResult
  static func companion(
    _ suffix: String, of path: String, _ trust: PathTrust
  ) throws(PackFault) -> Stamp? {
    guard let status = trust.status(of: path + suffix) else {
      if errno == ENOENT || errno == ENOTDIR || errno == ENAMETOOLONG { return nil }
      throw PackFault("has a file \(suffix) beside it that cannot be examined: ", errno, trust)
    }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw PackFault("has a file \(suffix) beside it that is not a regular file: remove it")
    }
    return Stamp(status)
  }
}

extension ByteReader {
  /// Reads at most `count` bytes from the start.
  func start(_ count: Int) throws(PackFault) -> [UInt8] {
    try read(at: 0, count: Int(min(size, UInt64(count))))
  }
}
