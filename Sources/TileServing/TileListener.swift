import CLinux
import EventLoop
import Glibc
import Platform

/// A listening Unix socket in the service's folder.
final class TileListener {
  private let path: String
  private let fd: Int32
  private var watch: Watch?
  private let identity: FileIdentity?

  /// Listens on the socket `name` in `folder`, which replaces one that an earlier process left.
  ///
  /// - Throws: `SystemError` if that is not possible.
  init(
    _ name: String, in folder: String, loop: EventLoop, accepted: @escaping (Int32) -> Void
  ) throws(SystemError) {
    path = "\(folder)/\(name)"
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw SystemError("open", on: folder) }
    defer { close(directory) }
    fd = waypost_unix_socket(Int32(SOCK_NONBLOCK.rawValue))
    guard fd >= 0 else { throw SystemError("socket") }
    // Through the descriptor, since the address of a socket is short.
    let address = "/proc/self/fd/\(directory)/\(name)"
    unlink(address)
    // Only the group may connect, from the beginning.
    let mask = umask(0o117)
    let isBound = waypost_unix_bind(fd, address, address.utf8.count)
    let code = errno
    umask(mask)
    guard isBound == 0, listen(fd, 16) == 0 else {
      let failed = isBound == 0 ? errno : code
      close(fd)
      throw SystemError("bind", code: failed, on: path)
    }
    identity = FileIdentity(unfollowed: path)
    let listening = fd
    watch = try loop.watch(fd, .readable) { _ in
      while true {
        let connection = waypost_accept(listening)
        guard connection >= 0 else { return }
        accepted(connection)
      }
    }
  }

  /// Ends listening, and removes the socket if it is still this one.
  func end() {
    watch?.cancel()
    watch = nil
    if let identity, FileIdentity(unfollowed: path) == identity { unlink(path) }
  }

  deinit {
    watch?.cancel()
    close(fd)
  }
}
