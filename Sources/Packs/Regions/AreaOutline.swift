import Features
import MapGeometry

/// The rings of one area, even-odd, as edges between places in steps of `FeaturePoint`.
struct AreaOutline {
  /// One edge.
  struct Edge {
    var a: FeaturePoint
    var b: FeaturePoint

    func touches(_ square: MapSquare) -> Bool {
      SegmentBox.touches(
        a.unitX, a.unitY, b.unitX, b.unitY, west: square.west, north: square.north,
        east: square.east, south: square.south)
    }

    /// Whether the way from `p` to `q` crosses the edge. They have one coordinate in common.
    fileprivate func isCrossed(from p: Probe, to q: Probe) -> Bool {
      let isOnTheWay =
        p.y == q.y
        ? (Int64(a.y) * 2 < p.y) != (Int64(b.y) * 2 < p.y)
        : (Int64(a.x) * 2 < p.x) != (Int64(b.x) * 2 < p.x)
      return isOnTheWay && isLeft(p) != isLeft(q)
    }

    /// On which side of the edge's line `probe` lies, exactly.
    private func isLeft(_ probe: Probe) -> Bool {
      let dx = Int64(b.x) * 2 - Int64(a.x) * 2
      let dy = Int64(b.y) * 2 - Int64(a.y) * 2
      // Differences of 35 bits: their products do not fit into 64.
      let left = dx.multipliedFullWidth(by: probe.y - Int64(a.y) * 2)
      let right = dy.multipliedFullWidth(by: probe.x - Int64(a.x) * 2)
      return left.high != right.high ? left.high > right.high : left.low >= right.low
    }
  }

  /// A place between the steps of `FeaturePoint`, in half steps: no corner has its column or row,
  /// so that counting crossings needs no rule for corners.
  struct Probe {
    let x: Int64
    let y: Int64

    /// North-west of all places.
    static let outside = Probe(x: -1, y: -1)

    private init(x: Int64, y: Int64) {
      self.x = x
      self.y = y
    }

    /// Near the middle of a square, and within it: one of level 24 is 256 steps wide.
    init(middleOf square: MapSquare) {
      x = Int64((square.west + square.east) / 2 * FeaturePoint.steps) * 2 + 1
      y = Int64((square.north + square.south) / 2 * FeaturePoint.steps) * 2 + 1
    }
  }

  /// The edges of all rings.
  let edges: [Edge]
  /// The places of rings so small that they may lie between two squares.
  let points: [RegionPoint]
  /// The box around each ring, in steps: what crosses the dateline is several.
  let boxes: [FeatureBox]

  /// The rings of `feature`; nil if it has none.
  init?(_ feature: Feature, of set: FeatureSet) {
    var edges: [Edge] = []
    var points: [RegionPoint] = []
    var boxes: [FeatureBox] = []
    for part in feature.partRange where set.parts[part].kind == .ring {
      let range = set.pointRange(part)
      guard let last = range.last else { continue }
      var before = set.points[last]
      var box = FeatureBox.empty
      for index in range {
        let point = set.points[index]
        box.include(point)
        edges.append(Edge(a: before, b: point))
        before = point
      }
      boxes.append(box)
      if box.maxX - box.minX < 8, box.maxY - box.minY < 8 {
        points.append(RegionPoint(x: before.unitX, y: before.unitY))
      }
    }
    guard !edges.isEmpty else { return nil }
    self.edges = edges
    self.points = points
    self.boxes = boxes
  }

  /// Whether the way from `start` first along its row, then along the column of `end`, leads from
  /// the inside to the outside or back, `edges` being all that it can cross.
  static func crosses(
    from start: Probe, to end: Probe, _ edges: some Sequence<Edge>
  ) -> Bool {
    let corner = Probe.corner(start, end)
    var isOdd = false
    for edge in edges {
      if edge.isCrossed(from: start, to: corner) { isOdd.toggle() }
      if edge.isCrossed(from: corner, to: end) { isOdd.toggle() }
    }
    return isOdd
  }
}

extension AreaOutline.Probe {
  fileprivate static func corner(
    _ start: AreaOutline.Probe, _ end: AreaOutline.Probe
  ) -> AreaOutline.Probe {
    AreaOutline.Probe(x: end.x, y: start.y)
  }
}
