import Glibc
import Platform

/// A file that is written under a temporary name beside its own, and renamed when it is complete.
///
/// A process that ends in between leaves the temporary file; the next one that writes the same
/// target starts it again. A lock keeps two processes from writing it at once.
package final class DraftFile {
  /// The file's own name.
  package let target: String
  /// Where it is written.
  package let path: String
  /// Open for reading and writing.
  package let descriptor: Int32
  private let mayReplace: Bool
  private var isDone = false

  /// What follows the target's name until it is complete.
  package static let ending = ".waypost-part"

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - target: its name.
  ///   - mayReplace: a file of that name may be replaced.
  /// - Throws: `PackError` if `target` exists and may not be replaced, or cannot be written.
  package init(target: String, mayReplace: Bool) throws(PackError) {
    self.target = target
    self.mayReplace = mayReplace
    try DraftFile.check(target, mayReplace)
    // Where a link leads is replaced, and not the link.
    path = FileIO.target(of: target) + DraftFile.ending
    let descriptor: Int32
    switch LockedFile.open(path, mode: 0o666) {
    case .open(let opened): descriptor = opened
    case .taken:
      throw PackError(
        file: target, reason: "is being written by another program right now: wait for it",
        isMisuse: true)
    case .failed:
      throw PackError(file: target, failed: "cannot be written: \(path) cannot be created")
    }
    guard ftruncate(descriptor, 0) == 0 else {
      LockedFile.close(descriptor)
      throw PackError(file: target, failed: "cannot be written")
    }
    self.descriptor = descriptor
  }

  deinit {
    abandon()
    LockedFile.close(descriptor)
  }

  /// Syncs the file, gives it its name, and syncs its folder.
  ///
  /// - Throws: `PackError`; the target is as it was then.
  package func commit() throws(PackError) {
    guard fsync(descriptor) == 0 else {
      throw PackError(file: target, failed: "cannot be written to its medium")
    }
    // Somebody may have made it meanwhile.
    try DraftFile.check(target, mayReplace)
    guard rename(path, FileIO.target(of: target)) == 0 else {
      throw PackError(file: target, failed: "cannot be renamed to its final name")
    }
    isDone = true
    DraftFile.sync(folder: Paths.directory(of: path))
  }

  /// Removes what was written; does nothing after `commit`.
  package func abandon() {
    if !isDone { unlink(path) }
    isDone = true
  }

  /// - Throws: `PackError` if `target` exists and may not be replaced, or is not a file.
  package static func check(_ target: String, _ mayReplace: Bool) throws(PackError) {
    var status = stat()
    guard !target.isEmpty, !target.hasSuffix("/") else {
      throw PackError(file: target, reason: "is not the name of a file", isMisuse: true)
    }
    guard lstat(target, &status) == 0 else {
      try checkFolder(of: target)
      return
    }
    guard mayReplace else {
      throw PackError(
        file: target, reason: "already exists: give another name, or --force to replace it",
        isMisuse: true)
    }
    guard stat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      throw PackError(
        file: target, reason: "exists but is not a regular file: give another name", isMisuse: true)
    }
  }

  /// - Throws: `PackError` if the folder of `target` does not exist.
  static func checkFolder(of target: String) throws(PackError) {
    var status = stat()
    let folder = Paths.directory(of: target)
    guard stat(folder, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
      throw PackError(
        file: target, reason: "there is no folder \(folder): make it first", isMisuse: true)
    }
  }

  /// Writes through to the medium which names a folder has; some file systems cannot.
  static func sync(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
  }
}
