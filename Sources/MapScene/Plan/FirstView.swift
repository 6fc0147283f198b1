import MapGeometry
import TileSources

/// The view in which a source is first shown.
public enum FirstView {
  /// The view at `center` and `zoom` where given. Otherwise the source decides: its own centre and
  /// zoom, else the middle of its bounds at the deepest whole zoom that shows all of them, else its
  /// shallowest level.
  ///
  /// - Parameters:
  ///   - info: What the source says about itself; nil while it is not open.
  ///   - levels: The source's tile levels; nil while it is not open.
  ///   - tileSize: The edge of its tiles in points, 256 or 512.
  ///   - center: The requested centre; nil: none.
  ///   - zoom: The requested zoom; nil: none.
  ///   - view: The view whose size and bearing are kept.
  /// - Returns: The first view.
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
    // A 512-point tile of level n is shown at zoom n + 1.
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
