import CLinux
import Glibc
import MapGeometry
import Platform
import TileFormats
import TileSources

/// Writes a folder of `{z}/{x}/{y}.EXT` with a `metadata.json` of text values, as mbutil does.
package final class FolderWriter: PackWriter {
  private let target: String
  private let path: String
  private let mayReplace: Bool
  private let descriptor: Int32
  private let room: OutputRoom
  private var isDone = false
  private var tally = TileTally()
  private var formats = FormatTally()
  private var next: UInt64 = 0
  private var bytes: UInt64 = 0
  /// The folder that was made last, `z/x`.
  private var column = ""

  /// Begins a folder.
  ///
  /// - Parameters:
  ///   - target: its name.
  ///   - mayReplace: a folder of tiles of that name may be replaced.
  /// - Throws: `PackError` if there is one and it may not, or holds something else.
  package init(target: String, mayReplace: Bool = false) throws(PackError) {
    var name = target
    while name.count > 1, name.hasSuffix("/") { name.removeLast() }
    self.target = name
    self.mayReplace = mayReplace
    FolderWriter.putBack(name)
    try FolderWriter.check(name, mayReplace)
    try DraftFile.checkFolder(of: name)
    path = name + DraftFile.ending
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else {
      throw PackError(file: name, failed: "cannot be written: \(path) cannot be created")
    }
    descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else {
      throw PackError(file: name, failed: "cannot be written: \(path)")
    }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      throw PackError(
        file: name, reason: "is being written by another program right now: wait for it",
        isMisuse: true)
    }
    // A file takes a block of its own on nearly every file system.
    room = OutputRoom(folder: path, bytesPerTile: 4096, needsFiles: true)
    // What a process that was ended left.
    FolderTree.removeContents(of: path)
  }

  deinit {
    abandon()
    LockedFile.close(descriptor)
  }

  package func add(
    first: UInt64, count: UInt64, _ bytes: UnsafeRawBufferPointer
  ) throws(PackError) {
    let (end, overflow) = first.addingReportingOverflow(count)
    guard first >= next, count > 0, !overflow else {
      throw PackError(file: target, reason: "its tiles do not come in order")
    }
    next = end
    try checkRoom(for: count)
    tally.add(first: first, count: count)
    let format = TileFormat(sniffing: bytes)
    formats.add(format)
    let ending = format.mbtilesName ?? formats.first?.mbtilesName ?? "png"
    for id in first..<end {
      guard let tile = HilbertID.tile(id) else { break }
      try write(bytes, to: tile, ending)
      self.bytes += UInt64(bytes.count)
    }
  }

  package func checkRoom(for count: UInt64) throws(PackError) {
    let (sum, overflow) = tally.addressed.addingReportingOverflow(count)
    guard !overflow, room.holds(sum) else {
      throw PackError(
        file: target,
        reason: "has a file for each tile, and more than \(room.tiles) do not fit on its medium: "
          + "keep them in one file")
    }
  }

  package func finish(_ description: PackDescription) throws(PackError) -> PackTotals {
    let rows = description.mbtilesRows(
      defaultName: target.split(separator: "/").last.map(String.init) ?? "map",
      format: formats.most, tally: tally)
    let lines = rows.map { "  \(JSONText.string($0)): \(JSONText.string($1))" }
    let text = "{\n" + lines.joined(separator: ",\n") + "\n}\n"
    let failure: PackError? = Array(text.utf8).withUnsafeBytes { raw in
      do throws(PackError) { try put(raw, to: FolderTree.metadataName) } catch { return error }
      return nil
    }
    if let failure { throw failure }
    // Sync all files at once: one by one, each would cost a write to the medium.
    guard waypost_sync_file_system(descriptor) == 0 else {
      throw PackError(file: target, failed: "cannot be written to its medium")
    }
    try takeName()
    return PackTotals(addressed: tally.addressed, contents: tally.addressed, bytes: bytes)
  }

  package func abandon() {
    if isDone { return }
    isDone = true
    FolderTree.removeContents(of: path)
    rmdir(path)
  }

  /// What a folder that is replaced is called for a moment, where names cannot be exchanged.
  private static let formerEnding = ".waypost-old"

  /// Gives a folder its name back that it lost when the power was cut while it was replaced.
  private static func putBack(_ target: String) {
    if access(target, F_OK) != 0 { rename(target + formerEnding, target) }
  }

  private func takeName() throws(PackError) {
    try FolderWriter.check(target, mayReplace)
    var status = stat()
    let isReplacing = lstat(target, &status) == 0
    if isReplacing, waypost_exchange(path, target) == 0 {
      isDone = true
      DraftFile.sync(folder: Paths.directory(of: target))
      FolderTree.removeContents(of: path)
      rmdir(path)
      return
    }
    let old = target + FolderWriter.formerEnding
    if isReplacing {
      // What a process that was ended left.
      try FolderWriter.check(old, true)
      FolderTree.removeContents(of: old)
      rmdir(old)
      guard rename(target, old) == 0 else {
        throw PackError(file: target, failed: "cannot be moved away")
      }
    }
    guard rename(path, target) == 0 else {
      let error = PackError(file: target, failed: "cannot be renamed to its final name")
      if isReplacing { rename(old, target) }
      throw error
    }
    isDone = true
    DraftFile.sync(folder: Paths.directory(of: target))
    if isReplacing {
      FolderTree.removeContents(of: old)
      rmdir(old)
    }
  }

  private func write(
    _ bytes: UnsafeRawBufferPointer, to tile: TileID, _ ending: String
  ) throws(PackError) {
    let folder = "\(tile.z)/\(tile.x)"
    if folder != column {
      // Neighbours on the curve alternate between two columns, so the folder usually exists.
      if mkdirat(descriptor, folder, 0o777) != 0, errno != EEXIST {
        mkdirat(descriptor, "\(tile.z)", 0o777)
        guard mkdirat(descriptor, folder, 0o777) == 0 || errno == EEXIST else {
          throw PackError(file: target, failed: "\(folder) cannot be created")
        }
      }
      column = folder
    }
    try put(bytes, to: "\(folder)/\(tile.y).\(ending)")
  }

  private func put(_ bytes: UnsafeRawBufferPointer, to name: String) throws(PackError) {
    let file = openat(descriptor, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard file >= 0 else { throw PackError(file: target, failed: "\(name) cannot be created") }
    defer { close(file) }
    var done = 0
    while done < bytes.count {
      let count = Glibc.write(file, bytes.baseAddress.map { $0 + done }, bytes.count - done)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { throw PackError(file: target, failed: "\(name) cannot be written") }
      done += count
    }
  }

  /// - Throws: `PackError` if `target` is there and may not be replaced, or is something else
  ///   than a folder of tiles.
  private static func check(_ target: String, _ mayReplace: Bool) throws(PackError) {
    var status = stat()
    guard !target.isEmpty, target != "/" else {
      throw PackError(file: target, reason: "is not the name of a folder", isMisuse: true)
    }
    guard lstat(target, &status) == 0 else { return }
    guard status.st_mode & S_IFMT == S_IFDIR else {
      throw PackError(
        file: target, reason: "exists but is not a folder: give another name", isMisuse: true)
    }
    let isEmpty: Bool
    var stranger: String?
    do throws(SystemError) {
      isEmpty = try Directory.names(in: target, upTo: 1).isEmpty
      if mayReplace { stranger = try FolderTree.stranger(in: target) }
    } catch {
      throw PackError(file: target, reason: "cannot be looked through: \(error.text)")
    }
    if isEmpty { return }
    guard mayReplace else {
      throw PackError(
        file: target, reason: "already exists: give another name, or --force to replace it",
        isMisuse: true)
    }
    if let stranger {
      throw PackError(
        file: target,
        reason:
          "holds \"\(stranger)\", which does not belong to a folder of tiles, so it is not "
          + "replaced: give another name", isMisuse: true)
    }
  }
}
