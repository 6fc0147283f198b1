import TileSources

/// Which tiles of a set are marked, a bit each.
struct TileMarks {
  let tiles: TileSet
  /// How many tiles of the set are before each range.
  private let starts: [UInt64]
  private var bits: [UInt64]
  /// Tiles that are marked.
  private(set) var count: UInt64 = 0

  /// None is marked.
  init(_ tiles: TileSet) {
    self.tiles = tiles
    var starts: [UInt64] = []
    starts.reserveCapacity(tiles.ranges.count)
    var sum: UInt64 = 0
    for range in tiles.ranges {
      starts.append(sum)
      sum += UInt64(range.count)
    }
    self.starts = starts
    bits = [UInt64](repeating: 0, count: Int((sum + 63) / 64))
  }

  /// Marks the tile with `number`, if it is in the set.
  ///
  /// - Returns: whether it was not marked before.
  @discardableResult
  mutating func insert(_ number: UInt64) -> Bool {
    guard let rank = rank(number), !has(rank) else { return false }
    bits[Int(rank / 64)] |= 1 << (rank % 64)
    count += 1
    return true
  }

  func contains(_ number: UInt64) -> Bool { rank(number).map(has) ?? false }

  /// The first tile from `number` on that is in the set and not marked; nil: there is none.
  func firstUnmarked(from number: UInt64) -> UInt64? {
    var index = tiles.firstRange(endingAfter: number)
    while index < tiles.ranges.count {
      let range = tiles.ranges[index]
      var next = max(range.lowerBound, number)
      while next < range.upperBound {
        let rank = starts[index] + (next - range.lowerBound)
        let word = bits[Int(rank / 64)] >> (rank % 64)
        if word & 1 == 0 { return next }
        // All ones up to the next word: that many are marked.
        next += min(UInt64((~word).trailingZeroBitCount), 64 - rank % 64)
      }
      index += 1
    }
    return nil
  }

  private func has(_ rank: UInt64) -> Bool { bits[Int(rank / 64)] >> (rank % 64) & 1 == 1 }

  private func rank(_ number: UInt64) -> UInt64? {
    let index = tiles.firstRange(endingAfter: number)
    guard index < tiles.ranges.count, tiles.ranges[index].lowerBound <= number else { return nil }
    return starts[index] + (number - tiles.ranges[index].lowerBound)
  }
}
