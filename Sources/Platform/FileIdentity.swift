import Glibc

/// The identity of a file: its file system and inode. Two identities that are equal at the same
/// time are the same file.
package struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let node: UInt64

  /// Creates the identity of the file that `status` describes.
  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    node = UInt64(status.st_ino)
  }

  /// The identity of the file at `path`; nil if there is none, or if `trust` does not allow it.
  package init?(path: String, trust: PathTrust) {
    guard let status = trust.status(of: path) else { return nil }
    self.init(status)
  }

  /// The identity of `path` itself, without following a link; nil if there is nothing.
  package init?(unfollowed path: String) {
    var info = stat()
    guard lstat(path, &info) == 0 else { return nil }
    self.init(info)
  }
}
