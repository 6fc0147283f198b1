import Features
import MapGeometry

#if canImport(Glibc)
  import Glibc
#endif

/// A place on a line, nearest to another place.
public struct LineHit: Equatable, Sendable {
  /// The line's index in `FeatureSet.features`.
  public var feature: Int
  /// The index in `FeatureSet.points` of the point before it.
  public var point: Int
  /// How far it is towards the next point, 0 to 1.
  public var part: Double
  /// How far it is from the other place, on the unit square.
  public var distance: Double
}

/// Finds places on lines.
extension FeatureDrawing {
  /// The most pieces of lines that one search measures, which bounds its time.
  static let mostPieces = 200_000

  /// The place on any line that is nearest to `place`.
  ///
  /// - Parameters:
  ///   - place: On the unit square.
  ///   - radius: How far it may be away, on the unit square.
  /// - Returns: nil if there is none so near.
  public func nearestLine(to place: WorldPoint, within radius: Double) -> LineHit? {
    var search = LineSearch(self, place, radius)
    search.visitAll()
    return search.found
  }

  /// The place on the lines of some features that is nearest to `place`.
  ///
  /// - Parameters:
  ///   - features: Their indices.
  ///   - place: On the unit square.
  ///   - radius: How far it may be away, on the unit square.
  /// - Returns: nil if there is none so near.
  public func nearestLine(
    of features: Range<Int>, to place: WorldPoint, within radius: Double
  ) -> LineHit? {
    var search = LineSearch(self, place, radius)
    for feature in features.clamped(to: self.features.features.indices) { search.visit(feature) }
    return search.found
  }

  /// The features that are one line with the feature `number`.
  public func line(of number: Int) -> Range<Int> {
    features.trail(of: number)?.featureRange ?? number..<number + 1
  }

  /// Whether a line is drawn as closed.
  public func isClosed(_ line: Range<Int>) -> Bool {
    guard let first = line.first, features.features.indices.contains(first) else { return false }
    return style(of: first).isClosed
  }

  /// The length of a line in metres, as measured while it was read, else from its points.
  public func length(of line: Range<Int>) -> Double {
    if let first = line.first, let trail = features.trail(of: first) { return Double(trail.length) }
    return ruler.length(of: line, in: features)
  }

  /// How far along its line a place is, as a part of the line's length, 0 to 1.
  public func part(of hit: LineHit) -> Double {
    let line = line(of: hit.feature)
    guard let first = line.first else { return 0 }
    let start = features.pointRange(Int(features.features[first].firstPart)).lowerBound
    let whole = ruler.length(of: line, in: features)
    guard whole > 0 else { return 0 }
    var metres = ruler.metres(to: hit.point, of: features) - ruler.metres(to: start, of: features)
    if hit.point + 1 < features.points.count, hit.part > 0 {
      metres +=
        hit.part * LineRuler.metres(features.points[hit.point], features.points[hit.point + 1])
    }
    return min(max(metres / whole, 0), 1)
  }
}

/// A search for the nearest place on lines. Blocks of points that are too far away are skipped.
struct LineSearch {
  private let drawing: FeatureDrawing
  private let x: Double
  private let y: Double
  private let radius: Double
  private var best: Double
  private var pieces = 0
  private(set) var found: LineHit?

  init(_ drawing: FeatureDrawing, _ place: WorldPoint, _ radius: Double) {
    self.drawing = drawing
    x = (place.x - place.x.rounded(.down)) * FeaturePoint.steps
    y = place.y * FeaturePoint.steps
    self.radius = radius * FeaturePoint.steps
    best = self.radius
  }

  /// The box around the place in a copy of the world.
  private func box(_ world: Double) -> FeatureBox? {
    let middle = x + world * FeaturePoint.steps
    guard middle + radius >= 0, middle - radius <= FeaturePoint.steps, radius >= 0 else {
      return nil
    }
    let unit = FeaturePoint.steps
    let a = FeaturePoint(unitX: (middle - radius) / unit, unitY: (y - radius) / unit)
    let b = FeaturePoint(unitX: (middle + radius) / unit, unitY: (y + radius) / unit)
    return FeatureBox(minX: a.x, minY: a.y, maxX: b.x, maxY: b.y)
  }

  mutating func visitAll() {
    for world in [0.0, -1, 1] {
      guard let box = box(world) else { continue }
      var seen: [Int32] = []
      drawing.index.visit(box, drawing.features.features) {
        seen.append($0)
        return seen.count < FeatureDrawing.mostPieces
      }
      // Of lines that lie on each other, the topmost.
      for feature in seen.sorted(by: >) { search(Int(feature), box, world) }
    }
  }

  mutating func visit(_ feature: Int) {
    for world in [0.0, -1, 1] {
      guard let box = box(world) else { continue }
      search(feature, box, world)
    }
  }

  private mutating func search(_ number: Int, _ box: FeatureBox, _ world: Double) {
    let set = drawing.features
    let feature = set.features[number]
    // The stretches of a track in several colours lie over its casing, which is the whole line.
    guard feature.box.overlaps(box), set.styles[Int(feature.style)].lines != .ink else { return }
    let middle = x + world * FeaturePoint.steps
    for part in set.features[number].partRange where set.parts[part].kind == .line {
      let range = set.pointRange(part)
      var index = range.lowerBound
      while index + 1 < range.upperBound || index == range.lowerBound {
        let block = index >> FeatureIndex.blockBits
        let end = min((block + 1) << FeatureIndex.blockBits, range.upperBound)
        defer { index = end }
        guard block < drawing.index.blocks.count, drawing.index.blocks[block].overlaps(box) else {
          continue
        }
        pieces += end - index
        if pieces > FeatureDrawing.mostPieces { return }
        for point in index..<end {
          measure(point, min(point + 1, range.upperBound - 1), middle, number)
        }
      }
    }
  }

  /// Measures the piece from the point `a` to the point `b`.
  private mutating func measure(_ a: Int, _ b: Int, _ middle: Double, _ feature: Int) {
    let points = drawing.features.points
    let (ax, ay) = (Double(points[a].x), Double(points[a].y))
    let (dx, dy) = (Double(points[b].x) - ax, Double(points[b].y) - ay)
    let square = dx * dx + dy * dy
    var part = 0.0
    if square > 0 {
      part = min(max(((middle - ax) * dx + (y - ay) * dy) / square, 0), 1)
    }
    let (ex, ey) = (ax + part * dx - middle, ay + part * dy - y)
    let distance = (ex * ex + ey * ey).squareRoot()
    if distance < best || distance == best && found == nil {
      best = distance
      found = LineHit(
        feature: feature, point: a, part: part, distance: distance / FeaturePoint.steps)
    }
  }
}
