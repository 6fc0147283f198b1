/// The Hilbert curve through a square of 2^level cells a side. Consecutive cells on it are
/// neighbours, and most cells that are close together are close on it (Hilbert, 1891).
///
/// It begins in the north-west and ends in the north-east, as PMTiles numbers a level's tiles.
package enum HilbertCurve {
  /// The position of a cell on the curve.
  ///
  /// - Parameters:
  ///   - x: the column from the west, 0 to 2^level − 1.
  ///   - y: the row from the north, 0 to 2^level − 1.
  ///   - level: 0 to 31.
  /// - Returns: its position, 0 to 4^level − 1.
  @inlinable
  package static func position(x: UInt64, y: UInt64, level: Int) -> UInt64 {
    var position: UInt64 = 0
    // The orientation of the curve in the square reached so far: with columns and rows swapped, and
    // seen from the opposite corner. Computed with bits instead of branches, which could not be
    // predicted.
    var swapped: UInt64 = 0
    var opposite: UInt64 = 0
    var bit = UInt64(truncatingIfNeeded: level)
    while bit > 0 {
      bit &-= 1
      let column = (x &>> bit) & 1
      let row = (y &>> bit) & 1
      let difference = (column ^ row) & swapped
      let right = column ^ difference ^ opposite
      let down = row ^ difference ^ opposite
      // Up and left 0, down and left 1, down and right 2, up and right 3.
      position = (position &<< 2) | ((right &* 3) ^ down)
      opposite ^= right & ~down
      swapped ^= 1 ^ down
    }
    return position
  }

  /// The cell at a position on the curve: the inverse of `position(x:y:level:)`.
  ///
  /// The loop is Warren's ("Hacker's Delight", section 16-2).
  ///
  /// - Parameters:
  ///   - position: 0 to 4^level − 1.
  ///   - level: 0 to 31.
  /// - Returns: its column from the west and its row from the north.
  package static func cell(at position: UInt64, level: Int) -> (x: UInt64, y: UInt64) {
    var rest = position
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
    return (x, y)
  }
}
