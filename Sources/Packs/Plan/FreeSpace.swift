import Glibc
import Platform

/// Room on the medium of a file or folder that may not be there yet.
package enum FreeSpace {
  /// Bytes that this process may still write at `path`; nil if that cannot be told.
  package static func bytes(at path: String) -> UInt64? {
    var place = path
    var status = statvfs()
    // A file yet to be made lies in the nearest folder that is there.
    while statvfs(place, &status) != 0 {
      guard errno == ENOENT || errno == ENOTDIR, place != "/", place != "." else { return nil }
      place = Paths.directory(of: place)
    }
    return UInt64(status.f_bavail) * UInt64(status.f_frsize)
  }
}
