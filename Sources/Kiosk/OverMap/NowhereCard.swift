import Configuration
import MapOverlays

/// The card shown where there is no map.
enum NowhereCard {
  /// Creates the card for the base map of that name, which may be unreadable; nil: there is no base
  /// map. `hasKeyboard`: keys control the kiosk.
  static func make(
    for map: (name: String, isFailed: Bool)?, _ configuration: Configuration, hasKeyboard: Bool
  ) -> HudContent.Card {
    guard let map else { return HudContent.Card(title: "There is no map yet", text: "") }
    let way = wayBack(configuration, hasKeyboard: hasKeyboard)
    return map.isFailed
      ? HudContent.Card(title: "The map “\(map.name)” cannot be read", text: way)
      : HudContent.Card(title: "No map here", text: way)
  }

  /// How to get back to the map with the configured inputs; empty: there is no way.
  private static func wayBack(_ configuration: Configuration, hasKeyboard: Bool) -> String {
    for button in configuration.gpio.buttons {
      if button.action == .home { return "Home (button \(button.line.shown)) brings you back." }
      if button.hold == .action(.home) {
        return "Hold button \(button.line.shown) to go back."
      }
    }
    for key in configuration.input.keys where key.action == .home {
      return "\(ButtonLegend.name(ofKey: key.key)) brings you back."
    }
    if hasKeyboard, !configuration.input.keys.contains(where: { $0.key == "KEY_HOME" }) {
      return "The Home key brings you back."
    }
    return configuration.view.homeAfter == nil ? "" : "The map will return by itself."
  }
}

extension Configuration.Hud.Units {
  var scaleBar: ScaleBar.Units {
    switch self {
    case .metric: .metric
    case .imperial: .imperial
    case .nautical: .nautical
    }
  }
}

extension Configuration.Gpio.Line {
  /// The line's name for people: "17", "GPIO17".
  var shown: String {
    switch self {
    case .offset(let offset): String(offset)
    case .named(let name): name
    }
  }
}
