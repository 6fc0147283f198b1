import Glibc
import TileSources

/// The kind of a new pack, by its name.
package enum PackTarget {
  /// The kind of a new pack at `path`.
  ///
  /// - Parameter path: a name that ends with `.mbtiles` or `.pmtiles`; a folder ends with a slash,
  ///   or exists.
  /// - Returns: its kind.
  /// - Throws: `PackError` for any other name.
  package static func kind(of path: String) throws(PackError) -> PackKind {
    let lower = path.lowercased()
    if lower.hasSuffix(".mbtiles") { return .mbtiles }
    if lower.hasSuffix(".pmtiles") { return .pmtiles }
    var status = stat()
    if path.hasSuffix("/") || (stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR) {
      return .folder
    }
    throw PackError(
      file: path,
      reason: "has a name that does not tell the kind of pack: end it with .mbtiles or "
        + ".pmtiles, or with / for a folder", isMisuse: true)
  }

  /// A writer for the pack `path`.
  ///
  /// - Throws: `PackError` if it cannot be written, or exists and may not be replaced.
  package static func writer(
    _ path: String, kind: PackKind, mayReplace: Bool
  ) throws(PackError) -> any PackWriter {
    switch kind {
    case .mbtiles: try MBTilesWriter(target: path, mayReplace: mayReplace)
    case .pmtiles: try PMTilesWriter(target: path, mayReplace: mayReplace)
    case .folder: try FolderWriter(target: path, mayReplace: mayReplace)
    }
  }
}
