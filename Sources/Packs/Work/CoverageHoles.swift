import MapGeometry
import TileSources

/// Counts, level by level, the tiles that an area should have and those that it has.
package struct CoverageHoles: Equatable, Sendable {
  /// One level.
  package struct Level: Equatable, Sendable {
    package var zoom: Int
    /// Tiles that the area touches.
    package var expected: UInt64 = 0
    /// Of these, tiles that are there.
    package var present: UInt64 = 0
    /// Tiles that are there and lie outside of the area.
    package var outside: UInt64 = 0
    /// The first tiles that are missing.
    package var examples: [TileID] = []

    /// Tiles of the area that are not there.
    package var missing: UInt64 { expected - min(present, expected) }
  }

  /// The levels that were asked for, ascending.
  package private(set) var levels: [Level]

  /// Columns and rows of one level.
  private struct Box {
    var x, y: ClosedRange<Int>

    var tiles: UInt64 { UInt64(x.count) * UInt64(y.count) }

    func overlap(_ square: HilbertSquares.Square) -> UInt64 {
      let left = max(x.lowerBound, square.x)
      let right = min(x.upperBound, square.x + square.side - 1)
      let top = max(y.lowerBound, square.y)
      let bottom = min(y.upperBound, square.y + square.side - 1)
      guard left <= right, top <= bottom else { return 0 }
      return UInt64(right - left + 1) * UInt64(bottom - top + 1)
    }

    /// Tiles of the square that lie in the box, from its north-west on.
    func tiles(in square: HilbertSquares.Square, upTo limit: Int) -> [TileID] {
      guard overlap(square) > 0 else { return [] }
      var found: [TileID] = []
      for row in max(y.lowerBound, square.y)...min(y.upperBound, square.y + square.side - 1) {
        for column in max(x.lowerBound, square.x)...min(x.upperBound, square.x + square.side - 1) {
          if found.count == limit { return found }
          if let tile = TileID(z: square.z, x: column, y: row) { found.append(tile) }
        }
      }
      return found
    }
  }

  private var boxes: [[Box]]
  private let first: Int
  private var next: UInt64 = 0
  private static let examples = 5

  /// - Parameters:
  ///   - bounds: the area; across the dateline where west > east.
  ///   - zooms: the levels.
  package init(bounds: GeoBounds, zooms: ClosedRange<Int>) {
    let range = max(0, zooms.lowerBound)...min(TileID.maxLevel, max(0, zooms.upperBound))
    first = range.lowerBound
    boxes = range.map { CoverageHoles.boxes(bounds, level: $0) }
    levels = zip(range, boxes).map { zoom, boxes in
      Level(zoom: zoom, expected: boxes.reduce(0) { $0 + $1.tiles })
    }
    next = HilbertID.start(ofLevel: range.lowerBound)
  }

  package static func == (one: CoverageHoles, other: CoverageHoles) -> Bool {
    one.levels == other.levels
  }

  /// Adds the tiles `first ..< first + count`, above those added before.
  package mutating func add(first: UInt64, count: UInt64) {
    if first > next { gap(next, first - next) }
    HilbertSquares.each(first: first, count: count) { square in
      guard let index = index(square.z) else { return }
      let inside = boxes[index].reduce(0) { $0 + $1.overlap(square) }
      levels[index].present += inside
      levels[index].outside += UInt64(square.side) * UInt64(square.side) - inside
    }
    next = max(next, first &+ count)
  }

  /// No tiles follow.
  package mutating func finish() {
    let end = HilbertID.start(ofLevel: first + levels.count)
    if next < end { gap(next, end - next) }
    next = max(next, end)
  }

  private func index(_ zoom: Int) -> Int? {
    zoom >= first && zoom < first + levels.count ? zoom - first : nil
  }

  /// Takes examples from tiles that are not there.
  private mutating func gap(_ start: UInt64, _ count: UInt64) {
    HilbertSquares.each(first: start, count: count) { square in
      guard let index = index(square.z) else { return }
      let room = CoverageHoles.examples - levels[index].examples.count
      guard room > 0 else { return }
      for box in boxes[index] {
        levels[index].examples += box.tiles(in: square, upTo: room).prefix(
          CoverageHoles.examples - levels[index].examples.count)
      }
    }
  }

  /// The tiles of a level that the area touches. An edge that lies on a tile's own does not touch
  /// the next one.
  private static func boxes(_ bounds: GeoBounds, level: Int) -> [Box] {
    if bounds.west > bounds.east {
      let western = GeoBounds(
        west: -180, south: bounds.south, east: bounds.east, north: bounds.north)
      let eastern = GeoBounds(
        west: bounds.west, south: bounds.south, east: 180, north: bounds.north)
      let halves = boxes(western, level: level) + boxes(eastern, level: level)
      // Where tiles are large, one may belong to both.
      guard halves[0].x.upperBound >= halves[1].x.lowerBound else { return halves }
      return [Box(x: 0...((1 << level) - 1), y: halves[0].y)]
    }
    let count = Double(1 << level)
    let top = WebMercator.project(GeoPoint(lat: bounds.north, lon: bounds.west))
    let bottom = WebMercator.project(GeoPoint(lat: bounds.south, lon: bounds.west))
    // A millionth of a tile is rounding.
    func range(_ from: Double, _ to: Double) -> ClosedRange<Int> {
      let most = (1 << level) - 1
      let low = min(max(Int((from * count + 1e-6).rounded(.down)), 0), most)
      let high = min(max(Int((to * count - 1e-6).rounded(.up)) - 1, low), most)
      return low...high
    }
    return [
      Box(
        x: range((bounds.west + 180) / 360, (bounds.east + 180) / 360), y: range(top.y, bottom.y))
    ]
  }
}
