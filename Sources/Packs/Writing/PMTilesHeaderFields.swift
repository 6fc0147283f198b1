import MapGeometry
import TileSources

/// What the header of a new archive says (PMTiles 3, section 3).
package struct PMTilesHeaderFields: Equatable, Sendable {
  package var root = Section()
  package var metadata = Section()
  package var leaves = Section()
  package var tiles = Section()
  /// Tiles that can be asked for.
  package var addressedTiles: UInt64 = 0
  /// Entries that are not leaves.
  package var tileEntries: UInt64 = 0
  /// Different contents.
  package var tileContents: UInt64 = 0
  /// Tiles lie in the order of their numbers.
  package var isClustered = true
  package var directoryCompression = PackCompression.gzip
  package var tileCompression = PackCompression.none
  /// 0 unknown, 1 MVT, 2 PNG, 3 JPEG, 4 WebP, 5 AVIF.
  package var tileType: UInt8 = 0
  package var minZoom = 0
  package var maxZoom = 0
  package var bounds = GeoBounds.world
  package var center = GeoPoint(lat: 0, lon: 0)
  package var centerZoom = 0

  /// A stretch of the file in bytes.
  package struct Section: Equatable, Sendable {
    package var offset: UInt64 = 0
    package var length: UInt64 = 0

    package init(offset: UInt64 = 0, length: UInt64 = 0) {
      self.offset = offset
      self.length = length
    }
  }

  package init() {}

  /// The 127 bytes at the start of the file.
  package func encoded() -> [UInt8] {
    var bytes = Array("PMTiles".utf8) + [3]
    func add(_ number: UInt64, _ count: UInt64 = 8) {
      for index in 0..<count { bytes.append(UInt8(truncatingIfNeeded: number >> (8 * index))) }
    }
    /// A signed count of 1e-7 degrees.
    func add(degrees: Double) {
      let limit = Double(Int32.max)
      let count = min(max((degrees * 1e7).rounded(), -limit), limit)
      add(UInt64(UInt32(bitPattern: Int32(count.isFinite ? count : 0))), 4)
    }
    for section in [root, metadata, leaves, tiles] {
      add(section.offset)
      add(section.length)
    }
    add(addressedTiles)
    add(tileEntries)
    add(tileContents)
    bytes += [
      isClustered ? 1 : 0, directoryCompression.rawValue, tileCompression.rawValue, tileType,
      UInt8(clamping: minZoom), UInt8(clamping: maxZoom),
    ]
    for degrees in bounds.array { add(degrees: degrees) }
    bytes.append(UInt8(clamping: centerZoom))
    add(degrees: center.lon)
    add(degrees: center.lat)
    return bytes
  }
}
