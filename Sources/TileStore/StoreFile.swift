import Glibc
import Platform

/// The store's file on the medium: its lock, and how it is set aside.
///
/// The lock is flock(2) on a descriptor that nothing is read from or written to. SQLite's own locks
/// are fcntl(2)'s, which end when any descriptor of the file is closed: this one is closed after
/// the database.
final class StoreFile {
  let path: String
  /// Nothing can be written; what is there can be read.
  let isReadOnly: Bool
  private let descriptor: Int32

  /// Opens the file at `path`, and locks it.
  ///
  /// - Throws: `StoreFault` if that is not possible, or if another process has it.
  init(path: String) throws(StoreFault) {
    self.path = path
    var descriptor = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    var code = errno
    var isReadOnly = false
    if descriptor < 0, code == EROFS || code == EACCES {
      let readable = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
      if readable >= 0 { (descriptor, isReadOnly) = (readable, true) }
    }
    self.isReadOnly = isReadOnly
    self.descriptor = descriptor
    guard descriptor >= 0 else {
      throw StoreFault(.readOnly, "cannot be opened: \(SystemError.text(of: code))")
    }
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw StoreFault(.readOnly, "is no file: give another path")
    }
    guard isReadOnly || flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      code = errno
      close(descriptor)
      guard code == EWOULDBLOCK else {
        throw StoreFault(.failed, "cannot be locked: \(SystemError.text(of: code))")
      }
      throw StoreFault(.taken, "another waypost-fetch has it open: one program writes a store")
    }
    // A log that was not written back is needed to read the file.
    var log = stat()
    guard !isReadOnly || stat(path + "-wal", &log) != 0 || log.st_size == 0 else {
      close(descriptor)
      throw StoreFault(.readOnly, "needs its -wal written back, and cannot be written")
    }
  }

  deinit {
    // Closing alone leaves the lock with a process that is being started meanwhile.
    flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  /// The file no longer has its name: it was removed or replaced.
  var isGone: Bool {
    var (mine, named) = (stat(), stat())
    guard fstat(descriptor, &mine) == 0, lstat(path, &named) == 0 else { return true }
    return mine.st_dev != named.st_dev || mine.st_ino != named.st_ino
  }

  /// Renames the file to NAME and `suffix`, in place of one that was set aside before.
  ///
  /// - Returns: Whether the name is free now.
  func setAside(as suffix: String) -> Bool {
    for log in ["-wal", "-shm"] { unlink(path + log) }
    return rename(path, path + suffix) == 0 || errno == ENOENT
  }
}
