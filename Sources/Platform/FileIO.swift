#if canImport(Glibc)
  import Glibc
#endif

/// Why a file could not be read or written.
public struct FileError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The file's path.
  public var file: String
  /// What is wrong and what would be right.
  public var reason: String

  /// An error about `file`.
  public init(file: String, reason: String) {
    self.file = file
    self.reason = reason
  }

  /// The file and what is wrong with it.
  public var description: String { "\(file): \(reason)" }
}

/// Reading and replacing whole files, on plain system calls.
public enum FileIO {
  /// Opens the regular file `path` for reading, without ever waiting: a FIFO, a device or a folder
  /// of that name is refused, and not even opened.
  ///
  /// - Parameters:
  ///   - path: the file; a link is followed as far as `trust` allows.
  ///   - size: set to the file's bytes.
  ///   - trust: which files may be opened.
  /// - Returns: the descriptor, close-on-exec, which the caller owns.
  /// - Throws: `FileError`.
  public static func openRegular(
    _ path: String, size: inout Int, trust: PathTrust = .anywhere
  ) throws(FileError) -> Int32 {
    var info = stat()
    let fd: Int32?
    do {
      fd = try trust.openRegular(path, status: &info)
    } catch {
      throw FileError(
        file: path, reason: "cannot be opened: \(trust.explanation(of: error.code))")
    }
    guard let fd else {
      throw FileError(file: path, reason: "not a file; a regular file is needed")
    }
    size = Int(info.st_size)
    return fd
  }

  /// The bytes of the regular file `path`.
  ///
  /// - Parameters:
  ///   - path: the file; a link is followed as far as `trust` allows.
  ///   - limit: the most bytes that are read; a larger file is an error.
  ///   - trust: which files may be opened.
  /// - Returns: the bytes.
  /// - Throws: `FileError`.
  public static func read(
    _ path: String, limit: Int, trust: PathTrust = .anywhere
  ) throws(FileError) -> [UInt8] {
    var size = 0
    let fd = try openRegular(path, size: &size, trust: trust)
    defer { close(fd) }
    return try read(fd, of: path, size: size, limit: limit)
  }

  /// The bytes of the open file `fd`; `size` is what it is thought to have. As above.
  package static func read(
    _ fd: Int32, of path: String, size: Int, limit: Int
  ) throws(FileError) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(min(size, limit))
    var buffer = [UInt8](repeating: 0, count: 64 << 10)
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

  /// Replaces `path` by `bytes` in one step that a power cut cannot halve: a temporary file beside
  /// it, written through to the medium, renamed, and the folder written through.
  ///
  /// - Parameters:
  ///   - path: the file; where a link leads is replaced, and not the link.
  ///   - bytes: what it is to hold.
  ///   - isSynced: it is to outlast a power cut, and not only the process.
  /// - Throws: `FileError`; the old file then stands as it did.
  public static func replace(
    _ path: String, with bytes: [UInt8], isSynced: Bool = true
  ) throws(FileError) {
    // A link is followed; what is there and is no plain file stays.
    let path = absoluteTarget(of: path)
    var present = stat()
    if stat(path, &present) == 0, present.st_mode & S_IFMT != S_IFREG {
      throw FileError(file: path, reason: "is there and is no plain file; give another path")
    }
    let temporary = "\(path).new"
    // Not blocking: what lies there from before may be a FIFO.
    let flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
    let fd = open(temporary, flags, 0o600)
    guard fd >= 0 else { throw failure(temporary, "cannot be created") }
    guard fstat(fd, &present) == 0, present.st_mode & S_IFMT == S_IFREG else {
      close(fd)
      throw FileError(file: temporary, reason: "is there and is no plain file; remove it")
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
    if failed == nil, rename(temporary, path) != 0 { failed = failure(path, "cannot be replaced") }
    if let failed {
      unlink(temporary)
      throw failed
    }
    if !isSynced { return }
    let folder = open(Paths.directory(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { return }
    // A folder that cannot be synced (some file systems) still has the new file.
    _ = fsync(folder)
    close(folder)
  }

  /// Where a link leads; any other path as it is.
  private static func absoluteTarget(of path: String) -> String {
    guard let raw = realpath(path, nil) else { return path }
    defer { free(raw) }
    return String(cString: raw)
  }

  /// `path` seen from the root; the working directory in front where it is relative.
  package static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let current = getcwd(nil, 0) else { return path }
    defer { free(current) }
    let folder = String(cString: current)
    return path == "." ? folder : Paths.join(folder, path)
  }

  private static func failure(_ path: String, _ what: String) -> FileError {
    FileError(file: path, reason: "\(what): \(SystemError.text())")
  }
}
