import MapGeometry

/// PMTiles' numbering of tiles: all levels in a row, each along its Hilbert curve (PMTiles 3,
/// section 4.1). Level z begins at (4^z − 1)/3.
package enum HilbertID {
  /// The number of `tile`.
  package static func number(of tile: TileID) -> UInt64 {
    let x = UInt64(tile.x)
    let y = UInt64(tile.y)
    // z ≤ 24: every sum stays below 4^25.
    var number: UInt64 = 0
    // How the curve lies in the square reached so far: with columns and rows swapped, and seen from
    // the opposite corner. Bits and no branches: which quarter comes next cannot be foreseen.
    var swapped: UInt64 = 0
    var opposite: UInt64 = 0
    var bit = UInt64(tile.z)
    while bit > 0 {
      bit &-= 1
      let column = (x &>> bit) & 1
      let row = (y &>> bit) & 1
      let difference = (column ^ row) & swapped
      let right = column ^ difference ^ opposite
      let down = row ^ difference ^ opposite
      // Up and left 0, down and left 1, down and right 2, up and right 3.
      number = (number &<< 2) | ((right &* 3) ^ down)
      opposite ^= right & ~down
      swapped ^= 1 ^ down
    }
    return number &+ start(ofLevel: tile.z)
  }

  /// The tile of `number`, or nil where that lies below level 24.
  package static func tile(_ number: UInt64) -> TileID? {
    guard let level = level(of: number) else { return nil }
    var rest = number &- start(ofLevel: level)
    var x: UInt64 = 0
    var y: UInt64 = 0
    var side: UInt64 = 1
    while side < UInt64(1) << UInt64(level) {
      let quarter = rest & 3
      let right = quarter >= 2
      let down = quarter == 1 || quarter == 2
      if !down {
        if right {
          x = side &- 1 &- x
          y = side &- 1 &- y
        }
        swap(&x, &y)
      }
      if right { x |= side }
      if down { y |= side }
      rest >>= 2
      side <<= 1
    }
    return TileID(z: level, x: Int(x), y: Int(y))
  }

  /// The level that `number` lies on, or nil below level 24.
  package static func level(of number: UInt64) -> Int? {
    (0...TileID.maxLevel).first { number < start(ofLevel: $0 + 1) }
  }

  private static func start(ofLevel level: Int) -> UInt64 {
    ((UInt64(1) << UInt64(2 * level)) &- 1) / 3
  }
}
