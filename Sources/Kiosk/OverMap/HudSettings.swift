import Configuration
import MapGeometry

/// Which parts of the HUD are shown: as configured, with later requests over the socket.
struct HudSettings {
  private var configured: Configuration.Hud
  /// The requests over the socket, by the parts' names in `[hud]`.
  private var asked: [String: Bool] = [:]
  /// The present settings.
  private(set) var current: Configuration.Hud

  init(_ configured: Configuration.Hud) {
    self.configured = configured
    current = configured
  }

  /// Shows or hides parts by their names in `[hud]`. Unknown names are ignored.
  mutating func ask(_ parts: [String: Bool]) {
    for (name, isShown) in parts where Configuration.Hud.parts[name] != nil {
      asked[name] = isShown
    }
    merge()
  }

  /// Takes a new configuration. Requests stay, except for parts whose configured value changed.
  mutating func configure(_ new: Configuration.Hud) {
    for (name, part) in Configuration.Hud.parts
    where new[keyPath: part] != configured[keyPath: part] {
      asked[name] = nil
    }
    configured = new
    merge()
  }

  /// The shortest side of a screen in points of the HUD, below which that is not made larger.
  private static let leastSide = 240.0

  /// How large everything over the map is in `view`: as configured, but never so large that a small
  /// screen has no room for it.
  func size(in view: Viewport) -> Double {
    let side = Double(min(view.width, view.height)) / Double(max(1, view.scale))
    return min(current.size, max(1, side / HudSettings.leastSide))
  }

  private mutating func merge() {
    current = configured
    for (name, isShown) in asked {
      if let part = Configuration.Hud.parts[name] { current[keyPath: part] = isShown }
    }
  }
}
