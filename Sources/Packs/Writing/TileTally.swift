import MapGeometry
import TileFormats
import TileSources

/// Which tiles there are, level by level, as far as a header states it.
package struct TileTally: Equatable, Sendable {
  /// The columns and rows of a level that hold tiles, and how many tiles those are.
  package struct Level: Equatable, Sendable {
    package var columns: ClosedRange<Int>
    package var rows: ClosedRange<Int>
    package var tiles: UInt64
  }

  /// By level, 0 to 24; nil if a level has no tiles.
  package private(set) var levels = [Level?](repeating: nil, count: TileID.maxLevel + 1)
  /// Tiles on all levels.
  package private(set) var addressed: UInt64 = 0

  package init() {}

  /// Adds the tiles `first ..< first + count` by their numbers.
  package mutating func add(first: UInt64, count: UInt64) {
    addressed &+= count
    HilbertSquares.each(first: first, count: count) { square in
      let columns = square.x...(square.x + square.side - 1)
      let rows = square.y...(square.y + square.side - 1)
      let tiles = UInt64(square.side) * UInt64(square.side)
      guard let known = levels[square.z] else {
        levels[square.z] = Level(columns: columns, rows: rows, tiles: tiles)
        return
      }
      levels[square.z] = Level(
        columns: min(
          known.columns.lowerBound, columns.lowerBound)...max(
            known.columns.upperBound, columns.upperBound),
        rows: min(
          known.rows.lowerBound, rows.lowerBound)...max(
            known.rows.upperBound, rows.upperBound), tiles: known.tiles &+ tiles)
    }
  }

  /// The first and the last level that hold tiles; nil without any.
  package var zooms: ClosedRange<Int>? {
    guard let first = levels.firstIndex(where: { $0 != nil }),
      let last = levels.lastIndex(where: { $0 != nil })
    else { return nil }
    return first...last
  }

  /// The area that the tiles cover: the deepest level's box, enlarged by what the other levels
  /// cover for certain.
  ///
  /// A tile at a level's edge only shows that something lies in it: one level above a valley, it
  /// covers a country. So for all but the deepest level the tiles at the edges do not count, unless
  /// the level reaches around the world.
  package var bounds: GeoBounds? {
    guard let deepest = zooms?.upperBound else { return nil }
    var box: GeoBounds?
    for (z, level) in levels.enumerated() {
      guard let level else { continue }
      let margins = [level.columns, level.rows].map {
        z == deepest || $0.count == 1 << z ? 0 : 1
      }
      let columns = (
        level.columns.lowerBound + margins[0], level.columns.upperBound - margins[0]
      )
      let rows = (level.rows.lowerBound + margins[1], level.rows.upperBound - margins[1])
      guard columns.0 <= columns.1, rows.0 <= rows.1,
        let northWest = TileID(z: z, x: columns.0, y: rows.0),
        let southEast = TileID(z: z, x: columns.1, y: rows.1),
        // Level 0 covers the world whatever is in it.
        z > 0 || deepest == 0
      else { continue }
      let (top, bottom) = (GeoBounds(northWest), GeoBounds(southEast))
      let one = GeoBounds(
        west: top.west, south: bottom.south, east: bottom.east, north: top.north)
      box =
        box.map {
          GeoBounds(
            west: min($0.west, one.west), south: min($0.south, one.south),
            east: max($0.east, one.east), north: max($0.north, one.north))
        } ?? one
    }
    return box
  }

  /// What a header is to state: the bounds that the pack stated where they can be true, else those
  /// of the tiles.
  package func bounds(stated: GeoBounds?) -> GeoBounds {
    let own = bounds ?? .world
    guard let stated else { return own }
    // Bounds that the deepest tiles lie outside of are wrong.
    let isApart =
      stated.north <= own.south || stated.south >= own.north
      || (stated.west <= stated.east && (stated.east <= own.west || stated.west >= own.east))
    return isApart ? own : stated
  }
}

/// Aligned squares of tiles that a stretch of the Hilbert curve is made of.
package enum HilbertSquares {
  /// `side` by `side` tiles from column `x` and row `y` on.
  package struct Square: Equatable, Sendable {
    package var z, x, y, side: Int
    /// The number of the first tile.
    package var first: UInt64
  }

  /// Calls `body` with the squares of the tiles `first ..< first + count`, in order; numbers below
  /// level 24 are left out. A stretch has at most some 150 of them a level.
  package static func each(first: UInt64, count: UInt64, _ body: (Square) -> Void) {
    let (sum, overflow) = first.addingReportingOverflow(count)
    let end = overflow ? UInt64.max : sum
    var next = first
    while next < end, let level = HilbertID.level(of: next) {
      let start = HilbertID.start(ofLevel: level)
      let stop = min(end, HilbertID.start(ofLevel: level + 1))
      var position = next - start
      while position < stop - start {
        // As large as its place on the curve and the rest allow.
        var side = 1
        var size: UInt64 = 1
        while position & (size * 4 - 1) == 0, position + size * 4 <= stop - start,
          side < 1 << level
        {
          size *= 4
          side *= 2
        }
        let cell = HilbertCurve.cell(at: position, level: level)
        body(
          Square(
            z: level, x: Int(cell.x) & ~(side - 1), y: Int(cell.y) & ~(side - 1), side: side,
            first: start + position))
        position += size
      }
      next = stop
    }
  }
}
