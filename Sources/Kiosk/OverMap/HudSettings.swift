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

  private mutating func merge() {
    current = configured
    for (name, isShown) in asked {
      if let part = Configuration.Hud.parts[name] { current[keyPath: part] = isShown }
    }
  }
}
