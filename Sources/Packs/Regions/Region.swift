import Features
import Glibc
import MapGeometry

/// An area of the map, put together from boxes, circles, polygons, points and corridors.
///
/// A tile belongs to it where it reaches more than 2 cm into the tile.
package struct Region: Sendable {
  private(set) var shapes: [RegionShape] = []
  private(set) var areas: [AreaOutline] = []
  /// The boxes around all parts, in degrees.
  private var boxes = RegionBounds()

  /// A region of nothing.
  package init() {}

  /// The whole map.
  package static let world: Region = {
    var region = Region()
    region.add(GeoBounds.world)
    return region
  }()

  /// Whether it has no part at all.
  package var isEmpty: Bool { shapes.isEmpty && areas.isEmpty }

  /// The smallest box around it on the map, across the dateline where that is smaller; nil for a
  /// region of nothing and one beyond the map's edges.
  package var bounds: GeoBounds? { boxes.bounds }

  /// The tiles of `zooms` that it touches.
  package func tiles(zooms: ClosedRange<Int>) throws(TileSet.TooLarge) -> TileSet {
    try TileSelector.tiles(of: self, zooms: zooms)
  }

  /// Adds a box; latitudes beyond the map's edges are taken as the edge.
  package mutating func add(_ box: GeoBounds) {
    let top = WebMercator.project(GeoPoint(lat: box.north, lon: 0)).y
    let bottom = WebMercator.project(GeoPoint(lat: box.south, lon: 0)).y
    // Wholly beyond an edge: there is nothing of it on the map.
    guard box.south < WebMercator.maxLatitude, box.north > -WebMercator.maxLatitude else { return }
    let span = box.longitudeSpan / 360
    var west = (box.west + 180) / 360
    west -= west.rounded(.down)
    let east = west + span
    if span >= 1 {
      shapes.append(.box(RegionBox(west: 0, north: top, east: 1, south: bottom)))
    } else if east > 1 {
      shapes.append(.box(RegionBox(west: west, north: top, east: 1, south: bottom)))
      // A sliver on the other side of the dateline would be widened into the next tile, so drop it.
      if east - 1 > MapSquare.inset {
        shapes.append(.box(RegionBox(west: 0, north: top, east: east - 1, south: bottom)))
      }
    } else {
      shapes.append(.box(RegionBox(west: west, north: top, east: east, south: bottom)))
    }
    boxes.add(
      x: span >= 1 ? 0 : west, width: min(span, 1), north: box.north, south: box.south)
  }

  /// Adds all places within `radius` metres of `center` on the ground; 0 for the place alone.
  package mutating func add(center: GeoPoint, radius: Double) {
    if abs(center.lat) < WebMercator.maxLatitude {
      let world = WebMercator.project(center)
      shapes.append(.point(RegionPoint(x: world.x, y: world.y)))
    }
    let disc = RegionDisc(center: center, radius: max(radius, 0))
    if radius > 0 { shapes.append(.disc(disc)) }
    boxes.add(disc.frame.bounds)
  }

  /// Adds all places within `distance` metres of a line that is straight on the map between places
  /// of the unit square; a line of one place is a circle.
  package mutating func add(line: [WorldPoint], distance: Double) {
    guard let first = line.first else { return }
    var start = first
    for end in line.count > 1 ? line[1...] : line[...] {
      // A long line is looked at in pieces: those far from a square cost nothing then.
      let length = hypot(end.x - start.x, end.y - start.y)
      let count = max(1, Int(min((length / Region.pieceLength).rounded(.up), 1024)))
      for index in 0..<count {
        func place(_ part: Int) -> WorldPoint {
          let part = Double(part) / Double(count)
          return WorldPoint(
            x: start.x + (end.x - start.x) * part, y: start.y + (end.y - start.y) * part)
        }
        let piece = CorridorPiece(
          from: place(index), to: place(index + 1), distance: distance)
        shapes.append(.corridor(piece))
        boxes.add(piece.frame.bounds)
      }
      start = end
    }
  }

  /// In widths of the world: 39 km on the equator.
  private static let pieceLength = 1.0 / 1024

  /// Adds the areas of `feature`: its rings, even-odd, and its circles.
  ///
  /// - Returns: whether it had any.
  mutating func addAreas(of feature: Feature, in set: FeatureSet) -> Bool {
    var hasArea = false
    if let area = AreaOutline(feature, of: set) {
      hasArea = true
      areas.append(area)
      shapes += area.points.map { .point($0) }
      for box in area.boxes { boxes.add(box) }
    }
    for part in feature.partRange where set.parts[part].kind == .circle {
      hasArea = true
      let (center, radius) = set.circle(part)
      add(center: center, radius: radius)
    }
    return hasArea
  }
}

extension FeatureSet {
  /// Centre and radius in metres of a part that is a circle.
  func circle(_ part: Int) -> (center: GeoPoint, radius: Double) {
    let point = points[pointRange(part).lowerBound]
    let center = WebMercator.unproject(WorldPoint(x: point.unitX, y: point.unitY))
    let width = Double(circleRadius(part)) / FeaturePoint.steps
    return (center, width * WebMercator.metersPerPoint(lat: center.lat, zoom: 0) * 256)
  }
}

/// The smallest box around boxes, on a map that wraps.
struct RegionBounds: Sendable {
  private var spans: [(x: Double, width: Double)] = []
  private var north = -Double.infinity
  private var south = Double.infinity

  /// Adds a box: `x` and `width` in widths of the world, latitudes in degrees.
  mutating func add(x: Double, width: Double, north: Double, south: Double) {
    let limit = WebMercator.maxLatitude
    guard north > -limit, south < limit else { return }
    spans.append((x - x.rounded(.down), width))
    self.north = max(self.north, min(north, limit))
    self.south = min(self.south, max(south, -limit))
    // A track is a hundred thousand boxes: they are joined on the way.
    if spans.count >= 4096 { spans = RegionBounds.joined(spans) }
  }

  mutating func add(_ box: GeoBounds) {
    add(
      x: (box.west + 180) / 360, width: box.longitudeSpan / 360, north: box.north,
      south: box.south)
  }

  mutating func add(_ box: FeatureBox) {
    func lat(_ y: UInt32) -> Double {
      WebMercator.unproject(WorldPoint(x: 0, y: FeaturePoint(x: 0, y: y).unitY)).lat
    }
    add(
      x: FeaturePoint(x: box.minX, y: 0).unitX,
      width: Double(box.maxX - box.minX) / FeaturePoint.steps, north: lat(box.minY),
      south: lat(box.maxY))
  }

  /// Overlapping spans made one, in ascending order; what crosses the dateline is two.
  private static func joined(
    _ spans: [(x: Double, width: Double)]
  ) -> [(x: Double, width: Double)] {
    var cut: [(from: Double, to: Double)] = []
    for span in spans {
      let end = span.x + span.width
      cut.append((span.x, min(end, 1)))
      if end > 1 { cut.append((0, min(end - 1, 1))) }
    }
    cut.sort { $0.from < $1.from }
    var result: [(from: Double, to: Double)] = []
    for span in cut {
      if let last = result.last, span.from <= last.to {
        result[result.count - 1].to = max(last.to, span.to)
      } else {
        result.append(span)
      }
    }
    return result.map { ($0.from, $0.to - $0.from) }
  }

  /// The box; what it leaves out is the widest gap.
  var bounds: GeoBounds? {
    let parts = RegionBounds.joined(spans)
    guard let first = parts.first, let last = parts.last, north > south || !parts.isEmpty else {
      return nil
    }
    var (west, east) = (first.x, last.x + last.width)
    var gap = 1 - east + west
    for (part, next) in zip(parts, parts.dropFirst()) where next.x - part.x - part.width > gap {
      gap = next.x - part.x - part.width
      (west, east) = (next.x, part.x + part.width)
    }
    return GeoBounds(
      west: west * 360 - 180, south: south, east: east * 360 - 180, north: north)
  }
}
