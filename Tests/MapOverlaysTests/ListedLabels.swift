@testable import MapOverlays

/// Labels of an overlay from a list, as many at once as an overlay has.
final class ListedLabels: OverlayLabelSource {
  var labelVersion: Int
  var labels: [OverlayLabel]

  init(_ labels: [OverlayLabel], version: Int = 1) {
    (self.labels, labelVersion) = (labels, version)
  }

  func forEachLabel(
    minX: Double, minY: Double, maxX: Double, maxY: Double, zoom: Double,
    _ body: (OverlayLabel) -> Void
  ) {
    var left = FeatureLabelSource.most
    for label in labels
    where left > 0 && label.place.x >= minX && label.place.x <= maxX && label.place.y >= minY
      && label.place.y <= maxY
    {
      left -= 1
      body(label)
    }
  }
}
