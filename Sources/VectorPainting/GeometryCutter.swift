import Platform
import VectorTiles

/// Cuts geometries to a window of a tile and half a window around it, in the window's own units.
///
/// Edges that the cut adds lie in the margin, far outside the part that is painted.
struct GeometryCutter {
  /// The window's edge in its units, which are as fine as a projection takes them: cuts are rounded
  /// to them.
  static let extent = 1 << 24

  /// The window's units in one of the layer's.
  private let scale: Double
  /// The window's corner in its units, from the tile's.
  private let origin: SIMD2<Double>
  private let least = -Double(extent) / 2
  private let greatest = Double(extent) * 1.5

  /// What a geometry is drawn as.
  enum Shape {
    case points, lines, rings
  }

  /// About the most bytes for a point while it is cut.
  private static let pointBytes = 128

  /// - Parameters:
  ///   - layerExtent: The layer's extent, 1 ... 2^24.
  ///   - levels: How often the tile is halved for the window.
  ///   - column: The window's column among these squares.
  ///   - row: The window's row.
  init(layerExtent: Int, levels: Int, column: Int, row: Int) {
    let units = Double(Self.extent)
    scale = Double(1 << levels) * units / Double(layerExtent)
    origin = SIMD2(Double(column), Double(row)) * units
  }

  /// Replaces a geometry by what is left of it. Returns false if there is no memory for that.
  func cut(_ geometry: VectorGeometry, _ shape: Shape) -> Bool {
    let (points, ends) = (geometry.points, geometry.ends)
    if ends.isEmpty { return true }
    guard SpareMemory.has(points.count, of: Self.pointBytes) else { return false }
    var result = Pieces()
    let isInside = contains(place(geometry.least)) && contains(place(geometry.greatest))
    var start = 0
    for end in ends {
      let places = points[start..<end].map(place)
      start = end
      switch shape {
      case _ where isInside: result.add(places)
      case .points: result.add(places.filter(contains))
      case .lines: cutLine(places, into: &result)
      case .rings:
        let ring = cutRing(places)
        if Self.hasArea(ring) { result.add(ring) }
      }
    }
    return geometry.replace(with: result.points, ends: result.ends)
  }

  /// The parts of a geometry that are left.
  private struct Pieces {
    var points: [VectorPoint] = []
    var ends: [Int] = []

    mutating func add(_ places: [SIMD2<Double>]) {
      if places.isEmpty { return }
      for place in places {
        // Within the margin, which 32 bits hold.
        points.append(
          VectorPoint(x: Int32(place.x.rounded()), y: Int32(place.y.rounded())))
      }
      ends.append(points.count)
    }
  }

  private func place(_ point: VectorPoint) -> SIMD2<Double> {
    SIMD2(Double(point.x), Double(point.y)) * scale - origin
  }

  private func contains(_ place: SIMD2<Double>) -> Bool {
    place.x >= least && place.x <= greatest && place.y >= least && place.y <= greatest
  }

  /// Adds the pieces of a line that are inside.
  private func cutLine(_ line: [SIMD2<Double>], into result: inout Pieces) {
    var piece: [SIMD2<Double>] = []
    if line.count == 1, contains(line[0]) { result.add(line) }
    for index in line.indices.dropFirst() {
      guard let (from, to) = inside(line[index - 1], line[index]) else {
        result.add(piece)
        piece = []
        continue
      }
      if piece.last != from {
        result.add(piece)
        piece = [from]
      }
      piece.append(to)
    }
    result.add(piece)
  }

  /// The part of a segment that is inside (Liang and Barsky); nil: there is none.
  private func inside(
    _ a: SIMD2<Double>, _ b: SIMD2<Double>
  ) -> (SIMD2<Double>, SIMD2<Double>)? {
    let way = b - a
    var (start, end) = (0.0, 1.0)
    for axis in 0..<2 {
      for (p, q) in [(-way[axis], a[axis] - least), (way[axis], greatest - a[axis])] {
        if p == 0 {
          if q < 0 { return nil }
        } else if p < 0 {
          start = max(start, q / p)
        } else {
          end = min(end, q / p)
        }
      }
    }
    guard start <= end else { return nil }
    return (
      start == 0 ? a : clamped(a + way * start), end == 1 ? b : clamped(a + way * end)
    )
  }

  private func clamped(_ place: SIMD2<Double>) -> SIMD2<Double> {
    place.clamped(
      lowerBound: SIMD2(repeating: least), upperBound: SIMD2(repeating: greatest))
  }

  /// The part of a ring that is inside; where it leaves, it goes on along the margin's edge.
  private func cutRing(_ ring: [SIMD2<Double>]) -> [SIMD2<Double>] {
    var ring = ring
    for axis in 0..<2 {
      ring = half(of: ring, axis) { $0 - least }
      ring = half(of: ring, axis) { greatest - $0 }
    }
    return ring.map(clamped)
  }

  /// The part of a ring where `depth` of its coordinates is not below 0 (Sutherland and Hodgman).
  private func half(
    of ring: [SIMD2<Double>], _ axis: Int, _ depth: (Double) -> Double
  ) -> [SIMD2<Double>] {
    guard var last = ring.last else { return [] }
    var result: [SIMD2<Double>] = []
    result.reserveCapacity(ring.count + 4)
    var before = depth(last[axis])
    for place in ring {
      let now = depth(place[axis])
      if (before >= 0) != (now >= 0) {
        result.append(last + (place - last) * (before / (before - now)))
      }
      if now >= 0 { result.append(place) }
      (last, before) = (place, now)
    }
    return result
  }

  /// Whether a ring bounds something. One that lies along the margin's edge does not, and its
  /// direction would be no ring's.
  private static func hasArea(_ ring: [SIMD2<Double>]) -> Bool {
    guard ring.count > 2 else { return false }
    var sum = 0.0
    for index in ring.indices.dropFirst(2) {
      let (a, b) = (ring[index - 1] - ring[0], ring[index] - ring[0])
      sum += a.x * b.y - b.x * a.y
    }
    return abs(sum) > 1
  }
}
