import Features

/// What drawing one tile may cost: where it shows more, its lowest features are left out.
///
/// The budget is some thousand layers that cover the whole tile, which takes a fraction of a
/// second. Of what lies beneath so many nothing is seen unless all of them are nearly transparent.
struct TileBudget {
  /// Layers of a whole tile.
  static let layers = 4096
  /// What following a point costs, in pixels blended.
  private static let point = 32.0

  private let set: FeatureSet
  private let styles: [DrawnStyle]
  private let box: FeatureBox
  /// Pixels a step of `FeaturePoint`, and a point.
  private let perStep: Double
  private let scale: Double
  private var left: Double

  /// - Parameters:
  ///   - set: The features.
  ///   - styles: Their styles.
  ///   - box: What the tile shows.
  ///   - width: The tile's side, in pixels.
  ///   - perStep: Pixels a step of `FeaturePoint`.
  ///   - scale: Pixels a point.
  init(
    _ set: FeatureSet, _ styles: [DrawnStyle], box: FeatureBox, width: Int, perStep: Double,
    scale: Int
  ) {
    self.set = set
    self.styles = styles
    self.box = box
    self.perStep = perStep
    self.scale = Double(scale)
    left = Double(TileBudget.layers) * Double(width) * Double(width)
  }

  /// Whether there is room for a feature beneath those that were taken before it.
  mutating func take(_ number: Int) -> Bool {
    left -= cost(of: set.features[number])
    return left >= 0
  }

  /// About what a feature costs, in pixels blended.
  private func cost(of feature: Feature) -> Double {
    let style = styles[Int(feature.style)]
    let width = side(feature.box.minX, feature.box.maxX, box.minX, box.maxX)
    let height = side(feature.box.minY, feature.box.maxY, box.minY, box.maxY)
    let parts = feature.partRange
    guard let last = parts.last else { return 0 }
    let points =
      set.pointRange(last).upperBound - set.pointRange(parts.lowerBound).lowerBound
    var cost = (Double(points) + 8) * TileBudget.point
    // A feature has parts of one kind, but for collections.
    if set.parts[parts.lowerBound].kind != .line, style.fill >> 24 != 0 { cost += width * height }
    if style.stroke >> 24 != 0 { cost += (width + height) * style.strokeWidth * scale }
    return cost
  }

  /// How long the common part of two stretches is, in pixels.
  private func side(_ a: UInt32, _ b: UInt32, _ from: UInt32, _ to: UInt32) -> Double {
    let (low, high) = (max(a, from), min(b, to))
    return high > low ? Double(high - low) * perStep : 0
  }
}
