import Glibc
import Platform

/// Where the daemon keeps the list of the packs that it is opening, for the next start.
///
/// Normally beside the state. While that disk is full or read-only, a spare file is used in its
/// place, and only that one is read then. It belongs on another medium: beside the control socket
/// it is in memory as a rule.
public struct OpeningsFile: Sendable {
  /// The usual path.
  public let path: String
  /// The path of the spare file; nil: there is none.
  public let spare: String?

  /// Names the files, which need not exist.
  public init(_ path: String, spare: String? = nil) {
    self.path = path
    self.spare = spare
  }

  /// The files of a daemon.
  ///
  /// The spare's name tells which state it belongs to. There is none if others could write in the
  /// socket's folder: they could have any pack refused.
  ///
  /// - Parameters:
  ///   - state: The path of the state file; nil: no state is saved, and the list is beside the
  ///     socket.
  ///   - socket: The path of the control socket.
  public init(besideState state: String?, socket: String) {
    guard let state else {
      self.init(socket + ".openings")
      return
    }
    let hash = String(FNV1a(state.utf8).value, radix: 16)
    let isPrivate = OpeningsFile.isPrivate(Paths.directory(of: socket))
    self.init(state + ".openings", spare: isPrivate ? "\(socket).\(hash).openings" : nil)
  }

  /// Whether only this user and root can make files in `folder`.
  private static func isPrivate(_ folder: String) -> Bool {
    var info = stat()
    guard stat(folder, &info) == 0, info.st_mode & S_IFMT == S_IFDIR else { return false }
    return (info.st_uid == geteuid() || info.st_uid == 0) && info.st_mode & 0o022 == 0
  }

  private static let maxBytes = 1 << 16

  /// The list that the last process left; empty: none.
  func read() -> [UInt8] {
    let limit = OpeningsFile.maxBytes
    if let spare, let bytes = try? FileIO.read(spare, limit: limit) { return bytes }
    return (try? FileIO.read(path, limit: limit)) ?? []
  }

  /// Writes the list. If neither file can be written, the next start knows nothing, or what the
  /// last list said, and opens packs accordingly.
  ///
  /// - Parameters:
  ///   - text: The list.
  ///   - isEmpty: Whether nothing is on it, so that it needs no file.
  ///   - replace: Replaces a file, or throws.
  func write(
    _ text: String, isEmpty: Bool, _ replace: (_ path: String, _ bytes: [UInt8]) throws -> Void
  ) {
    let bytes = Array(text.utf8)
    let isWritten = isEmpty ? remove(path) : (try? replace(path, bytes)) != nil
    guard let spare else { return }
    // An empty list in the spare file overrides one beside the state that cannot be removed.
    if isWritten { _ = remove(spare) } else { try? replace(spare, bytes) }
  }

  /// Tells whether there is no file at `path` any more. On a read-only disk unlink(2) reports that,
  /// and not that there is none.
  private func remove(_ path: String) -> Bool {
    unlink(path) == 0 || errno == ENOENT || access(path, F_OK) != 0 && errno == ENOENT
  }
}
