import VectorTiles

/// Where the label of an area stands.
enum AreaCenter {
  /// How many rows of an area are looked at.
  private static let rows = 7

  /// A point well inside each polygon: an outer ring with the rings of opposite direction that
  /// follow it (Vector Tile Specification 2.1, 4.3.3.3).
  static func centers(of geometry: VectorGeometry) -> [VectorPoint] {
    let points = geometry.points
    var centers: [VectorPoint] = []
    var polygon: [Range<Int>] = []
    var (start, outer) = (0, 0.0)
    for end in geometry.ends {
      let ring = start..<end
      start = end
      let area = area(points, ring)
      // A ring without area has no direction, and bounds nothing.
      if area == 0 { continue }
      if !polygon.isEmpty, area * outer > 0 {
        if let center = center(points, polygon) { centers.append(center) }
        polygon = []
      }
      if polygon.isEmpty { outer = area }
      polygon.append(ring)
    }
    if let center = center(points, polygon) { centers.append(center) }
    return centers
  }

  /// Twice the area; its sign tells the direction.
  private static func area(
    _ points: UnsafeBufferPointer<VectorPoint>, _ ring: Range<Int>
  ) -> Double {
    guard var last = ring.last.map({ points[$0] }) else { return 0 }
    var sum = 0.0
    for index in ring {
      let point = points[index]
      sum += Double(last.x) * Double(point.y) - Double(point.x) * Double(last.y)
      last = point
    }
    return sum
  }

  /// The middle of the longest stretch inside that one of a few rows has. Rows near the middle are
  /// preferred.
  private static func center(
    _ points: UnsafeBufferPointer<VectorPoint>, _ rings: [Range<Int>]
  ) -> VectorPoint? {
    guard let outer = rings.first, outer.count > 2 else { return nil }
    var (top, bottom) = (Double.infinity, -Double.infinity)
    for index in outer {
      top = min(top, Double(points[index].y))
      bottom = max(bottom, Double(points[index].y))
    }
    guard top < bottom else { return nil }
    var best: (length: Double, point: VectorPoint)?
    for number in 0..<rows {
      let share = (Double(number) + 0.5) / Double(rows)
      let y = top + (bottom - top) * share
      let weight = 1 - abs(share - 0.5)
      let crossings = crossings(points, rings, y)
      for pair in stride(from: 0, to: crossings.count - 1, by: 2) {
        let length = (crossings[pair + 1] - crossings[pair]) * weight
        if length > best?.length ?? 0 {
          let x = (crossings[pair] + crossings[pair + 1]) / 2
          best = (length, VectorPoint(x: Int32(clamping: Int(x)), y: Int32(clamping: Int(y))))
        }
      }
    }
    return best?.point
  }

  /// Where the rings cross a row, from left to right.
  private static func crossings(
    _ points: UnsafeBufferPointer<VectorPoint>, _ rings: [Range<Int>], _ y: Double
  ) -> [Double] {
    var crossings: [Double] = []
    for ring in rings {
      guard var last = ring.last.map({ points[$0] }) else { continue }
      for index in ring {
        let point = points[index]
        if (Double(last.y) <= y) != (Double(point.y) <= y) {
          let share = (y - Double(last.y)) / (Double(point.y) - Double(last.y))
          crossings.append(Double(last.x) + (Double(point.x) - Double(last.x)) * share)
        }
        last = point
      }
    }
    return crossings.sorted()
  }
}
