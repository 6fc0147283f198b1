import MapGeometry
import MapOverlays
import Pixels

/// The map key on the screen, and what it was made for.
struct ShownKey {
  var key: MapKey?
  /// What its place keeps clear of, in view pixels of when it was made.
  var obstacles: [PixelRect] = []
  /// The view; nil: the key is to be made again.
  var view: Viewport?
  /// When it was made, on the loop's clock.
  var at: UInt64 = 0
  /// Whether the whole map was on the screen then.
  var isWhole = false
  /// The version of the markers.
  var markers = 0
  /// Whether the position was lost; nil: it was unknown or not on the
  /// screen, or there is no key.
  var isLost: Bool?
}
