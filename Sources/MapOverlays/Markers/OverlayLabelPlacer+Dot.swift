import MapGeometry
import MapScene
import Pixels

extension OverlayLabelPlacer {
  /// The part of the map around the position that labels of overlays keep clear of.
  struct DotRoom: Equatable {
    /// Its middle on the unit square.
    var place: WorldPoint
    /// Half its edge in pixels.
    var half: Int

    /// What it covers in view pixels, on the copy of the world nearest to the middle of the screen.
    /// `side` is the world's width in grid pixels.
    func box(in t: ViewTransform, side: Double) -> PixelRect {
      let middle = t.grid(Double(t.width) / 2, Double(t.height) / 2)
      let x = place.x + (middle.x / side - place.x).rounded()
      let at = t.pixel(gridX: x * side, gridY: place.y * side)
      return PixelRect(x: at.x - half, y: at.y - half, width: 2 * half + 1, height: 2 * half + 1)
    }
  }
}
