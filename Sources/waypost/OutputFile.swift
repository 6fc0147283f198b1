import Glibc
import Platform

/// Writes a file completely or not at all.
enum OutputFile {
  /// Why `path` is not the name of a PNG file, and what would be right; nil if it can be.
  static func fault(ofPicture path: String) -> String? {
    let name = path.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
      otherPictures.contains(name[name.index(after: dot)...].lowercased())
    else { return nil }
    let stem = path.dropLast(name[dot...].count)
    return "\(path): pictures are written as PNG; give \(stem).png"
  }

  /// The endings of picture files that no command writes.
  private static let otherPictures: Set<String> = [
    "avif", "bmp", "gif", "heic", "jpeg", "jpg", "jxl", "pdf", "ppm", "svg", "tif", "tiff", "webp",
  ]

  /// Writes to a new file beside `path` and renames it to `path`. `-` is standard output; a device
  /// or a pipe is written to directly.
  static func write(_ bytes: [UInt8], to path: String) throws {
    try write(to: path) { fd, name in try write(bytes, fd: fd, name) }
  }

  /// Does the same with what `body` writes to its descriptor. `body` also gets a name for messages.
  static func write(to path: String, _ body: (Int32, String) throws -> Void) throws {
    if path == "-" { return try body(STDOUT_FILENO, "standard output") }
    var info = stat()
    if stat(path, &info) == 0, info.st_mode & S_IFMT != S_IFREG {
      let fd = open(path, O_WRONLY | O_CLOEXEC)
      if fd < 0 { throw failure(path) }
      defer { close(fd) }
      return try body(fd, path)
    }
    let draft = path + ".\(getpid()).part"
    let fd = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    if fd < 0 { throw failure(path) }
    do {
      try body(fd, path)
      if close(fd) != 0 { throw failure(path) }
      if rename(draft, path) != 0 { throw failure(path) }
    } catch {
      unlink(draft)
      throw error
    }
  }

  private static func write(_ bytes: [UInt8], fd: Int32, _ name: String) throws {
    if let failure = bytes.withUnsafeBytes({ put($0, fd: fd, name) }) { throw failure }
  }

  /// Writes all of `bytes`. Returns the failure; nil if there is none.
  static func put(_ bytes: UnsafeRawBufferPointer, fd: Int32, _ name: String) -> Failure? {
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(fd, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count < 0 && errno != EINTR { return failure(name) }
      done += max(0, count)
    }
    return nil
  }

  private static func failure(_ name: String) -> Failure {
    Failure(Failure.badData, "\(name): cannot be written: \(SystemError.text())")
  }
}
