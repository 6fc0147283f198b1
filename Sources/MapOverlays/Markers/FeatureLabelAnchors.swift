import MapGeometry

/// The labels of one vector overlay.
public final class FeatureLabelAnchors: LabelAnchors {
  /// The most labels of an overlay to consider for one part of the world.
  static let most = 800
  /// The distance in points from a point's middle to the text beside its disc.
  static let beside = 8

  private let features: FeatureDrawing
  private let color: UInt32?
  private let minZoom: Double
  /// The last result, for a larger box than requested. A zoom requests a new box every frame.
  private var found: [LabelAnchor] = []
  private var box: (minX: Double, minY: Double, maxX: Double, maxY: Double)?
  /// The version given to the initialiser.
  public let labelVersion: Int

  /// Creates the anchors of an overlay.
  ///
  /// - Parameters:
  ///   - features: The overlay's features.
  ///   - version: A number that no other drawing has.
  ///   - color: The colour of the labels, 0xAARRGGBB; nil: the default.
  ///   - minZoom: The lowest zoom at which the overlay is shown.
  public init(_ features: FeatureDrawing, version: Int, color: UInt32? = nil, minZoom: Double = 0) {
    self.features = features
    self.color = color
    self.minZoom = minZoom
    labelVersion = version
  }

  /// Calls `body` with the anchors in a box of the unit square, the most important first.
  public func forEachLabel(
    minX: Double, minY: Double, maxX: Double, maxY: Double, zoom: Double,
    _ body: (LabelAnchor) -> Void
  ) {
    if zoom < minZoom { return }
    look(minX, minY, maxX, maxY)
    for anchor in found
    where anchor.place.x >= minX && anchor.place.x <= maxX && anchor.place.y >= minY
      && anchor.place.y <= maxY
    {
      body(anchor)
    }
  }

  /// Searches again unless the last box contains this one and is at most four times as wide.
  private func look(_ minX: Double, _ minY: Double, _ maxX: Double, _ maxY: Double) {
    let (width, height) = (maxX - minX, maxY - minY)
    if let box, box.minX <= minX, box.minY <= minY, box.maxX >= maxX, box.maxY >= maxY,
      box.maxX - box.minX <= width * 4
    {
      return
    }
    let (marginX, marginY) = (width / 4, height / 4)
    let wide = (
      minX: minX - marginX, minY: minY - marginY, maxX: maxX + marginX, maxY: maxY + marginY
    )
    box = wide
    let labels = features.labels(
      minX: wide.minX, minY: wide.minY, maxX: wide.maxX, maxY: wide.maxY,
      limit: FeatureLabelAnchors.most)
    found = labels.map {
      var anchor = LabelAnchor(
        place: $0.place, text: $0.text, color: color, extent: $0.extent,
        beside: $0.isPlace ? FeatureLabelAnchors.beside : 0)
      anchor.others = $0.others
      return anchor
    }
  }
}
