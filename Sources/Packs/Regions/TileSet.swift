import MapGeometry
import TileSources

/// A set of tiles as ranges of PMTiles' tile numbers, sorted and apart from each other: a country
/// at zoom 16 is some ten thousand ranges.
package struct TileSet: Sendable, Equatable {
  /// Why a set cannot be held.
  package struct TooLarge: Error, Equatable, CustomStringConvertible {
    /// The zoom level at which the limit was passed.
    package var zoom: Int

    package var description: String {
      "its outline at zoom \(zoom) takes more than \(TileSet.rangeLimit) ranges of tiles:"
        + " ask for a lower zoom, or for a part of it"
    }
  }

  /// The most ranges: 32 MiB.
  package static let rangeLimit = 2 << 20

  /// The ranges of all levels, in ascending order.
  package private(set) var ranges: [Range<UInt64>] = []
  /// Tiles of each level.
  private var counts = [UInt64](repeating: 0, count: TileID.maxLevel + 1)

  /// The empty set.
  package init() {}

  /// Tiles of all levels.
  package var count: UInt64 { counts.reduce(0, +) }

  package var isEmpty: Bool { ranges.isEmpty }

  /// Tiles of one level.
  package func count(zoom: Int) -> UInt64 { counts.indices.contains(zoom) ? counts[zoom] : 0 }

  /// The levels that hold tiles; nil for the empty set.
  package var zooms: ClosedRange<Int>? {
    guard let first = counts.firstIndex(where: { $0 > 0 }),
      let last = counts.lastIndex(where: { $0 > 0 })
    else { return nil }
    return first...last
  }

  package func contains(_ tile: TileID) -> Bool { contains(HilbertID.number(of: tile)) }

  /// Whether the tile of this number is in the set.
  package func contains(_ number: UInt64) -> Bool {
    let index = firstRange(endingAfter: number)
    return index < ranges.count && ranges[index].lowerBound <= number
  }

  /// The index of the first range that ends after `number`; `ranges.count` where none does.
  package func firstRange(endingAfter number: UInt64) -> Int {
    var low = 0
    var high = ranges.count
    while low < high {
      let middle = (low + high) / 2
      if ranges[middle].upperBound > number { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// Whether the set has a tile whose number is in `numbers`.
  package func overlaps(_ numbers: Range<UInt64>) -> Bool {
    let index = firstRange(endingAfter: numbers.lowerBound)
    return index < ranges.count && ranges[index].lowerBound < numbers.upperBound
  }

  /// The parts of the set within `numbers`, in order.
  package func forEachPart(of numbers: Range<UInt64>, _ body: (Range<UInt64>) -> Void) {
    var index = firstRange(endingAfter: numbers.lowerBound)
    while index < ranges.count, ranges[index].lowerBound < numbers.upperBound {
      body(ranges[index].clamped(to: numbers))
      index += 1
    }
  }

  /// At most `limit` tiles of a level, spread evenly along its Hilbert curve.
  package func spread(zoom: Int, upTo limit: Int) -> [TileID] {
    let total = count(zoom: zoom)
    guard total > 0, limit > 0 else { return [] }
    let wanted = min(total, UInt64(limit))
    var tiles: [TileID] = []
    var passed: UInt64 = 0
    var index = firstRange(endingAfter: TileSet.start(ofLevel: zoom))
    for step in 0..<wanted {
      // The middle of each of as many stretches of the same length; below 2^48 · 2^10.
      let place = (step * 2 + 1) * total / (wanted * 2)
      while index < ranges.count, passed + UInt64(ranges[index].count) <= place {
        passed += UInt64(ranges[index].count)
        index += 1
      }
      guard index < ranges.count else { break }
      if let tile = HilbertID.tile(ranges[index].lowerBound + (place - passed)) {
        tiles.append(tile)
      }
    }
    return tiles
  }

  /// The number of the first tile of a level.
  package static func start(ofLevel level: Int) -> UInt64 {
    ((UInt64(1) << UInt64(2 * level)) - 1) / 3
  }

  /// Collects the ranges of each level in the order of the Hilbert curve.
  struct Builder {
    private var levels: [[Range<UInt64>]] = Array(repeating: [], count: TileID.maxLevel + 1)
    private var rangeCount = 0

    /// Adds tiles `first` to `first + count` − 1 of `level`, which follow those added before.
    mutating func add(level: Int, first: UInt64, count: UInt64) throws(TooLarge) {
      let first = first + TileSet.start(ofLevel: level)
      if let last = levels[level].last, last.upperBound == first {
        levels[level][levels[level].count - 1] = last.lowerBound..<(first + count)
        return
      }
      guard rangeCount < TileSet.rangeLimit else { throw TooLarge(zoom: level) }
      rangeCount += 1
      levels[level].append(first..<(first + count))
    }

    /// The set; nothing is left here.
    mutating func finish() -> TileSet {
      var set = TileSet()
      set.ranges.reserveCapacity(rangeCount)
      for level in levels.indices {
        for range in levels[level] {
          set.counts[level] += UInt64(range.count)
          // The last tile of a level and the first of the next have numbers in a row; they stay
          // apart, so that a range is of one level.
          set.ranges.append(range)
        }
        levels[level] = []
      }
      return set
    }
  }
}
