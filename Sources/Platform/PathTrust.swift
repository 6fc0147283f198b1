import CLinux
import Glibc

/// Which files may be opened by a name, depending on who gave it.
///
/// The configuration may name any file. What came over the socket may lead to files beneath
/// `control.roots` only, at every opening: what lies there may have been replaced by a link since
/// the name was accepted.
public enum PathTrust: Sendable, Equatable {
  /// Any file.
  case anywhere
  /// Files beneath one of these directories, which are absolute.
  case beneath([String])

  /// Whether this kernel can keep openings beneath a directory.
  package static var isEnforced: Bool {
    let descriptor = waypost_open_beneath(AT_FDCWD, ".", waypost_o_path)
    if descriptor >= 0 { close(descriptor) }
    return descriptor >= 0
  }

  /// Opens a file.
  ///
  /// Beneath a root the kernel follows links and ".." only as long as they stay below that root
  /// (openat2(2), RESOLVE_BENEATH); it needs Linux 5.6.
  ///
  /// - Parameters:
  ///   - path: absolute where the trust is limited.
  ///   - flags: as open(2) has them, without `O_CREAT`. `O_CLOEXEC`, `O_NOCTTY` and `O_NONBLOCK`
  ///     are added: a FIFO of that name must not hold up the opening.
  /// - Returns: a descriptor that the caller closes.
  /// - Throws: `SystemError`. Its code is `EXDEV` where the path leads out of every root, whether
  ///   or not there is a file.
  public func open(_ path: String, flags: Int32 = O_RDONLY) throws(SystemError) -> Int32 {
    let descriptor = path.withCString { openRaw($0, flags: flags) }
    guard descriptor >= 0 else { throw SystemError("open", on: path) }
    return descriptor
  }

  /// Opens a regular file for reading, and nothing else: to open a FIFO or a device may wait, and
  /// may do something. What the name leads to is looked at first, and again once it is open, as it
  /// may have changed meanwhile.
  ///
  /// - Parameters:
  ///   - path: as `open` has it.
  ///   - status: set to the file's status.
  /// - Returns: a descriptor that the caller closes; nil where there is something else.
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

  /// As `open`, for callers in C: -1 with errno where it fails.
  package func openRaw(_ path: UnsafePointer<CChar>, flags: Int32) -> Int32 {
    let flags = flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK
    guard case .beneath(let roots) = self else {
      return retrying { Glibc.open(path, flags) }
    }
    for root in roots {
      // A root may itself be a link; names with links resolved begin with what it leads to.
      for base in [root, PathTrust.resolved(root)] {
        guard let base, let rest = PathTrust.rest(of: path, below: base) else { continue }
        let directory = retrying { Glibc.open(base, waypost_o_path | O_DIRECTORY | O_CLOEXEC) }
        guard directory >= 0 else { return -1 }
        // openat2 refuses flags that make no sense together.
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

  /// Whether there is something at `path`.
  ///
  /// - Throws: `SystemError` where that cannot be told.
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

  /// What is at `path`; nil where it cannot be examined, with the reason in errno.
  package func status(of path: String) -> stat? {
    var status = stat()
    return path.withCString { statusRaw($0, &status) } == 0 ? status : nil
  }

  /// As `status`, for callers in C: -1 with errno where it fails.
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
    case EXDEV, ELOOP: return "leads out of \(roots.joined(separator: " and ")) (control.roots)"
    case ENOSYS: return "this kernel cannot keep it below control.roots: openat2 needs Linux 5.6"
    default: return SystemError.text(of: code)
    }
  }

  /// What of `path` follows `base`; nil where it does not lie below that by its name.
  private static func rest(
    of path: UnsafePointer<CChar>, below base: String
  ) -> UnsafePointer<CChar>? {
    let count = base.utf8.count
    guard count > 0, strncmp(path, base, count) == 0 else { return nil }
    var rest = path + count
    // "/media" is above "/media/a", and not above "/media2".
    guard
      base.hasSuffix("/") || rest.pointee == CChar(bitPattern: UInt8(ascii: "/"))
        || rest.pointee == 0
    else { return nil }
    while rest.pointee == CChar(bitPattern: UInt8(ascii: "/")) { rest += 1 }
    return rest
  }

  private static func resolved(_ path: String) -> String? {
    guard let raw = realpath(path, nil) else { return nil }
    defer { free(raw) }
    return String(cString: raw)
  }

  private func retrying(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      if result != -1 || errno != EINTR { return result }
    }
  }
}
