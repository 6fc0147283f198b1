import Glibc
import Platform

/// Where the daemon keeps the list of the packs that it is opening, for the next start.
///
/// Beside the state as a rule. While nothing can be written there, because the disk is full or
/// read-only, a spare file is used, which then counts alone. It is to be on another medium: beside
/// the control socket it is in memory.
public struct OpeningsFile: Sendable {
  /// The path as a rule.
  public let path: String
  /// The path of the spare file; nil: there is none.
  public let spare: String?

  /// Names the files, which need not exist. A spare of the same path is none.
  public init(_ path: String, spare: String? = nil) {
    self.path = path
    self.spare = spare == path ? nil : spare
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
