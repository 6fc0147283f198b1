import Glibc

/// Which file a path led to: its file system and its node. Two that are equal at the same time are
/// the same file.
package struct FileIdentity: Equatable, Sendable {
  private let device: UInt64
  private let node: UInt64

  /// The file that `status` was taken from.
  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    node = UInt64(status.st_ino)
  }

  /// The file at `path`; nil where there is none, or where `trust` does not lead there.
  package init?(path: String, trust: PathTrust) {
    guard let status = trust.status(of: path) else { return nil }
    self.init(status)
  }

  /// The file at `path` itself, a link not followed; nil where there is none.
  package init?(unfollowed path: String) {
    var info = stat()
    guard lstat(path, &info) == 0 else { return nil }
    self.init(info)
  }
}
