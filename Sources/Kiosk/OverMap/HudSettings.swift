import Configuration

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

  private static let parts: [String: WritableKeyPath<Configuration.Hud, Bool> & Sendable] = [
    "attribution": \.attribution, "scale_bar": \.scaleBar, "north": \.north, "zoom": \.zoom,
    "coordinates": \.coordinates, "buttons": \.buttons, "toasts": \.toasts,
  ]

  /// Shows or hides parts by their names in `[hud]`. Unknown names are ignored.
  mutating func ask(_ parts: [String: Bool]) {
    for (name, isShown) in parts where HudSettings.parts[name] != nil { asked[name] = isShown }
    merge()
  }

  /// Takes a new configuration. Requests stay, except for parts whose configured value changed.
  mutating func configure(_ new: Configuration.Hud) {
    for (name, part) in HudSettings.parts where new[keyPath: part] != configured[keyPath: part] {
      asked[name] = nil
    }
    configured = new
    merge()
  }

  private mutating func merge() {
    current = configured
    for (name, isShown) in asked {
      if let part = HudSettings.parts[name] { current[keyPath: part] = isShown }
    }
  }
}
