import Glibc

/// A file of a fixed name that one process at a time has.
enum LockedFile {
  /// What came of opening one.
  enum Outcome {
    /// Open for reading and writing, and locked until it is closed.
    case open(Int32)
    /// Another process has it.
    case taken
    /// It cannot be; `errno` says why.
    case failed
  }

  /// A file that is removed again and again while it is opened is given up.
  private static let attempts = 100

  /// Opens the file at `path` or makes it, and locks it.
  ///
  /// - Parameters:
  ///   - path: the file; no link.
  ///   - mode: of a new file.
  /// - Returns: the file that has the name now.
  static func open(_ path: String, mode: mode_t) -> Outcome {
    for _ in 0..<attempts {
      let descriptor = Glibc.open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode)
      guard descriptor >= 0 else { return .failed }
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        let failed = errno
        Glibc.close(descriptor)
        errno = failed
        return failed == EWOULDBLOCK ? .taken : .failed
      }
      // Another process may have renamed or removed it between the two calls; the lock is then on a
      // file that nobody else can find.
      var (mine, named) = (stat(), stat())
      if fstat(descriptor, &mine) == 0, lstat(path, &named) == 0, mine.st_dev == named.st_dev,
        mine.st_ino == named.st_ino
      {
        return .open(descriptor)
      }
      LockedFile.close(descriptor)
    }
    errno = EBUSY
    return .failed
  }

  /// Unlocks the file and closes it.
  ///
  /// Closing alone does not unlock it while a process that is being started still has a copy of the
  /// descriptor: between fork(2) and exec(2).
  static func close(_ descriptor: Int32) {
    flock(descriptor, LOCK_UN)
    Glibc.close(descriptor)
  }
}
