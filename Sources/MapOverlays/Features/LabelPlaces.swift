import Features
import MapGeometry

/// The label positions of features: on the line, or inside the area.
struct LabelPlaces: Sendable {
  /// One per feature; empty if none has a label.
  let places: [FeaturePoint]
  /// The width of the area or the length of the line, in widths of the world.
  let extents: [Float]
  /// Other places, by the feature's index. None are kept for files of many features.
  let others: [Int32: [FeaturePoint]]

  /// Files of more features than this have no other places.
  private static let mostWithOthers = 4096

  /// What was found for a feature.
  private struct Found {
    var place: FeaturePoint
    /// The width of the area or the length of the line, in steps.
    var extent: Double
    var others: [FeaturePoint] = []

    init(_ place: FeaturePoint, _ extent: Double) { (self.place, self.extent) = (place, extent) }
  }

  var bytes: Int {
    places.capacity * MemoryLayout<FeaturePoint>.stride
      + extents.capacity * MemoryLayout<Float>.stride + others.count * 96
  }

  init(_ set: FeatureSet) {
    guard set.features.contains(where: { set.label(of: $0) != nil }) else {
      places = []
      extents = []
      others = [:]
      return
    }
    var others: [Int32: [FeaturePoint]] = [:]
    var places: [FeaturePoint] = []
    var extents: [Float] = []
    places.reserveCapacity(set.features.count)
    extents.reserveCapacity(set.features.count)
    for (index, feature) in set.features.enumerated() {
      let found = LabelPlaces.place(of: feature, set)
      places.append(found.place)
      extents.append(Float(found.extent / FeaturePoint.steps))
      if feature.hasLabel, !found.others.isEmpty, set.features.count <= LabelPlaces.mostWithOthers {
        others[Int32(truncatingIfNeeded: index)] = found.others
      }
    }
    self.places = places
    self.extents = extents
    self.others = others
  }

  private static func place(of feature: Feature, _ set: FeatureSet) -> Found {
    let kinds = feature.partRange.map { set.parts[$0].kind }
    if kinds.contains(.ring) { return inside(feature, set) }
    if kinds.contains(.line) { return middle(feature, set) }
    let part = feature.partRange.lowerBound
    let radius = kinds.first == .circle ? Double(set.circleRadius(part)) : 0
    return Found(set.points[set.pointRange(part).lowerBound], 2 * radius)
  }

  /// The middle of the longest line; the others are at a quarter and three quarters of it.
  private static func middle(_ feature: Feature, _ set: FeatureSet) -> Found {
    var best: (length: Double, part: Int) = (-1, feature.partRange.lowerBound)
    func length(_ a: FeaturePoint, _ b: FeaturePoint) -> Double {
      let (dx, dy) = (Double(b.x) - Double(a.x), Double(b.y) - Double(a.y))
      return (dx * dx + dy * dy).squareRoot()
    }
    for part in feature.partRange where set.parts[part].kind == .line {
      let points = set.points[set.pointRange(part)]
      let sum = zip(points, points.dropFirst()).reduce(0) { $0 + length($1.0, $1.1) }
      if sum > best.length { best = (sum, part) }
    }
    let points = set.points[set.pointRange(best.part)]
    func at(_ share: Double) -> FeaturePoint? {
      var rest = best.length * share
      for (a, b) in zip(points, points.dropFirst()) {
        let step = length(a, b)
        if step >= rest, step > 0 {
          let part = rest / step
          return FeaturePoint(
            unitX: a.unitX + (b.unitX - a.unitX) * part,
            unitY: a.unitY + (b.unitY - a.unitY) * part)
        }
        rest -= step
      }
      return nil
    }
    var found = Found(
      at(0.5) ?? points.first ?? FeaturePoint(x: 0, y: 0), max(0, best.length))
    if best.length > 0, feature.hasLabel { found.others = [at(0.25), at(0.75)].compactMap { $0 } }
    return found
  }

  /// Approximates the pole of inaccessibility of an area. 11 rows are laid across it, and each
  /// stretch of a row inside the area proposes its middle. The one farthest from the outline wins
  /// and is then moved to where that distance is greater still. Rows near the middle are preferred.
  /// The other positions are the next best ones, well apart.
  private static func inside(_ feature: Feature, _ set: FeatureSet) -> Found {
    // The rows divide the largest ring, so that islands do not move a country's name.
    var box = FeatureBox.empty
    var largest = 0.0
    for part in feature.partRange where set.parts[part].kind == .ring {
      var own = FeatureBox.empty
      for point in set.points[set.pointRange(part)] { own.include(point) }
      let size = Double(own.maxX &- own.minX) * Double(own.maxY &- own.minY)
      if size >= largest { (largest, box) = (size, own) }
    }
    let height = Double(box.maxY &- box.minY)
    func weight(_ y: Double) -> Double {
      height > 0 ? 1 - abs((y - Double(box.minY)) / height - 0.5) : 1
    }
    var stretches = self.stretches(feature, set, box)
    stretches.sort { $0.width * weight($0.y) > $1.width * weight($1.y) }
    var candidates: [(score: Double, x: Double, y: Double)] = stretches.prefix(mostCandidates).map {
      (clearance(feature, set, $0.x, $0.y) * weight($0.y), $0.x, $0.y)
    }
    candidates.sort { $0.score > $1.score }
    guard var best = candidates.first else {
      return Found(FeaturePoint(x: box.minX, y: box.minY), Double(box.maxX &- box.minX))
    }
    // A disc of the clearance lies inside, so the place stays inside.
    var step = best.score / max(weight(best.y), 0.5) / 2
    for _ in 0..<3 {
      for (dx, dy) in [(step, 0), (-step, 0), (0, step), (0, -step)] as [(Double, Double)] {
        let (x, y) = (best.x + dx, best.y + dy)
        let score = clearance(feature, set, x, y) * weight(y)
        if score > best.score * 1.01 { best = (score, x, y) }
      }
      step /= 2
    }
    var found = Found(point(best.x, best.y), Double(box.maxX &- box.minX))
    for candidate in candidates.dropFirst() where found.others.count < mostOthers {
      let isApart = ([(best.x, best.y)] + found.others.map { (Double($0.x), Double($0.y)) })
        .allSatisfy { abs($0.0 - candidate.x) + abs($0.1 - candidate.y) > height / 6 }
      if isApart, candidate.score > best.score / 4 {
        found.others.append(point(candidate.x, candidate.y))
      }
    }
    return found
  }

  /// The most stretches to compare.
  private static let mostCandidates = 12
  /// The most other positions to keep.
  private static let mostOthers = 2

  private static func point(_ x: Double, _ y: Double) -> FeaturePoint {
    FeaturePoint(unitX: x / FeaturePoint.steps, unitY: y / FeaturePoint.steps)
  }

  /// The stretches inside the area on 11 rows of `box`, by their middles.
  private static func stretches(_ feature: Feature, _ set: FeatureSet, _ box: FeatureBox)
    -> [(width: Double, x: Double, y: Double)]
  {
    var all: [(width: Double, x: Double, y: Double)] = []
    let rows = 11
    for row in 1...rows {
      let share = Double(row) / Double(rows + 1)
      let y = Double(box.minY) + Double(box.maxY &- box.minY) * share + 0.25
      var crossings: [Double] = []
      for part in feature.partRange where set.parts[part].kind == .ring {
        let range = set.pointRange(part)
        guard var last = range.last.map({ set.points[$0] }) else { continue }
        for index in range {
          let point = set.points[index]
          if (Double(last.y) < y) != (Double(point.y) < y) {
            let along = (y - Double(last.y)) / (Double(point.y) - Double(last.y))
            crossings.append(Double(last.x) + (Double(point.x) - Double(last.x)) * along)
          }
          last = point
        }
      }
      crossings.sort()
      for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
        all.append(
          (crossings[pair + 1] - crossings[pair], (crossings[pair] + crossings[pair + 1]) / 2, y))
      }
    }
    return all
  }

  /// The distance from a position to the area's outline.
  private static func clearance(
    _ feature: Feature, _ set: FeatureSet, _ x: Double, _ y: Double
  ) -> Double {
    var least = Double.infinity
    for part in feature.partRange where set.parts[part].kind == .ring {
      let range = set.pointRange(part)
      guard let end = range.last else { continue }
      var (ax, ay) = (Double(set.points[end].x) - x, Double(set.points[end].y) - y)
      for index in range {
        let (bx, by) = (Double(set.points[index].x) - x, Double(set.points[index].y) - y)
        let (dx, dy) = (bx - ax, by - ay)
        let length = dx * dx + dy * dy
        let along = length > 0 ? min(1, max(0, -(ax * dx + ay * dy) / length)) : 0
        let (px, py) = (ax + dx * along, ay + dy * along)
        least = min(least, px * px + py * py)
        (ax, ay) = (bx, by)
      }
    }
    return least.isFinite ? least.squareRoot() : 0
  }
}
