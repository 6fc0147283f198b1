import Features
import MapGeometry

/// The label of a feature and its position.
public struct FeatureLabel: Sendable, Equatable {
  /// The feature's index in its set.
  public var feature: Int
  /// The position on the unit square; x lies beyond it if the requested box does.
  public var place: WorldPoint
  /// The label's text, one line.
  public var text: String
  /// Larger is more important: areas and lines by their size, points last.
  public var priority: Float
  /// The width of its largest area, or the length of its longest line, in widths of the world; 0
  /// for a point.
  public var extent: Double
  /// Whether the feature is a point, so that the text goes beside its disc.
  public var isPlace: Bool
}

/// The label positions of features: on the line, or inside the area.
struct LabelPlaces: Sendable {
  /// One per feature; empty if none has a label.
  let places: [FeaturePoint]
  /// The width of the area or the length of the line, in widths of the world.
  let extents: [Float]

  var bytes: Int {
    places.capacity * MemoryLayout<FeaturePoint>.stride
      + extents.capacity * MemoryLayout<Float>.stride
  }

  init(_ set: FeatureSet) {
    guard set.features.contains(where: { set.label(of: $0) != nil }) else {
      places = []
      extents = []
      return
    }
    var places: [FeaturePoint] = []
    var extents: [Float] = []
    places.reserveCapacity(set.features.count)
    extents.reserveCapacity(set.features.count)
    for feature in set.features {
      let (place, extent) = LabelPlaces.place(of: feature, set)
      places.append(place)
      extents.append(Float(extent / FeaturePoint.steps))
    }
    self.places = places
    self.extents = extents
  }

  private static func place(of feature: Feature, _ set: FeatureSet) -> (FeaturePoint, Double) {
    let kinds = feature.partRange.map { set.parts[$0].kind }
    if kinds.contains(.ring) { return inside(feature, set) }
    if kinds.contains(.line) { return middle(feature, set) }
    let part = feature.partRange.lowerBound
    let radius = kinds.first == .circle ? Double(set.circleRadius(part)) : 0
    return (set.points[set.pointRange(part).lowerBound], 2 * radius)
  }

  /// The middle of the longest line.
  private static func middle(_ feature: Feature, _ set: FeatureSet) -> (FeaturePoint, Double) {
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
    var rest = best.length / 2
    for (a, b) in zip(points, points.dropFirst()) {
      let step = length(a, b)
      if step >= rest, step > 0 {
        let part = rest / step
        let place = FeaturePoint(
          unitX: a.unitX + (b.unitX - a.unitX) * part,
          unitY: a.unitY + (b.unitY - a.unitY) * part)
        return (place, best.length)
      }
      rest -= step
    }
    return (points.first ?? FeaturePoint(x: 0, y: 0), max(0, best.length))
  }

  /// The middle of the widest stretch inside the area on one of 11 rows, preferring rows near the
  /// middle.
  private static func inside(_ feature: Feature, _ set: FeatureSet) -> (FeaturePoint, Double) {
    // The rows divide the largest ring, so that islands do not move a country's name.
    var box = FeatureBox.empty
    var largest = 0.0
    for part in feature.partRange where set.parts[part].kind == .ring {
      var own = FeatureBox.empty
      for point in set.points[set.pointRange(part)] { own.include(point) }
      let size = Double(own.maxX &- own.minX) * Double(own.maxY &- own.minY)
      if size >= largest { (largest, box) = (size, own) }
    }
    var best = (score: -1.0, x: Double(box.minX), y: Double(box.minY))
    let rows = 11
    for row in 1...rows {
      let share = Double(row) / Double(rows + 1)
      let y = Double(box.minY) + Double(box.maxY - box.minY) * share + 0.25
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
        let width = crossings[pair + 1] - crossings[pair]
        let score = width * (1 - abs(share - 0.5))
        if score > best.score { best = (score, (crossings[pair] + crossings[pair + 1]) / 2, y) }
      }
    }
    let place = FeaturePoint(
      unitX: best.x / FeaturePoint.steps, unitY: best.y / FeaturePoint.steps)
    return (place, Double(box.maxX &- box.minX))
  }
}

extension FeatureDrawing {
  /// Whether any feature has a label.
  public var hasLabels: Bool { !labelPlaces.places.isEmpty }

  /// The labels positioned in a box of the unit square, the most important first.
  ///
  /// - Parameters:
  ///   - minX: The western edge; below 0 or above 1 where the world repeats.
  ///   - minY: The northern edge, 0 ... 1.
  ///   - maxX: The eastern edge, like `minX`.
  ///   - maxY: The southern edge, 0 ... 1.
  ///   - limit: The most labels to return.
  /// - Returns: At most `limit` labels.
  public func labels(
    minX: Double, minY: Double, maxX: Double, maxY: Double, limit: Int
  ) -> [FeatureLabel] {
    guard hasLabels, minX <= maxX, minY <= maxY, limit > 0 else { return [] }
    var found: [(feature: Int32, world: Int, priority: Float)] = []
    let first = Int(max(-4, min(4, minX.rounded(.down))))
    let last = Int(max(-4, min(4, maxX.rounded(.down))))
    for world in first...max(first, last) {
      let west = minX - Double(world)
      let east = maxX - Double(world)
      guard east >= 0, west <= 1 else { continue }
      let (from, to) = (
        FeaturePoint(unitX: west, unitY: minY), FeaturePoint(unitX: east, unitY: maxY)
      )
      let box = FeatureBox(minX: from.x, minY: from.y, maxX: to.x, maxY: to.y)
      index.visit(box, features.features) { number in
        let place = labelPlaces.places[Int(number)]
        let feature = features.features[Int(number)]
        guard feature.hasLabel, place.x >= box.minX, place.x <= box.maxX, place.y >= box.minY,
          place.y <= box.maxY
        else { return true }
        found.append((number, world, labelPlaces.extents[Int(number)]))
        return true
      }
    }
    found.sort { $0.priority == $1.priority ? $0.feature < $1.feature : $0.priority > $1.priority }
    return found.prefix(limit).compactMap { item in
      let feature = features.features[Int(item.feature)]
      guard let text = features.label(of: feature) else { return nil }
      let place = labelPlaces.places[Int(item.feature)]
      return FeatureLabel(
        feature: Int(item.feature),
        place: WorldPoint(x: place.unitX + Double(item.world), y: place.unitY), text: text,
        priority: item.priority, extent: Double(item.priority),
        isPlace: features.parts[feature.partRange.lowerBound].kind == .point)
    }
  }
}
