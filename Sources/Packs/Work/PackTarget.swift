import Glibc
import TileSources

/// The kind of a pack that is to be made, told by its name.
package enum PackTarget {
  /// Tells the kind of the pack that is to be made at `path`.
  ///
  /// - Parameter path: what ends with `.mbtiles` or `.pmtiles`; a folder has a slash at its end, or
  ///   is there.
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
      reason: "tells no kind of pack by its name: end it with .mbtiles or .pmtiles, or with / for "
        + "a folder", isMisuse: true)
  }

  /// A writer for the pack `path`.
  ///
  /// - Throws: `PackError` if it cannot be written, or is there and may not be replaced.
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
