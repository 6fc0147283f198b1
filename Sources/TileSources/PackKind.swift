import Platform
import TileFormats

/// The kind of map at a path, recognised by its first bytes.
public enum PackKind: Sendable, Equatable {
  case folder, mbtiles, pmtiles

  /// Looks at `path`.
  ///
  /// - Throws: A fault that says what is there instead of a map, and what to do about it.
  package init(path: String, trust: PathTrust = .anywhere) throws(PackFault) {
    if TileFile.isFolder(path, trust) {
      self = .folder
      return
    }
    let reader = try FileReader(path: path, trust: trust)
    let start = try reader.start(100)
    func begins(_ text: String) -> Bool { start.starts(with: Array(text.utf8)) }
    let name = path.lowercased()
    if begins("PMTiles") || start.starts(with: [0x50, 0x4d, 2, 0])
      || start.starts(with: [0x50, 0x4d, 1, 0])
    {
      self = .pmtiles
    } else if begins("SQLite format 3\0") {
      guard start.count < 72 || !start[68...].starts(with: Array("GPKG".utf8)) else {
        throw PackFault(
          "is a GeoPackage: convert it to MBTiles, as with 'gdal_translate -of MBTILES IN OUT'")
      }
      self = .mbtiles
    } else if start.isEmpty {
      // An empty MBTiles file has a better error: a write may have been interrupted.
      guard name.hasSuffix(".mbtiles") else {
        throw PackFault("is empty: 0 bytes. Copy or make the pack again")
      }
      self = .mbtiles
    } else if start.starts(with: [0, 0, 0, 4]) && name.hasSuffix(".gemf")
      || start.starts(with: [0, 0, 0, 4, 0, 0, 1, 0])
    {
      throw PackFault(
        "is a GEMF archive: convert it to MBTiles, or unpack it into a folder of {z}/{x}/{y}.png")
    } else if start.starts(with: [0x50, 0x4b, 3, 4]) {
      throw PackFault("is a ZIP archive: unpack it, and give the folder of {z}/{x}/{y}.png in it")
    } else if start.starts(with: [0x1f, 0x8b]) || start.starts(with: [0x28, 0xb5, 0x2f, 0xfd])
      || start.starts(with: [0xfd, 0x37, 0x7a, 0x58, 0x5a])
    {
      throw PackFault("is compressed: unpack it first (gunzip, unzstd or unxz)")
    } else if TileFormat(sniffing: start).isDrawn {
      throw PackFault(
        "is a single \(TileFormat(sniffing: start).rawValue.uppercased()) picture: a map is an MBTiles or PMTiles file, or "
          + "a folder of {z}/{x}/{y}.png")
    } else if begins("version https://git-lfs") {
      throw PackFault("is a Git LFS pointer instead of the file: fetch it with 'git lfs pull'")
    } else {
      throw PackFault(
        name.hasSuffix(".mbtiles")
          ? "is not an SQLite database, so not MBTiles: is it damaged, or cut off?"
          : name.hasSuffix(".pmtiles")
            ? "does not begin like a PMTiles archive: is it damaged?"
            : "is neither an MBTiles nor a PMTiles file nor a folder of tiles")
    }
  }
}
