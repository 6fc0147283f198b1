import Glibc
import Platform

/// A folder of tiles as a tree of names.
package enum FolderTree {
  /// The file that says what the tiles are (mbutil).
  package static let metadataName = "metadata.json"

  /// Whether a name at the top of a folder of tiles is one of its own: a level, or the metadata.
  static func isPart(_ name: String) -> Bool {
    name == metadataName || (name.utf8.allSatisfy { (0x30...0x39).contains($0) } && !name.isEmpty)
  }

  /// Removes `metadata.json` and levels with their columns and files; links are not followed, and
  /// nothing deeper is touched.
  static func removeContents(of path: String, depth: Int = 0) {
    guard let names = try? Directory.names(in: path) else { return }
    for name in names where depth > 0 || isPart(name) {
      let inner = "\(path)/\(name)"
      if unlink(inner) == 0 { continue }
      guard depth < 2 else { continue }
      var status = stat()
      guard lstat(inner, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { continue }
      removeContents(of: inner, depth: depth + 1)
      rmdir(inner)
    }
  }
}
