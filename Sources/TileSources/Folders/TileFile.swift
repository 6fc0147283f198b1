import Glibc
import Platform

/// One tile in a file of its own.
enum TileFile {
  /// Fills `buffer` with the bytes of the file at `path`; false where there is none.
  ///
  /// - Throws: a fault where a file is there but cannot be read: no permission, empty, not a regular
  ///   file, too large.
  static func read(_ path: String, into buffer: inout TileBuffer) throws(PackFault) -> Bool {
    // Most names that are tried lead nowhere: this asks for less than opening does.
    guard access(path, F_OK) == 0 else {
      let code = errno
      if isMissing(code) { return false }
      throw PackFault("the tile's file \(path) cannot be examined: \(errorText(code))")
    }
    do throws(PackFault) {
      let reader = try FileReader(path: path)
      guard reader.size > 0 else { throw PackFault("is empty: 0 bytes") }
      guard reader.size <= UInt64(StoredTile.sizeLimit) else {
        throw PackFault("has \(reader.size) bytes: at most \(StoredTile.sizeLimit) are read")
      }
      try reader.read(at: 0, count: Int(reader.size), into: &buffer)
      return true
    } catch {
      throw PackFault("the tile's file \(path) \(error.reason)")
    }
  }

  /// Whether there is a file at `path`, readable or not.
  static func exists(_ path: String) throws(PackFault) -> Bool {
    if access(path, F_OK) == 0 { return true }
    let code = errno
    if isMissing(code) { return false }
    throw PackFault("the tile's file \(path) cannot be examined: \(errorText(code))")
  }

  /// Whether `code` says that there is no such file, as opposed to that nobody can tell.
  private static func isMissing(_ code: Int32) -> Bool {
    code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG
  }

  /// Whether `path` is a directory.
  static func isFolder(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The medium that the folder `path` lies on, nil where there is no such folder. A mount point stays
  /// when its medium goes, but then it lies on another.
  static func medium(of path: String) -> UInt64? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    return UInt64(status.st_dev)
  }

  /// The names in the folder `path`, at most `limit`, without those that begin with a dot; nil where
  /// it cannot be listed.
  static func names(in path: String, upTo limit: Int) -> [String]? {
    try? Directory.names(in: path, upTo: limit) { !$0.hasPrefix(".") }
  }
}
