import MapGeometry

/// Finds the tiles of a region by descending from the whole map to ever smaller squares: a square
/// that the region covers, or does not touch, is never looked into.
struct TileSelector {
  /// An area whose outline crosses a square, with the edges that do.
  private struct Crossed {
    var area: Int
    /// Whether the square's probe lies within the area.
    var isInside: Bool
    var edges: Range<Int>
  }

  private let region: Region
  private let zooms: ClosedRange<Int>
  private var set = TileSet.Builder()
  /// The shapes that touch the squares from the whole map down to the present one, by their number.
  private var shapes: [Int32]
  /// Likewise the areas, and their edges.
  private var areas: [Crossed]
  private var edges: [AreaOutline.Edge]

  private init(_ region: Region, _ zooms: ClosedRange<Int>) {
    self.region = region
    self.zooms = zooms
    shapes = region.shapes.indices.map { Int32(truncatingIfNeeded: $0) }
    areas = []
    edges = []
    for (index, area) in region.areas.enumerated() {
      let start = edges.count
      edges += area.edges
      areas.append(Crossed(area: index, isInside: false, edges: start..<edges.count))
    }
  }

  /// The tiles of `zooms` that `region` touches.
  static func tiles(
    of region: Region, zooms: ClosedRange<Int>
  ) throws(TileSet.TooLarge) -> TileSet {
    var selector = TileSelector(region, zooms)
    try selector.visit(
      level: 0, position: 0, parent: .outside, shapes: selector.shapes.indices,
      areas: selector.areas.indices)
    return selector.set.finish()
  }

  /// Looks at one square.
  ///
  /// - Parameters:
  ///   - level: its level.
  ///   - position: where it is on the level's Hilbert curve.
  ///   - parent: the probe of the square around it.
  ///   - parentShapes: which of `shapes` touch that one.
  ///   - parentAreas: which of `areas` do.
  /// - Throws: `TileSet.TooLarge` where the set takes too many ranges.
  private mutating func visit(
    level: Int, position: UInt64, parent: AreaOutline.Probe, shapes parentShapes: Range<Int>,
    areas parentAreas: Range<Int>
  ) throws(TileSet.TooLarge) {
    let (x, y) = HilbertCurve.cell(at: position, level: level)
    let square = MapSquare(level: level, x: x, y: y)
    let probe = AreaOutline.Probe(middleOf: square)
    let marks = (shapes.count, areas.count, edges.count)
    defer {
      shapes.removeSubrange(marks.0...)
      areas.removeSubrange(marks.1...)
      edges.removeSubrange(marks.2...)
    }

    for index in parentShapes {
      let shape = shapes[index]
      switch region.shapes[Int(shape)].relation(to: square, level: level, x: x, y: y) {
      case .apart: break
      case .touching: shapes.append(shape)
      case .covering: return try addAll(level: level, position: position)
      }
    }
    for index in parentAreas {
      let around = areas[index]
      let turns = AreaOutline.crosses(from: parent, to: probe, edges[around.edges])
      let isInside = around.isInside != turns
      let start = edges.count
      for edge in around.edges where edges[edge].touches(square) { edges.append(edges[edge]) }
      if edges.count > start {
        areas.append(
          Crossed(area: around.area, isInside: isInside, edges: start..<edges.count))
      } else if isInside {
        return try addAll(level: level, position: position)
      }
    }

    // If all shapes of the parent touch, as around a small region, share its list.
    var ownShapes = marks.0..<shapes.count
    if ownShapes.count == parentShapes.count {
      shapes.removeSubrange(marks.0...)
      ownShapes = parentShapes
    }
    let ownAreas = marks.1..<areas.count
    if ownAreas.count == 1, parentAreas.count == 1,
      areas[ownAreas.lowerBound].edges.count == areas[parentAreas.lowerBound].edges.count
    {
      areas[ownAreas.lowerBound].edges = areas[parentAreas.lowerBound].edges
      edges.removeSubrange(marks.2...)
    }
    guard !ownShapes.isEmpty || !ownAreas.isEmpty else { return }

    if zooms.contains(level) { try set.add(level: level, first: position, count: 1) }
    guard level < zooms.upperBound else { return }
    for quarter in 0..<UInt64(4) {
      try visit(
        level: level + 1, position: position * 4 + quarter, parent: probe, shapes: ownShapes,
        areas: ownAreas)
    }
  }

  /// Adds the square and all below it.
  private mutating func addAll(level: Int, position: UInt64) throws(TileSet.TooLarge) {
    for below in max(level, zooms.lowerBound)...max(level, zooms.upperBound)
    where zooms.contains(below) {
      let shift = UInt64(2 * (below - level))
      try set.add(level: below, first: position << shift, count: 1 << shift)
    }
  }
}
