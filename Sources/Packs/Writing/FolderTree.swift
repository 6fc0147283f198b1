import Glibc
import MapGeometry
import Platform
import TileSources

/// A folder of tiles as a tree of names: `{z}/{x}/{y}.EXT` and `metadata.json`.
package enum FolderTree {
  /// The file that says what the tiles are (mbutil).
  package static let metadataName = "metadata.json"

  /// Levels, columns, tiles.
  private static let depth = 3

  /// The first thing found in the folder `path` that does not belong to a folder of tiles, as a
  /// path from there; nil if everything does.
  ///
  /// - Throws: `SystemError` if a folder cannot be listed.
  static func stranger(in path: String) throws(SystemError) -> String? {
    try stranger(in: path, "", 0)
  }

  private static func stranger(
    in path: String, _ prefix: String, _ level: Int
  ) throws(SystemError) -> String? {
    for name in try Directory.names(in: "\(path)/\(prefix)") {
      let inner = prefix + name
      let isFolder = isPlain(folder: "\(path)/\(inner)")
      guard isPart(name, level, isFolder: isFolder) else { return inner }
      if isFolder, let found = try stranger(in: path, inner + "/", level + 1) { return found }
    }
    return nil
  }

  /// Whether something of this name belongs `level` levels below the top.
  private static func isPart(_ name: String, _ level: Int, isFolder: Bool) -> Bool {
    if level == 0, name == metadataName { return !isFolder }
    if level == depth - 1 { return !isFolder && FolderReader.isTile(name) }
    guard isFolder, let number = TileFolder.number(name) else { return false }
    return level > 0 || number <= TileID.maxLevel
  }

  private static func isPlain(folder: String) -> Bool {
    var status = stat()
    return lstat(folder, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// Removes levels with their columns and tiles, and `metadata.json`. Nothing else is touched, and
  /// links are not followed.
  static func removeContents(of path: String) { removeContents(of: path, 0) }

  private static func removeContents(of path: String, _ level: Int) {
    guard let names = try? Directory.names(in: path) else { return }
    for name in names {
      let inner = "\(path)/\(name)"
      let isFolder = isPlain(folder: inner)
      guard isPart(name, level, isFolder: isFolder) else { continue }
      guard isFolder else {
        unlink(inner)
        continue
      }
      removeContents(of: inner, level + 1)
      rmdir(inner)
    }
  }
}
