import MapGeometry
import MapOverlays

/// What fingers touch of the HUD.
extension OverMap {
  /// The part of the HUD at the point (x, y) of `view`, in points; nil: the map is there.
  func touched(x: Double, y: Double, in view: Viewport) -> Hud.Touched? {
    let scale = Double(view.scale)
    guard let column = Int(exactly: (x * scale).rounded(.down)),
      let row = Int(exactly: (y * scale).rounded(.down))
    else { return nil }
    return hud.touched(x: column, y: row)
  }

  /// What a finger on a slot of the legend does; nil: nothing.
  func legendTouch(_ slot: Int?) -> ButtonLegend.Touch? {
    guard let slot, legend.touches.indices.contains(slot) else { return nil }
    return legend.touches[slot]
  }
}
