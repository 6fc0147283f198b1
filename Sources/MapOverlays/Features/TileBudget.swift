import Features

/// Limits the cost of drawing one tile. If a tile costs more, its lowest features are not drawn.
///
/// The budget is that of a few thousand layers over the whole tile, which takes a fraction of a
/// second. Whatever is below them is invisible, unless nearly all of them are transparent.
struct TileBudget {
  /// The budget, in layers over the whole tile.
  static let layers = 4096
  /// The cost of following a point, in blended pixels.
  private static let point = 32.0

  private let set: FeatureSet
  private let styles: [DrawnStyle]
  private let box: FeatureBox
  /// Pixels per step of `FeaturePoint`, and per point.
  private let perStep: Double
  private let scale: Double
  private var left: Double

  /// Creates a full budget.
  ///
  /// - Parameters:
  ///   - set: The features.
  ///   - styles: Their styles.
  ///   - box: The part of the world that the tile shows.
  ///   - width: The tile's side in pixels.
  ///   - perStep: Pixels per step of `FeaturePoint`.
  ///   - scale: Pixels per point.
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

  /// Takes the cost of a feature below those taken before; false if the budget is used up.
  mutating func take(_ number: Int) -> Bool {
    left -= cost(of: set.features[number])
    return left >= 0
  }

  /// The approximate cost of a feature, in blended pixels.
  private func cost(of feature: Feature) -> Double {
    let style = styles[Int(feature.style)]
    let width = side(feature.box.minX, feature.box.maxX, box.minX, box.maxX)
    let height = side(feature.box.minY, feature.box.maxY, box.minY, box.maxY)
    let parts = feature.partRange
    guard let last = parts.last else { return 0 }
    let points =
      set.pointRange(last).upperBound - set.pointRange(parts.lowerBound).lowerBound
    var cost = (Double(points) + 8) * TileBudget.point
    // All parts of a feature have one kind, except in collections.
    if set.parts[parts.lowerBound].kind != .line, style.fill >> 24 != 0 { cost += width * height }
    if style.stroke >> 24 != 0 { cost += (width + height) * style.strokeWidth * scale }
    if style.hasCasing(ofAreas: false) {
      cost += (width + height) * (style.strokeWidth + OverlayStyle.casingWidth) * scale
    }
    return cost
  }

  /// The length of two intervals' overlap, in pixels.
  private func side(_ a: UInt32, _ b: UInt32, _ from: UInt32, _ to: UInt32) -> Double {
    let (low, high) = (max(a, from), min(b, to))
    return high > low ? Double(high - low) * perStep : 0
  }
}
