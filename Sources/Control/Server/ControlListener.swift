import CLinux
import EventLoop
import Glibc
import Platform

/// A listening Unix socket, made here or passed in by the service manager.
public final class ControlListener {
  /// The listening descriptor, closed by `close()`.
  public let fd: Int32
  /// The socket file that `close()` removes; nil for a socket that was passed in.
  public let path: String?
  private let file: FileIdentity?
  private var isOpen = true

  /// Takes over a socket that listens already. Its file, if it has one, is not removed.
  init(inherited fd: Int32) {
    self.fd = fd
    path = nil
    file = nil
  }

  /// Creates a socket at `path` and listens.
  ///
  /// A socket file that nobody serves any more is replaced, after a connection to it was refused. A
  /// socket that is being served, and a file that is not a socket, are errors. Nobody can connect
  /// before mode and group are set.
  ///
  /// - Parameters:
  ///   - path: the socket's file, at most 107 bytes, such as "/run/waypost/control.sock".
  ///   - mode: the file's permissions, such as 0o660.
  ///   - group: the file's group, by name or number; empty leaves the process's own.
  ///   - createFolder: whether to create the folder, for this user alone, if it does not exist. One
  ///     that exists must belong to this user and be closed to others.
  ///   - waits: whether to wait up to two seconds for another program that makes a socket there.
  /// - Throws: `ListenError`, with the path and what would help.
  public init(
    path: String, mode: UInt32 = 0o660, group: String = "", createFolder: Bool = false,
    waits: Bool = true
  ) throws(ListenError) {
    if path.utf8.count > 107 || path.isEmpty { throw .tooLong(path: path) }
    let gid = try Self.groupID(group)
    let folder = Paths.directory(of: path)
    if createFolder { try Self.makeFolder(folder) }
    // Two daemons that start at once take turns: the other's socket must not look stale between
    // bind and listen, nor be removed after a probe of its predecessor.
    var turn: ListenerTurn?
    switch ListenerTurn.take(for: path, tries: waits ? 100 : 1) {
    case .taken(let taken): turn = taken
    case .busy: throw .inUse(path: path, pid: 0)
    case .impossible(ENOENT), .impossible(ENOTDIR): throw .noFolder(path: path, folder: folder)
    case .impossible: break  // Nor can the socket be made: that will say why.
    }
    defer { turn?.end() }

    try Self.removeIfStale(path)
    let fd = waypost_unix_socket(Int32(SOCK_NONBLOCK.rawValue))
    if fd < 0 { throw .system(SystemError("socket")) }
    // The file gets the socket's own mode (Linux, unix_bind); a umask would be that of all threads.
    if fchmod(fd, 0o600) != 0 {
      let code = errno
      Glibc.close(fd)
      throw .system(SystemError("fchmod", code: code, on: path))
    }
    let bound = waypost_unix_bind(fd, path, path.utf8.count)
    let bindError = errno
    if bound != 0 {
      Glibc.close(fd)
      throw .system(SystemError("bind", code: bindError, on: path))
    }
    file = FileIdentity(unfollowed: path)
    self.fd = fd
    self.path = path
    // From here on `close` cleans up.
    // A sandbox may refuse to give a file the group that it has.
    if let gid, !Self.hasGroup(gid, path), chown(path, uid_t.max, gid) != 0 {
      throw failed("chown", group)
    }
    if chmod(path, mode_t(mode & 0o777)) != 0 { throw failed("chmod", path) }
    if listen(fd, 128) != 0 { throw failed("listen", path) }
  }

  deinit { close() }

  /// Stops listening and removes the socket file, unless it was replaced meanwhile.
  public func close() {
    if !isOpen { return }
    isOpen = false
    if let path, let file, FileIdentity(unfollowed: path) == file { unlink(path) }
    Glibc.close(fd)
  }

  /// Accepts a connection, non-blocking; -1 with errno if there is none.
  func accept() -> Int32 { waypost_accept(fd) }

  // MARK: Steps

  private func failed(_ call: String, _ subject: String) -> ListenError {
    let error = SystemError(call, on: subject)
    close()
    return .system(error)
  }

  private static func hasGroup(_ gid: gid_t, _ path: String) -> Bool {
    var info = stat()
    return lstat(path, &info) == 0 && info.st_gid == gid
  }

  private static func makeFolder(_ folder: String) throws(ListenError) {
    if mkdir(folder, 0o700) != 0 && errno != EEXIST {
      throw .cannotMakeFolder(folder: folder, reason: SystemError("mkdir").text)
    }
    var info = stat()
    guard lstat(folder, &info) == 0, info.st_mode & S_IFMT == S_IFDIR, info.st_uid == geteuid(),
      info.st_mode & 0o022 == 0
    else { throw .unsafeFolder(folder: folder) }
  }

  /// The number of a group, given by name or number; nil for the empty name, the process's own.
  ///
  /// - Throws: `ListenError.unknownGroup`.
  package static func groupID(_ group: String) throws(ListenError) -> gid_t? {
    if group.isEmpty { return nil }
    if let number = UInt32(group) { return number }
    guard let entry = getgrnam(group) else { throw .unknownGroup(group) }
    return entry.pointee.gr_gid
  }

  private static func removeIfStale(_ path: String) throws(ListenError) {
    var info = stat()
    if lstat(path, &info) != 0 {
      if errno == ENOENT { return }
      throw .system(SystemError("lstat", on: path))
    }
    if info.st_mode & S_IFMT != S_IFSOCK { throw .notASocket(path: path) }
    let probe = waypost_unix_socket(Int32(SOCK_NONBLOCK.rawValue))
    if probe < 0 { throw .system(SystemError("socket")) }
    defer { Glibc.close(probe) }
    if waypost_unix_connect(probe, path, path.utf8.count) == 0 {
      throw .inUse(path: path, pid: PeerCredentials(of: probe).pid)
    }
    switch errno {
    case ECONNREFUSED: break
    case EAGAIN: throw .inUse(path: path, pid: 0)  // its queue of connections is full
    default: throw .system(SystemError("connect", on: path))
    }
    if unlink(path) != 0 { throw .system(SystemError("unlink", on: path)) }
  }
}
