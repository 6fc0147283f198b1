import CLinux
import Glibc

/// The credentials of a connection's peer, as the kernel recorded them when it was made (unix(7),
/// SO_PEERCRED).
public struct PeerCredentials: Equatable, Sendable {
  /// The user ID.
  public let uid: UInt32
  /// The group ID.
  public let gid: UInt32
  /// The process ID; 0 if it is not known.
  public let pid: Int32

  /// Whether the peer is root or this process's own user, who could do everything without a socket.
  public var isTrusted: Bool { uid == 0 || uid == geteuid() }

  /// Creates credentials from their numbers.
  public init(uid: UInt32, gid: UInt32, pid: Int32) {
    self.uid = uid
    self.gid = gid
    self.pid = pid
  }

  /// Reads the credentials of a connected Unix socket's peer. For any other descriptor the IDs are
  /// ones that no user has.
  public init(of fd: Int32) {
    var uid = UInt32.max
    var gid = UInt32.max
    var pid: Int32 = 0
    _ = waypost_peer_credentials(fd, &uid, &gid, &pid)
    self.init(uid: uid, gid: gid, pid: pid)
  }
}
