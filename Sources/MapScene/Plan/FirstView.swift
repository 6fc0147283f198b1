import MapGeometry
import TileSources

/// Where a view of a source begins.
public enum FirstView {
  /// `view` at `center` and `zoom` where they are given, else where the source would have a map begin:
  /// its own centre and zoom, failing that the middle of its bounds at a whole zoom that shows them
  /// all, failing that its shallowest level.
  ///
  /// - Parameters:
  ///   - info: what the source says; nil while it is not known.
  ///   - levels: its tile levels.
  ///   - tileSize: its tiles' edge in points, 256 or 512.
  public static func of(
    _ info: SourceInfo?, levels: ClosedRange<Int>?, tileSize: Int, center: GeoPoint?,
    zoom: Double?, in view: Viewport
  ) -> Viewport {
    var first = view
    first.center = center ?? info?.center ?? info?.bounds?.center ?? GeoPoint(lat: 0, lon: 0)
    if let zoom {
      first.zoom = zoom
      return first
    }
    guard let levels else { return first }
    // A tile of 512 points of level n is shown at zoom n + 1.
    let lift = tileSize == 512 ? 1.0 : 0
    let (low, high) = (Double(levels.lowerBound) + lift, Double(levels.upperBound) + lift)
    if center == nil, let zoom = info?.centerZoom {
      first.zoom = zoom
    } else if center == nil, let bounds = info?.bounds {
      let fitted = first.fitting(bounds, padding: 0, minZoom: low, maxZoom: high)
      first.zoom = max(fitted.zoom.rounded(.down), low)
    } else {
      first.zoom = low
    }
    return first
  }
}
