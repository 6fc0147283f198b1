import CLinux
import EventLoop
import Glibc
import Platform

/// A listening Unix socket in the service's folder.
final class TileListener {
  private let path: String
  private let fd: Int32
  private let loop: EventLoop
  private let take: (Int32) -> Int32
  private let accepted: (Int32) -> Void
  private var watch: Watch?
  /// Runs while the system is out of descriptors; a watch would then wake the loop all the time.
  private var timer: LoopTimer?
  private let pause: UInt64
  private let identity: FileIdentity?

  /// Connections that are taken at one wake-up.
  private static let mostAtOnce = 16

  /// Listens on the socket `name` in `folder`, which replaces one that an earlier process left.
  ///
  /// - Parameters:
  ///   - name: The socket's.
  ///   - folder: Where it is made.
  ///   - loop: Runs on this thread.
  ///   - pause: Nanoseconds without a try after the system had no descriptor left.
  ///   - take: accept(2).
  ///   - accepted: Takes over a connection.
  /// - Throws: `SystemError` if that is not possible.
  init(
    _ name: String, in folder: String, loop: EventLoop, pause: UInt64 = 1_000_000_000,
    take: @escaping (Int32) -> Int32 = waypost_accept, accepted: @escaping (Int32) -> Void
  ) throws(SystemError) {
    (self.loop, self.pause, self.take, self.accepted) = (loop, pause, take, accepted)
    path = "\(folder)/\(name)"
    let directory = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard directory >= 0 else { throw SystemError("open", on: folder) }
    defer { close(directory) }
    fd = waypost_unix_socket(Int32(SOCK_NONBLOCK.rawValue))
    guard fd >= 0 else { throw SystemError("socket") }
    // Addressed through the descriptor, because a socket's address has little room.
    let address = "/proc/self/fd/\(directory)/\(name)"
    unlink(address)
    // Only the group may connect, from the beginning. The file gets the socket's own mode (Linux,
    // unix_bind); a umask would be that of all threads.
    guard fchmod(fd, 0o600) == 0, waypost_unix_bind(fd, address, address.utf8.count) == 0,
      chmod(address, 0o660) == 0, Glibc.listen(fd, 16) == 0
    else {
      let failed = errno
      close(fd)
      throw SystemError("bind", code: failed, on: path)
    }
    identity = FileIdentity(unfollowed: path)
    timer = loop.timer { [weak self] in
      // If there is no room for the watch either, try again later.
      do throws(SystemError) { try self?.listen() } catch { self?.timer?.arm(after: pause) }
    }
    try listen()
  }

  private func listen() throws(SystemError) {
    watch = try loop.watch(fd, .readable) { [weak self] _ in self?.accept() }
  }

  private func accept() {
    for _ in 0..<TileListener.mostAtOnce {
      let connection = take(fd)
      if connection >= 0 {
        accepted(connection)
        continue
      }
      if [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) {
        watch?.cancel()
        watch = nil
        timer?.arm(after: pause)
      }
      return
    }
  }

  /// Ends listening, and removes the socket if it is still this one.
  func end() {
    watch?.cancel()
    watch = nil
    timer?.cancel()
    timer = nil
    if let identity, FileIdentity(unfollowed: path) == identity { unlink(path) }
  }

  deinit {
    watch?.cancel()
    timer?.cancel()
    close(fd)
  }
}
