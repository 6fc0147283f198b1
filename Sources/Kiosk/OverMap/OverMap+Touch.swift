import MapGeometry
import MapOverlays

/// What fingers touch of the HUD, and what it has no room for.
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

  /// Tells once that a card or a map key that somebody asked for has no room on the screen.
  func tellMissingPanel() {
    let title: String? =
      switch hud.missingPanel {
      case .trail(let card)?: card.title
      case .key(let key)? where isKeyAsked: key.title
      default: nil
      }
    if missing.isNews(title), title != nil { showToast(words(.noRoom)) }
  }
}

/// Which panel was told to have no room.
final class MissingPanel {
  private var told: String?

  /// Notes the title of the panel that has no room; nil: none is missing. Returns whether it is
  /// another one.
  func isNews(_ title: String?) -> Bool {
    if title == told { return false }
    told = title
    return true
  }
}
