import MapGeometry

/// The labels of one vector overlay.
public final class FeatureLabelAnchors: LabelAnchors {
  /// At most so many of one overlay are looked at for a part of the world.
  static let most = 800
  /// From a place's middle to past its disc, in points.
  static let beside = 8

  private let features: FeatureDrawing
  private let color: UInt32?
  private let minZoom: Double
  /// What was found last, for a box larger than what was asked for: a zoom asks again for every frame.
  private var found: [LabelAnchor] = []
  private var box: (minX: Double, minY: Double, maxX: Double, maxY: Double)?
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
    look(minX, minY, maxX, maxY)
    for anchor in found
    where anchor.place.x >= minX && anchor.place.x <= maxX && anchor.place.y >= minY
      && anchor.place.y <= maxY
    {
      body(anchor)
    }
  }

  /// Sees to it that `found` holds what is in the box, and not of too large a part of the world.
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
      LabelAnchor(
        place: $0.place, text: $0.text, color: color, extent: $0.extent,
        beside: $0.isPlace ? FeatureLabelAnchors.beside : 0)
    }
  }
}
