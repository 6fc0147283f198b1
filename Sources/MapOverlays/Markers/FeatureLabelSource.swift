import MapGeometry

/// The labels of one vector overlay.
public final class FeatureLabelSource: OverlayLabelSource {
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

  /// Creates the source of an overlay's labels.
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
  func isSame(as other: FeatureLabelSource) -> Bool {
    features === other.features && color == other.color && minZoom == other.minZoom
      && namesLines == other.namesLines
  }

  /// Calls `body` with the labels in a box of the unit square, the most important first.
  public func forEachLabel(
    minX: Double, minY: Double, maxX: Double, maxY: Double, zoom: Double,
    _ body: (OverlayLabel) -> Void
  ) {
    if zoom < minZoom { return }
    let found = features.labels(
      minX: minX, minY: minY, maxX: maxX, maxY: maxY, limit: FeatureLabelSource.most)
    for name in found where namesLines || !features.isNamedLine(name.feature) {
      var label = OverlayLabel(
        place: name.place, text: name.text, color: color, extent: name.extent,
        beside: name.isPlace ? FeatureLabelSource.beside : 0)
      label.others = name.others
      label.line = features.nameColor(of: name.feature)
      body(label)
    }
  }
}
