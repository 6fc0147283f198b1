import MapGeometry

/// Identifies a decoded tile in the cache: a source's number and a tile address.
public struct TileKey: Hashable, Sendable {
  /// Bits 53...63 hold the source's number, bits 0...52 the tile (`TileID.packed`).
  public let raw: UInt64

  /// The number of sources that can be told apart.
  public static let maxSources = 2047

  /// The key of a tile.
  ///
  /// - Parameters:
  ///   - source: The source's number, 0 ..< `maxSources`.
  ///   - tile: The tile's address.
  @inlinable
  public init(source: Int, tile: TileID) {
    raw = UInt64(truncatingIfNeeded: source & 2047) << 53 | tile.packed
  }

  /// The key of a source's quiet cell, which is shown where the source has nothing.
  public init(quietCellOf source: Int) {
    // Level 31 is deeper than any tile.
    raw = UInt64(truncatingIfNeeded: source & 2047) << 53 | 31 << 48
  }

  /// The key of a flattened cell of the grid: the base with everything over it mixed in.
  public init(flat cell: TileID) { self.init(source: TileKey.maxSources, tile: cell) }

  /// The source's number.
  public var source: Int { Int(raw >> 53) }

  /// The tile's address; nil for a quiet cell.
  public var tile: TileID? {
    TileID(
      z: Int(raw >> 48 & 31), x: Int(raw & 0xFF_FFFF), y: Int(raw >> 24 & 0xFF_FFFF))
  }
}
