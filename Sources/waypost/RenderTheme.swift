import ArgumentParser
import MapOverlays
import MapScene
import Pixels
import TileSources

extension SourceSpec.Night: ExpressibleByArgument {}

extension RenderCommand.Theme {
  /// The colours of everything but the map: what is over it, and where there is none.
  var picture: (theme: PictureTheme, palette: Compositor.Palette) {
    switch self {
    case .day: (.day, .day)
    case .night: (.night, .night)
    case .red: (.red, .red)
    }
  }
}

extension StillRequest {
  /// Whether a map that has a style for the night is drawn in it.
  var showsOwnNight: Bool { theme != .day && night == .theme }

  /// The theme's changes of colours, for the map and for overlays, as on a display whose
  /// configuration does not say otherwise: at night maps become dark, in red nothing is of another
  /// colour.
  var filters: (map: [ColorFilter], overlays: [ColorFilter]) {
    let own: [ColorFilter]
    let red: [ColorFilter] = theme == .red ? [.red] : []
    switch theme {
    case .day: return ([], [])
    case .night: own = [.dark]
    case .red: own = red
    }
    switch night {
    case .theme: return (own, own)
    case .dim: return ([.dim] + red, own)
    case .keep: return (red, own)
    }
  }
}
