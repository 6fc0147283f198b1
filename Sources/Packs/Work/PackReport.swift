import MapGeometry
import TileFormats
import TileSources

/// What a pack is, and, once it was verified, what is wrong with it.
package struct PackReport: Sendable {
  package var file: String
  package var kind: PackKind
  package var description: PackDescription
  /// Bytes of the file; of all files of a folder where they were read.
  package var bytes: UInt64?
  /// What the tiles are, unpacked: "png", "mvt".
  package var format: String?
  /// How they are compressed: "none", "gzip", "brotli", "zstd".
  package var compression: String?
  /// The edge in pixels; nil for vector tiles and where it is not known.
  package var tilePixels: Int?
  /// Which tiles there are.
  package var tally = TileTally()
  /// Different contents; nil if that takes reading all of them.
  package var distinct: UInt64?
  /// The kind of a vector map: its schema's name, or its layers.
  package var schema: String?
  package var layers: [String] = []

  /// Nil until the pack was verified.
  package var verification: Verification?

  /// What verifying found.
  package struct Verification: Sendable {
    /// What makes the pack bad: broken tiles, a damaged index, statements that are false.
    package var problems = ProblemList()
    /// What may be meant.
    package var warnings = ProblemList()
    /// Tiles that cannot be drawn.
    package var broken: UInt64 = 0
    /// The first of them, with the reason.
    package var brokenTiles: [(tile: TileID, reason: String)] = []
    package var holes: [CoverageHoles.Level] = []
    /// See `ContentChecksum`.
    package var checksum = ""

    package var isGood: Bool { problems.isEmpty && broken == 0 }

    package init() {}
  }

  /// How many broken tiles are named.
  static let namedTiles = 100

  init(_ reader: any PackReader) {
    file = reader.file
    kind = reader.kind
    description = reader.description
    layers = VectorLayers.names(description)
    schema = VectorSchema(layers: layers)?.rawValue
  }
}

extension PackKind {
  /// "directory", "mbtiles" or "pmtiles".
  package var name: String {
    switch self {
    case .folder: "directory"
    case .mbtiles: "mbtiles"
    case .pmtiles: "pmtiles"
    }
  }
}
