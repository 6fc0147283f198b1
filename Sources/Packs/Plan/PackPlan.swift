import MapGeometry

/// How many tiles a region has, and about how many bytes they take.
package struct PackPlan: Sendable, Equatable {
  /// One level.
  package struct Level: Sendable, Equatable {
    package var zoom: Int
    package var tiles: UInt64
    /// At most `Int64.max`.
    package var bytes: UInt64
  }

  /// The levels that were asked for.
  package private(set) var levels: [Level] = []
  /// Where the bytes come from.
  package private(set) var sizes: TileSizes

  /// Plans for `tiles` at the size that `sizes` tells.
  package init(_ tiles: TileSet, zooms: ClosedRange<Int>, sizes: TileSizes) {
    self.sizes = sizes
    for zoom in zooms {
      let count = tiles.count(zoom: zoom)
      let bytes = (Double(count) * sizes.mean(zoom: zoom)).rounded()
      levels.append(Level(zoom: zoom, tiles: count, bytes: Self.whole(bytes)))
    }
  }

  /// Tiles of all levels.
  package var tiles: UInt64 { levels.reduce(0) { $0 + $1.tiles } }
  /// Bytes of all levels, at most `Int64.max`.
  package var bytes: UInt64 {
    levels.reduce(0) { min($0 + $1.bytes, Self.most) }
  }

  /// The most bytes that are told, as JSON and as text: 8 EiB. Two of it fit a UInt64.
  private static let most = UInt64(Int64.max)

  private static func whole(_ bytes: Double) -> UInt64 {
    // The nearest Double to `most` is beyond it.
    bytes < Double(most) ? UInt64(bytes) : most
  }
}
