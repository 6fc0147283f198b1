import CLinux
import Glibc

/// Which files a path may lead to, depending on who gave the path.
///
/// The configuration may name any file. Paths that came over the socket may lead only to files
/// beneath `control.roots`, and that is checked at every opening, because a file may have been
/// replaced by a link since the path was accepted.
public enum PathTrust: Sendable, Equatable {
  /// The path may lead to any file.
  case anywhere
  /// The path must lead to a file beneath one of these absolute directories.
  case beneath([String])

  /// Whether this kernel can restrict openings to a directory (openat2(2), Linux 5.6).
  package static var isEnforced: Bool {
    let descriptor = waypost_open_beneath(AT_FDCWD, ".", waypost_o_path)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }

  /// Opens the file at `path`, if this trust allows it.
  ///
  /// If the trust is limited, the kernel follows links and ".." only as long as they stay below the
  /// root (openat2(2), RESOLVE_BENEATH; Linux 5.6).
  ///
  /// - Parameters:
  ///   - path: the path; it must be absolute if the trust is limited.
  ///   - flags: those of open(2) without `O_CREAT`. `O_CLOEXEC`, `O_NOCTTY` and `O_NONBLOCK` are
  ///     added, so that opening a FIFO does not block.
  /// - Returns: a descriptor, which the caller closes.
  /// - Throws: `SystemError`. Its code is `EXDEV` if the path leads out of every root, whether or
  ///   not the file exists.
  public func open(_ path: String, flags: Int32 = O_RDONLY) throws(SystemError) -> Int32 {
    let descriptor = path.withCString { openRaw($0, flags: flags) }
    guard descriptor >= 0 else { throw SystemError("open", on: path) }
    return descriptor
  }

  /// Opens a regular file for reading, and nothing else, because opening a FIFO or a device may
  /// block or have effects. The file is examined before it is opened, and again afterwards, as it
  /// may have changed meanwhile.
  ///
  /// - Parameters:
  ///   - path: as for `open`.
  ///   - status: set to the file's status.
  /// - Returns: a descriptor, which the caller closes; nil if it is not a regular file.
  /// - Throws: `SystemError`, as `open` does.
  package func openRegular(_ path: String, status: inout stat) throws(SystemError) -> Int32? {
    guard let seen = self.status(of: path) else { throw SystemError("stat", on: path) }
    guard seen.st_mode & S_IFMT == S_IFREG else { return nil }
    let descriptor = try open(path)
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      return nil
    }
    return descriptor
  }

  /// Like `open`, for callers in C: returns -1 and sets errno on failure.
  package func openRaw(_ path: UnsafePointer<CChar>, flags: Int32) -> Int32 {
    let flags = flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    guard case .beneath(let roots) = self else {
      return retrying { Glibc.open(path, flags) }
    }
    for root in roots {
      // A root may itself be a link, and paths with resolved links begin with its target.
      for base in [root, FileIO.resolved(root)] {
        guard let base, let rest = PathTrust.rest(of: path, below: base) else { continue }
        let directory = retrying { Glibc.open(base, waypost_o_path | O_DIRECTORY | O_CLOEXEC) }
        guard directory >= 0 else { return -1 }
        // openat2 refuses combinations of flags that make no sense.
        let plain = flags & waypost_o_path == 0 ? flags : flags & ~(O_NOCTTY | O_NONBLOCK)
        let name = rest.pointee == 0 ? "." : String(cString: rest)
        let descriptor = retrying { waypost_open_beneath(directory, name, plain) }
        let code = errno
        close(directory)
        errno = code
        return descriptor
      }
    }
    errno = EXDEV
    return -1
  }

  /// Whether there is a file at `path` that this trust allows.
  ///
  /// - Throws: `SystemError` if that cannot be determined, for instance if the path leads out of
  ///   every root.
  package func exists(_ path: String) throws(SystemError) -> Bool {
    let code: Int32
    switch self {
    case .anywhere:
      if access(path, F_OK) == 0 { return true }
      code = errno
    case .beneath:
      let descriptor = path.withCString { openRaw($0, flags: waypost_o_path) }
      if descriptor >= 0 {
        close(descriptor)
        return true
      }
      code = errno
    }
    if code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG { return false }
    throw SystemError("access", code: code, on: path)
  }

  /// The status of the file at `path`; nil with errno if it cannot be examined.
  package func status(of path: String) -> stat? {
    var status = stat()
    return path.withCString { statusRaw($0, &status) } == 0 ? status : nil
  }

  /// Like `status(of:)`, for callers in C: returns -1 and sets errno on failure.
  package func statusRaw(
    _ path: UnsafePointer<CChar>, _ status: UnsafeMutablePointer<stat>
  ) -> Int32 {
    if self == .anywhere { return stat(path, status) }
    let descriptor = openRaw(path, flags: waypost_o_path)
    if descriptor < 0 { return -1 }
    let result = fstat(descriptor, status)
    close(descriptor)
    return result
  }

  /// What the error `code` of an opening means, for people.
  public func explanation(of code: Int32) -> String {
    guard case .beneath(let roots) = self else { return SystemError.text(of: code) }
    switch code {
    case EXDEV, ELOOP: return "leads out of \(roots.joined(separator: " and ")), where it must lie"
    case ENOSYS:
      let folders = roots.joined(separator: " and ")
      return "this kernel cannot keep it below \(folders): openat2 needs Linux 5.6"
    default: return SystemError.text(of: code)
    }
  }

  /// The part of `path` after `base`; nil if the path is not below it by name.
  private static func rest(
    of path: UnsafePointer<CChar>, below base: String
  ) -> UnsafePointer<CChar>? {
    let count = base.utf8.count
    guard count > 0, strncmp(path, base, count) == 0 else { return nil }
    var rest = path + count
    // "/media" is above "/media/a" but not above "/media2".
    guard
      base.hasSuffix("/") || rest.pointee == CChar(bitPattern: UInt8(ascii: "/"))
        || rest.pointee == 0
    else { return nil }
    while rest.pointee == CChar(bitPattern: UInt8(ascii: "/")) { rest += 1 }
    return rest
  }

  private func retrying(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}
