import MapGeometry

/// The 127-byte header of an archive (PMTiles 3, section 3), little-endian.
package struct PMTilesHeader: Sendable {
  /// Its size in bytes.
  package static let length = 127

  /// A range of the file in bytes.
  package struct Section: Equatable, Sendable {
    package var offset: UInt64
    package var length: UInt64
  }

  package var root: Section
  package var metadata: Section
  package var leaves: Section
  package var tiles: Section
  package var directoryCompression: PackCompression
  package var tileCompression: PackCompression
  /// 0 unknown, 1 MVT, 2 PNG, 3 JPEG, 4 WebP, 5 AVIF, 6 MLT.
  package var tileType: UInt8
  package var minZoom: Int
  package var maxZoom: Int
  package var bounds: GeoBounds?
  package var center: GeoPoint?
  package var centerZoom: Int

  /// Tiles that can be asked for, entries that are not leaves, and different contents; 0: not said.
  package var addressedTiles: UInt64
  package var tileEntries: UInt64
  package var tileContents: UInt64
  /// Whether the tiles lie in the order of their numbers.
  package var isClustered: Bool

  package var isVector: Bool { tileType == 1 || tileType == 6 }

  /// Reads and checks the header.
  ///
  /// - Throws: A fault that says what is wrong with the header.
  package init(_ reader: any ByteReader) throws(PackFault) {
    let size = reader.size
    let start = try reader.read(at: 0, count: Int(min(size, 127)))
    try PMTilesHeader.checkVersion(start)
    guard start.count == PMTilesHeader.length else {
      throw PackFault(
        "is cut off: the header of a PMTiles archive has 127 bytes, and the file ends at \(size)")
    }
    func number(_ at: Int, _ count: Int = 8) -> UInt64 {
      (0..<count).reduce(0) { $0 | UInt64(start[at + $1]) << UInt64(8 * $1) }
    }
    /// Degrees from a signed count of 1e-7 degrees.
    func degrees(_ at: Int) -> Double {
      Double(Int32(truncatingIfNeeded: number(at, 4))) / 1e7
    }
    root = Section(offset: number(8), length: number(16))
    metadata = Section(offset: number(24), length: number(32))
    leaves = Section(offset: number(40), length: number(48))
    tiles = Section(offset: number(56), length: number(64))

    (addressedTiles, tileEntries, tileContents) = (number(72), number(80), number(88))
    isClustered = start[96] == 1

    guard root.offset >= 127, PMTilesHeader.fits(root, size), root.length > 0 else {
      throw PackFault(
        "says that its directory has \(root.length) bytes from byte \(root.offset) on, but the file "
          + "has \(size): it is cut off or damaged")
    }
    guard leaves.offset <= size, tiles.offset <= size else {
      throw PackFault(
        "says that its tiles begin at byte \(max(leaves.offset, tiles.offset)), but the file has "
          + "\(size): it is cut off or damaged")
    }
    directoryCompression = try PMTilesHeader.compression(start[97], of: "directories")
    guard directoryCompression != .unknown else {
      throw PackFault(
        "does not say how its directories are compressed (0): convert it again with 'pmtiles convert'"
      )
    }
    tileCompression = try PMTilesHeader.compression(start[98], of: "tiles")
    tileType = start[99]

    // Ignore zooms that contradict each other.
    let zooms = (Int(start[100]), Int(start[101]))
    let isSaid = zooms.0 <= zooms.1 && zooms.0 <= TileID.maxLevel
    minZoom = isSaid ? zooms.0 : 0
    maxZoom = isSaid ? min(zooms.1, TileID.maxLevel) : TileID.maxLevel
    bounds = LenientPlace.bounds([degrees(102), degrees(106), degrees(110), degrees(114)])
    centerZoom = Int(start[118])
    center = LenientPlace.center(lon: degrees(119), lat: degrees(123), within: bounds)
  }

  private static func fits(_ section: Section, _ size: UInt64) -> Bool {
    section.offset <= size && section.length <= size - section.offset
  }

  private static func compression(
    _ code: UInt8, of what: String
  ) throws(PackFault) -> PackCompression {
    guard let compression = PackCompression(rawValue: code) else {
      throw PackFault(
        "says that its \(what) are compressed in way \(code): known are 1 (none), 2 (gzip), "
          + "3 (brotli) and 4 (zstd)")
    }
    return compression
  }

  private static func checkVersion(_ start: [UInt8]) throws(PackFault) {
    guard start.count >= 8, start.starts(with: Array("PM".utf8)) else {
      throw PackFault("does not begin like a PMTiles archive")
    }
    let version: Int
    if start.starts(with: Array("PMTiles".utf8)) {
      version = Int(start[7])
    } else {
      // Versions 1 and 2 had a two-byte number after "PM".
      version = Int(start[2]) | Int(start[3]) << 8
      guard version == 1 || version == 2 else {
        throw PackFault("does not begin like a PMTiles archive")
      }
    }
    guard version == 3 else {
      throw PackFault(
        version < 3
          ? "is a PMTiles archive of version \(version): convert it to version 3 with 'pmtiles convert'"
          : "is a PMTiles archive of version \(version): this version of Waypost reads version 3")
    }
  }
}
