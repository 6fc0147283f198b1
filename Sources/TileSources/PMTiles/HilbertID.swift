import MapGeometry

/// PMTiles' tile numbers: all levels in a row, each along its Hilbert curve (PMTiles 3, section
/// 4.1). Level z begins at (4^z − 1)/3.
package enum HilbertID {
  /// The number of `tile`.
  package static func number(of tile: TileID) -> UInt64 {
    // No overflow: z ≤ 24, so the sum stays below 4^25.
    HilbertCurve.position(x: UInt64(tile.x), y: UInt64(tile.y), level: tile.z)
      &+ start(ofLevel: tile.z)
  }

  /// The tile with `number`; nil if it is deeper than level 24.
  package static func tile(_ number: UInt64) -> TileID? {
    guard let level = level(of: number) else { return nil }
    let cell = HilbertCurve.cell(at: number &- start(ofLevel: level), level: level)
    return TileID(z: level, x: Int(cell.x), y: Int(cell.y))
  }

  /// The level of `number`; nil if it is deeper than level 24.
  package static func level(of number: UInt64) -> Int? {
    guard number < start(ofLevel: TileID.maxLevel + 1) else { return nil }
    // A level begins where 3 times the number, plus 1, is 4^z.
    return (UInt64.bitWidth &- 1 &- (3 &* number &+ 1).leadingZeroBitCount) / 2
  }

  /// The number of the first tile of `level`, 0 to 25.
  package static func start(ofLevel level: Int) -> UInt64 {
    ((UInt64(1) << UInt64(2 * level)) &- 1) / 3
  }
}
