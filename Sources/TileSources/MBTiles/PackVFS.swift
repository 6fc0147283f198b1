import CLinux
import CSQLite
import Glibc
import Platform

/// What all VFSs for packs have in common: they open no temporary files, and no file outside the
/// roots that a pack is confined to.
enum PackVFS {
  /// The name of the system's VFS without temporary files; nil if SQLite refused to register it.
  static let plain: String? = register("waypost", over: "unix") { _, name, file, flags, out in
    PackVFS.open(PackVFS.unix, name, file, flags, out)
  }

  /// The same without locks and shared memory.
  static let lockless: String? = register("waypost-none", over: "unix-none") {
    _, name, file, flags, out in PackVFS.open(PackVFS.unixNone, name, file, flags, out)
  }

  private typealias Open =
    @convention(c) (
      UnsafeMutablePointer<sqlite3_vfs>?, sqlite3_filename?, UnsafeMutablePointer<sqlite3_file>?,
      Int32, UnsafeMutablePointer<Int32>?
    ) -> Int32

  // SQLite's own VFSs, which live as long as the process. Pointers to them are read and never
  // written, whatever a pack holds.
  nonisolated(unsafe) private static let unix = sqlite3_vfs_find("unix")
  nonisolated(unsafe) private static let unixNone = sqlite3_vfs_find("unix-none")

  private static func register(_ name: String, over base: String, _ open: Open) -> String? {
    guard let system = sqlite3_vfs_find(base) else { return nil }
    // It lives as long as the process.
    let own = UnsafeMutablePointer<sqlite3_vfs>.allocate(capacity: 1)
    own.initialize(to: system.pointee)
    own.pointee.pNext = nil
    own.pointee.zName = UnsafePointer(strdup(name))
    own.pointee.xOpen = open
    return sqlite3_vfs_register(own, 0) == SQLITE_OK ? name : nil
  }

  /// Opens a file with the VFS `system`, but refuses temporary files. With `temp_store=FILE`, a
  /// sort then stays within its cache or fails, so that neither memory nor a disk fills up.
  static func open(
    _ system: UnsafeMutablePointer<sqlite3_vfs>?, _ name: UnsafePointer<CChar>?,
    _ file: UnsafeMutablePointer<sqlite3_file>?, _ flags: Int32,
    _ outFlags: UnsafeMutablePointer<Int32>?
  ) -> Int32 {
    guard let system else { return SQLITE_CANTOPEN }
    guard name != nil else {
      file?.pointee.pMethods = nil
      return SQLITE_FULL
    }
    return system.pointee.xOpen(system, name, file, flags, outFlags)
  }
}

/// Confines the files that SQLite opens on a thread, including those beside a database, to a trust.
///
/// SQLite's VFS opens all its files through one function, which may be replaced
/// (sqlite.org/c3ref/vfs.html, xSetSystemCall). The replacement checks what the calling thread may
/// open at the time.
enum ConfinedOpening {
  /// Whether SQLite accepted the replacement.
  static let isInstalled: Bool = {
    guard pthread_key_create(&key, nil) == 0, let unix = sqlite3_vfs_find("unix"),
      let set = unix.pointee.xSetSystemCall
    else { return false }
    let open: @convention(c) (UnsafePointer<CChar>?, Int32, mode_t) -> Int32 = {
      path, flags, mode in
      guard let path else { return -1 }
      guard let raw = pthread_getspecific(ConfinedOpening.key) else {
        // Not blocking: a FIFO may have come beside a pack since its files were looked at.
        let isRead = flags & O_ACCMODE == O_RDONLY
        return waypost_open_with_mode(path, isRead ? flags | O_NONBLOCK : flags, mode)
      }
      // Packs are only read: never create or write a file for one from outside.
      guard flags & O_ACCMODE == O_RDONLY, flags & O_CREAT == 0 else {
        errno = EACCES
        return -1
      }
      let trust = Unmanaged<TrustBox>.fromOpaque(raw).takeUnretainedValue().trust
      return trust.openRaw(path, flags: flags & (O_CLOEXEC | O_NOFOLLOW))
    }
    // SQLite's answers would reveal what stat(2) finds, so stat is confined as well.
    let look: @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<stat>?) -> Int32 = {
      path, status in
      guard let path, let status else { return -1 }
      guard let raw = pthread_getspecific(ConfinedOpening.key) else { return stat(path, status) }
      let trust = Unmanaged<TrustBox>.fromOpaque(raw).takeUnretainedValue().trust
      return trust.statusRaw(path, status)
    }
    return set(unix, "open", unsafeBitCast(open, to: sqlite3_syscall_ptr.self)) == SQLITE_OK
      && set(unix, "stat", unsafeBitCast(look, to: sqlite3_syscall_ptr.self)) == SQLITE_OK
  }()

  // Written once, by the initialiser of `isInstalled`, before SQLite gets the functions that read
  // it. A pack's bytes cannot change it.
  nonisolated(unsafe) private static var key = pthread_key_t()

  /// A trust with an address, for `pthread_setspecific`.
  final class TrustBox: Sendable {
    let trust: PathTrust
    init(_ trust: PathTrust) { self.trust = trust }
  }

  /// Limits the files that SQLite opens on this thread to `box`, which must live until the next
  /// call; nil: no limit.
  static func confine(to box: TrustBox?) {
    pthread_setspecific(key, box.map { Unmanaged.passUnretained($0).toOpaque() })
  }
}
