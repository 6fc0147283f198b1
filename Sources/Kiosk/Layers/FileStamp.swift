import Glibc

/// Identifies file versions, to notice replaced files: device, inode, size and modification time of
/// each.
struct FileStamp: Equatable {
  private var values: [Int] = []

  /// - Parameter paths: a missing file counts as such.
  init(_ paths: [String]) {
    for path in paths {
      var info = stat()
      guard stat(path, &info) == 0 else {
        values.append(-1)
        continue
      }
      values += [
        Int(truncatingIfNeeded: info.st_dev), Int(truncatingIfNeeded: info.st_ino),
        Int(info.st_size), info.st_mtim.tv_sec, info.st_mtim.tv_nsec,
      ]
    }
  }
}
