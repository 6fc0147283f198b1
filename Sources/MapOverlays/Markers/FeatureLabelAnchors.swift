import MapGeometry

/// The labels of one vector overlay.
public final class FeatureLabelAnchors: LabelAnchors {
  /// The most labels of an overlay to consider for one part of the world.
  static let most = OverlayLabels.most
  /// The distance in points from a point's middle to the text beside its disc.
  static let beside = 8

  private let features: FeatureDrawing
  private let color: UInt32?
  /// Whether lines have labels.
  private let namesLines: Bool
  /// The lowest zoom at which the overlay is shown.
  public let minZoom: Double
  /// The version given to the initialiser.
  public let labelVersion: Int

  /// Creates the anchors of an overlay.
  ///
  /// - Parameters:
  ///   - features: The overlay's features.
  ///   - version: A number that no other drawing has.
  ///   - color: The colour of the labels, 0xAARRGGBB; nil: the default.
  ///   - minZoom: The lowest zoom at which the overlay is shown.
  ///   - namesLines: Whether lines have labels; false: their names stand along them.
  public init(
    _ features: FeatureDrawing, version: Int, color: UInt32? = nil, minZoom: Double = 0,
    namesLines: Bool = true
  ) {
    self.features = features
    self.color = color
    self.minZoom = minZoom
    self.namesLines = namesLines
    labelVersion = version
  }

  /// How many features there are, each with one label at most.
  public var labelCount: Int { features.hasLabels ? features.features.features.count : 0 }

  /// Whether these are the same labels, whatever their versions.
  func isSame(as other: FeatureLabelAnchors) -> Bool {
    features === other.features && color == other.color && minZoom == other.minZoom
      && namesLines == other.namesLines
  }

  /// Calls `body` with the anchors in a box of the unit square, the most important first.
  public func forEachLabel(
    minX: Double, minY: Double, maxX: Double, maxY: Double, zoom: Double,
    _ body: (LabelAnchor) -> Void
  ) {
    if zoom < minZoom { return }
    let labels = features.labels(
      minX: minX, minY: minY, maxX: maxX, maxY: maxY, limit: FeatureLabelAnchors.most)
    for label in labels where namesLines || !features.isNamedLine(label.feature) {
      var anchor = LabelAnchor(
        place: label.place, text: label.text, color: color, extent: label.extent,
        beside: label.isPlace ? FeatureLabelAnchors.beside : 0)
      anchor.others = label.others
      anchor.line = features.nameColor(of: label.feature)
      body(anchor)
    }
  }
}
