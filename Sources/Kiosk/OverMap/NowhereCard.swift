import Configuration
import MapOverlays
import Words

/// The card shown where there is no map.
enum NowhereCard {
  /// Creates the card for the base map, which may be unreadable; nil: there is no base map.
  /// `hasKeyboard`: keys control the kiosk.
  static func make(
    for map: (name: String, isFailed: Bool)?, _ configuration: Configuration, hasKeyboard: Bool,
    _ words: Words
  ) -> HudContent.Card {
    guard let map else { return HudContent.Card(title: words(.noMapYet), text: "") }
    let way = wayBack(configuration, hasKeyboard: hasKeyboard, words)
    return HudContent.Card(title: words(map.isFailed ? .mapNeedsService : .noMapHere), text: way)
  }

  /// How to get back to the map with the configured inputs; empty: there is no way.
  private static func wayBack(
    _ configuration: Configuration, hasKeyboard: Bool, _ words: Words
  ) -> String {
    for button in configuration.gpio.buttons {
      if button.action == .home { return words(.pressHome) }
      if button.hold == .action(.home) {
        let face = ButtonLegend.face(of: button.action, words)?.1
        return face.map { words(.holdForHome, $0) } ?? words(.pressHome)
      }
    }
    for key in configuration.input.keys where key.action == .home {
      return words(.pressKey, ButtonLegend.name(ofKey: key.key))
    }
    if hasKeyboard, !configuration.input.keys.contains(where: { $0.key == "KEY_HOME" }) {
      return words(.pressHome)
    }
    return configuration.view.homeAfter == nil ? "" : words(.mapReturns)
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
