#if canImport(Glibc)
  import Glibc
#endif

/// Why a file could not be read or written.
public struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The path of the file.
  public var file: String
  /// What is wrong, and what would be right.
  public var reason: String
  /// Whether it may pass by itself; see `SystemError.mayPass`.
  public var isTransient: Bool

  /// Creates an error about `file`, by default one that does not pass by itself.
  public init(file: String, reason: String, isTransient: Bool = false) {
    self.file = file
    self.reason = reason
    self.isTransient = isTransient
  }

  /// The path and what is wrong.
  public var description: String { "\(file): \(reason)" }
}

/// Reads and replaces whole files with plain system calls.
public enum FileIO {
  /// Opens the regular file `path` for reading, without ever waiting: a FIFO, a device or a folder
  /// is refused without being opened.
  ///
  /// - Parameters:
  ///   - path: the file; links are followed as far as `trust` allows.
  ///   - size: set to the file's size in bytes.
  ///   - trust: which files may be opened.
  /// - Returns: the descriptor, close-on-exec, owned by the caller.
  /// - Throws: `FileError` if it cannot be opened or is not a regular file.
  public static func openRegular(
    _ path: String, size: inout Int, trust: PathTrust = .anywhere
  ) throws(FileError) -> Int32 {
    var info = stat()
    let fd: Int32?
    do {
      fd = try trust.openRegular(path, status: &info)
    } catch {
      throw FileError(
        file: path, reason: "cannot be opened: \(trust.explanation(of: error.code))",
        isTransient: SystemError.mayPass(error.code))
    }
    guard let fd else {
      throw FileError(file: path, reason: "not a file; a regular file is needed")
    }
    size = Int(info.st_size)
    return fd
  }

  /// Reads the regular file `path`.
  ///
  /// - Parameters:
  ///   - path: the file; links are followed as far as `trust` allows.
  ///   - limit: the most bytes; a larger file is an error.
  ///   - trust: which files may be opened.
  /// - Returns: the file's bytes.
  /// - Throws: `FileError` if it cannot be read, is not a regular file or is too large.
  public static func read(
    _ path: String, limit: Int, trust: PathTrust = .anywhere
  ) throws(FileError) -> [UInt8] {
    var size = 0
    let fd = try openRegular(path, size: &size, trust: trust)
    defer { close(fd) }
    return try read(fd, of: path, size: size, limit: limit)
  }

  /// Reads the open file `fd`, whose size is expected to be `size`; otherwise the same.
  package static func read(
    _ fd: Int32, of path: String, size: Int, limit: Int
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(size, limit))
    // So small that nobody looks first whether there is memory for it: see `SpareMemory.small`.
    var buffer = [UInt8](repeating: 0, count: 16 << 10)
    while true {
      let count = Glibc.read(fd, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure(path, "cannot be read") }
      if count == 0 { return bytes }
      guard bytes.count + count <= limit else {
        throw FileError(file: path, reason: "larger than \(limit) bytes, the most that is read")
      }
      bytes += buffer[..<count]
    }
  }

  /// Replaces `path` by `bytes` in one step that a power cut cannot split: writes a temporary file
  /// beside it, syncs and renames it, and syncs the folder.
  ///
  /// - Parameters:
  ///   - path: the file; if it is a link, the link's target is replaced.
  ///   - bytes: the new contents.
  ///   - isSynced: whether the file must survive a power cut, not only the end of the process.
  ///   - previous: a path in the same folder that keeps the old file; nil: it is not kept. Failing
  ///     to
  ///     keep it is no error.
  /// - Throws: `FileError` if it cannot be written; the old file then stays as it was. If only the
  ///   folder cannot be synced, the new file is in place, but may be lost by a power cut.
  public static func replace(
    _ path: String, with bytes: [UInt8], isSynced: Bool = true, keeping previous: String? = nil
  ) throws(FileError) {
    // A link is followed; anything there that is not a regular file stays.
    let path = target(of: path)
    var present = stat()
    if stat(path, &present) == 0, present.st_mode & S_IFMT != S_IFREG {
      throw FileError(file: path, reason: "exists but is not a regular file; give another path")
    }
    let temporary = "\(path).new"
    // Not blocking, because a FIFO may have been left there.
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let fd = open(temporary, flags, 0o600)
    guard fd >= 0 else { throw failure(temporary, "cannot be created") }
    guard fstat(fd, &present) == 0, present.st_mode & S_IFMT == S_IFREG else {
      close(fd)
      throw FileError(file: temporary, reason: "exists but is not a regular file; remove it")
    }
    var done = 0
    var failed: FileError?
    while done < bytes.count, failed == nil {
      let count = bytes.withUnsafeBytes { write(fd, $0.baseAddress! + done, $0.count - done) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { failed = failure(temporary, "cannot be written") } else { done += count }
    }
    if failed == nil, isSynced, fsync(fd) != 0 { failed = failure(temporary, "cannot be written") }
    close(fd)
    if failed == nil, let previous { keep(path, as: previous) }
    if failed == nil, rename(temporary, path) != 0 { failed = failure(path, "cannot be replaced") }
    if let failed {
      unlink(temporary)
      throw failed
    }
    if !isSynced { return }
    let folder = open(Paths.directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    let code = fsync(folder) == 0 ? 0 : errno
    close(folder)
    if let fault = folderFault(code, of: path) { throw fault }
  }

  /// What it means for the file at `path` that syncing its folder gave `code`; nil: nothing. Some
  /// file systems cannot sync folders (EINVAL, ENOTSUP and others), which is no fault.
  static func folderFault(_ code: Int32, of path: String) -> FileError? {
    guard code == EIO || code == ENOSPC || code == EDQUOT else { return nil }
    return FileError(
      file: path,
      reason: "its folder cannot be written: \(SystemError.text(of: code)); a power cut may bring "
        + "back the file before it", isTransient: SystemError.mayPass(code))
  }

  /// Makes `name` a second name of the file at `path`, in one step: either name has a complete file
  /// at any time. Does nothing on file systems without hard links (FAT).
  ///
  /// - Returns: whether `name` is one of the file's names now.
  @discardableResult
  package static func keep(_ path: String, as name: String) -> Bool {
    let temporary = "\(name).new"
    unlink(temporary)
    let isKept = link(path, temporary) == 0 && rename(temporary, name) == 0
    // If both were names of one file already, `rename` did nothing.
    unlink(temporary)
    return isKept
  }

  /// `path` with all links resolved (realpath(3)); nil if nothing is there.
  package static func resolved(_ path: String) -> String? {
    guard let raw = realpath(path, nil) else { return nil }
    defer { free(raw) }
    return String(cString: raw)
  }

  /// The target of a link; any other path is returned as it is.
  package static func target(of path: String) -> String { resolved(path) ?? path }

  /// `path` made absolute with the working directory.
  package static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    let folder = String(cString: current)
    return path == "." ? folder : Paths.join(folder, path)
  }

  private static func failure(_ path: String, _ what: String) -> FileError {
    let code = errno
    return FileError(
      file: path, reason: "\(what): \(SystemError.text(of: code))",
      isTransient: SystemError.mayPass(code))
  }
}
