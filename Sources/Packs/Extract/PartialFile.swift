import Glibc
import Platform

/// A file that is filled under a temporary name, in any order, and named when it is complete.
final class PartialFile {
  let path: String
  private let size: UInt64
  private let descriptor: Int32
  /// Whether it was there before, with the size that it is to have.
  let wasThere: Bool

  /// Opens the file at `path` as it is, or makes an empty one.
  ///
  /// - Throws: `PackError` if it cannot be made, or its medium has no room for it.
  init(path: String, size: UInt64) throws(PackError) {
    self.path = path
    self.size = size
    descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o666)
    guard descriptor >= 0 else { throw PackError(file: path, failed: "cannot be created") }
    var info = stat()
    let isThere = fstat(descriptor, &info) == 0 && UInt64(max(info.st_size, 0)) == size
    wasThere = isThere
    let held = UInt64(max(info.st_blocks, 0)) * 512
    if let free = FreeSpace.bytes(at: path), free + held < size {
      throw PackError(
        file: path,
        reason: "needs \(size) bytes, and its medium has \(free + held) left: choose another, or a "
          + "smaller region", isMisuse: true)
    }
  }

  /// Gives the file its size, and empties it before unless it had that.
  ///
  /// - Throws: `PackError` if it cannot be written.
  func begin() throws(PackError) {
    if !wasThere, ftruncate(descriptor, 0) != 0 || ftruncate(descriptor, off_t(size)) != 0 {
      throw PackError(file: path, failed: "cannot be written")
    }
  }

  deinit { close(descriptor) }

  func write(_ bytes: ArraySlice<UInt8>, at offset: UInt64) throws(PackError) {
    let failed = bytes.withUnsafeBytes { raw in
      var done = 0
      while done < raw.count {
        let count = pwrite(
          descriptor, raw.baseAddress.map { $0 + done }, raw.count - done,
          off_t(offset) + off_t(done))
        if count < 0, errno == EINTR { continue }
        if count < 0 { return true }
        done += count
      }
      return false
    }
    if failed { throw PackError(file: path, failed: "cannot be written") }
  }

  func sync() throws(PackError) {
    guard fdatasync(descriptor) == 0 else {
      throw PackError(file: path, failed: "cannot be written to its medium")
    }
  }

  /// Syncs the file and gives it the name `target`; a link is followed.
  func finish(as target: String, mayReplace: Bool) throws(PackError) {
    guard fsync(descriptor) == 0 else {
      throw PackError(file: path, failed: "cannot be written to its medium")
    }
    // Somebody may have made it meanwhile.
    try DraftFile.check(target, mayReplace)
    guard rename(path, FileIO.target(of: target)) == 0 else {
      throw PackError(file: target, failed: "cannot be renamed to its final name")
    }
    DraftFile.sync(folder: Paths.directory(of: path))
  }
}
