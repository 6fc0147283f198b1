import MapGeometry

/// The labels of one vector overlay.
public final class FeatureLabelAnchors: LabelAnchors {
  /// At most so many of one overlay are looked at for a part of the world.
  static let most = 400
  /// From a place's middle to past its disc, in points.
  static let beside = 8

  private let features: FeatureDrawing
  private let color: UInt32?
  private let minZoom: Double
  public let labelVersion: Int

  /// - Parameters:
  ///   - version: another one for every other drawing.
  ///   - color: of the words, 0xAARRGGBB; nil: as the other words.
  ///   - minZoom: the overlay's.
  public init(_ features: FeatureDrawing, version: Int, color: UInt32? = nil, minZoom: Double = 0) {
    self.features = features
    self.color = color
    self.minZoom = minZoom
    labelVersion = version
  }

  public func forEachLabel(
    minX: Double, minY: Double, maxX: Double, maxY: Double, zoom: Double,
    _ body: (LabelAnchor) -> Void
  ) {
    if zoom < minZoom { return }
    let labels = features.labels(
      minX: minX, minY: minY, maxX: maxX, maxY: maxY, limit: FeatureLabelAnchors.most)
    for label in labels {
      body(
        LabelAnchor(
          place: label.place, text: label.text, color: color, extent: label.extent,
          beside: label.isPlace ? FeatureLabelAnchors.beside : 0))
    }
  }
}
