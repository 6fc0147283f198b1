import Features
import MapGeometry

/// The label of a feature and its position.
public struct FeatureLabel: Sendable, Equatable {
  /// The feature's index in `FeatureSet.features`.
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
  /// Other positions inside the area or on the line, the best first.
  public var others: [WorldPoint] = []
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
    var found: [Found] = []
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
    func place(_ item: Found) -> (x: Double, y: Double) {
      let place = labelPlaces.places[Int(item.feature)]
      return (place.unitX + Double(item.world), place.unitY)
    }
    if found.count > limit { found = spread(found, limit, at: place).sorted().map { found[$0] } }
    // Points are equally important: they come from all over the box, however the file is sorted.
    let areas = found.prefix { $0.priority > 0 }.count
    if found.count - areas > FeatureDrawing.crowd {
      let points = Array(found[areas...])
      found.removeSubrange(areas...)
      found += spread(points, points.count, at: place).map { points[$0] }
    }
    return found.prefix(limit).compactMap { item in
      let feature = features.features[Int(item.feature)]
      guard let text = features.label(of: feature) else { return nil }
      let place = labelPlaces.places[Int(item.feature)]
      return FeatureLabel(
        feature: Int(item.feature),
        place: WorldPoint(x: place.unitX + Double(item.world), y: place.unitY), text: text,
        priority: item.priority, extent: Double(item.priority),
        isPlace: features.parts[feature.partRange.lowerBound].kind == .point,
        others: (labelPlaces.others[item.feature] ?? []).map {
          WorldPoint(x: $0.unitX + Double(item.world), y: $0.unitY)
        })
    }
  }

  private typealias Found = (feature: Int32, world: Int, priority: Float)

  /// More points than this are spread over the box around them.
  private static let crowd = 64

  /// Chooses up to `limit` items from all over the box around them, whatever the file's order: the
  /// box is divided into cells, and each cell gives its first item, then its second one, and so on.
  /// Returns the items' indices.
  private func spread(
    _ items: [Found], _ limit: Int, at place: (Found) -> (x: Double, y: Double)
  ) -> [Int] {
    let side = 16
    var (minX, minY) = (Double.infinity, Double.infinity)
    var (maxX, maxY) = (-Double.infinity, -Double.infinity)
    for item in items {
      let at = place(item)
      (minX, minY) = (min(minX, at.x), min(minY, at.y))
      (maxX, maxY) = (max(maxX, at.x), max(maxY, at.y))
    }
    let (width, height) = (max(maxX - minX, 1e-12), max(maxY - minY, 1e-12))
    var cells = [[Int]](repeating: [], count: side * side)
    for (i, item) in items.enumerated() {
      let at = place(item)
      let column = min(Int((at.x - minX) / width * Double(side)), side - 1)
      let row = min(Int((at.y - minY) / height * Double(side)), side - 1)
      cells[row * side + column].append(i)
    }
    var chosen: [Int] = []
    chosen.reserveCapacity(min(limit, items.count))
    var round = 0
    while chosen.count < limit {
      // Drops cells that have given all their items; a single cell may hold nearly all of them.
      cells.removeAll { $0.count <= round }
      if cells.isEmpty { break }
      for cell in cells where chosen.count < limit { chosen.append(cell[round]) }
      round += 1
    }
    return chosen
  }
}
