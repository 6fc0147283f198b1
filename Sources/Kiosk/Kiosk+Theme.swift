import Configuration
import Pixels

/// The theme as it is.
struct ThemeState {
  /// What was asked for; nil: what is configured.
  var chosen: Configuration.Theme.Mode?
  /// Whether the night's colours are shown.
  var isNight = false
  var transform = ColorTransform.identity
}

extension Kiosk {
  /// What the theme does to every tile.
  var themeFilters: [Filter] { theme.isNight ? configuration.theme.night : [] }

  /// What the theme does to every colour that is drawn; a mosaic, which is of tiles, is left out.
  public var themeTransform: ColorTransform { theme.transform }
}
