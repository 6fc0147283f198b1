import MapGeometry

/// Names a decoded tile in the cache: a source's slot and a tile.
public struct TileKey: Hashable, Sendable {
  /// Bits 53...63 the source's slot, 0…52 the tile (`TileID.packed`).
  public let raw: UInt64

  /// How many sources can be told apart.
  public static let maxSources = 2047

  /// The key of a tile.
  ///
  /// - Parameters:
  ///   - source: 0 ..< `maxSources`.
  ///   - tile: the tile's address.
  @inlinable
  public init(source: Int, tile: TileID) {
    raw = UInt64(truncatingIfNeeded: source & 2047) << 53 | tile.packed
  }

  /// The cell that stands where a source has nothing: one a source.
  public init(quietCellOf source: Int) {
    // Level 31 is beyond every tile's.
    raw = UInt64(truncatingIfNeeded: source & 2047) << 53 | 31 << 48
  }

  /// A cell of the grid with all that lies over it mixed in.
  public init(flat cell: TileID) { self.init(source: TileKey.maxSources, tile: cell) }

  /// The source's slot.
  public var source: Int { Int(raw >> 53) }

  /// The tile, nil for a quiet cell.
  public var tile: TileID? {
    TileID(
      z: Int(raw >> 48 & 31), x: Int(raw & 0xFF_FFFF), y: Int(raw >> 24 & 0xFF_FFFF))
  }
}
