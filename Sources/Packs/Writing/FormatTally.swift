import TileFormats
import TileSources

/// What the tiles of a pack are, counted by their bytes.
package struct FormatTally: Equatable, Sendable {
  private var counts = [Int](repeating: 0, count: TileFormat.allCases.count)
  /// The format of the first tile that is one.
  package private(set) var first: TileFormat?

  package init() {}

  /// Counts a tile whose stored bytes look like `format`.
  package mutating func add(_ format: TileFormat) {
    if first == nil, format.isMapTile || format == .gzip { first = format }
    if let index = TileFormat.allCases.firstIndex(of: format) { counts[index] += 1 }
  }

  /// Formats that occur, the most frequent first.
  package var formats: [(format: TileFormat, count: Int)] {
    zip(TileFormat.allCases, counts).filter { $0.1 > 0 }.map { ($0.0, $0.1) }
      .sorted { $0.count > $1.count }
  }

  /// The format of most tiles, gzip data counting as vector tiles.
  package var most: TileFormat? {
    formats.first { $0.format.isMapTile || $0.format == .gzip }
      .map { $0.format == .gzip ? .mvt : $0.format }
  }

  /// How the tiles are compressed, as PMTiles states it.
  package var compression: PackCompression {
    formats.contains { $0.format == .gzip } ? .gzip : .none
  }
}

extension TileFormat {
  /// PMTiles' number of the format (PMTiles 3, section 3.3); 0: other.
  package var pmtilesType: UInt8 {
    switch self {
    case .mvt, .gzip, .zstd: 1
    case .png: 2
    case .jpeg: 3
    case .webp: 4
    case .avif: 5
    default: 0
    }
  }

  /// What MBTiles' metadata call the format (MBTiles 1.3, "format"); also the ending of files.
  package var mbtilesName: String? {
    switch self {
    case .mvt, .gzip, .zstd: "pbf"
    case .jpeg: "jpg"
    case .png, .webp, .avif, .gif: rawValue
    case .tiff: "tif"
    default: nil
    }
  }
}
