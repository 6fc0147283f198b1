import CBundled
import Configuration
import Drawing
import Glibc
import MapGeometry
import MapLabels
import Pixels
import TileSources
import VectorMaps

/// The fonts and the small world maps that are built into the program.
/// Sources/CBundled/data/README.md gives their origin and licence.
public enum Bundled {
  static let world = StaticBytes(
    name: "world", start: UnsafeRawPointer(waypost_world_map_bytes()),
    count: waypost_world_map_size(), isPartOfProgram: true)
  static let toner = StaticBytes(
    name: "toner", start: UnsafeRawPointer(waypost_toner_map_bytes()),
    count: waypost_toner_map_size(), isPartOfProgram: true)

  static let naturalEarth = StaticBytes(
    name: "natural-earth", start: UnsafeRawPointer(waypost_natural_earth_bytes()),
    count: waypost_natural_earth_size(), isPartOfProgram: true)

  /// The bundled maps of pictures as sources, in their order.
  public static var sources: [SourceSpec] {
    var earth = SourceSpec(name: "world", location: .memory(world))
    // Satellite pictures: dim them at night, because a negative would not look like night.
    earth.night = .dim
    return [earth, SourceSpec(name: "toner", location: .memory(toner))]
  }

  /// The configuration of `--demo`, and of a kiosk without a valid one: the bundled maps.
  public static var configuration: Configuration {
    var configuration = Configuration()
    // The vector map first: it is crisp at every size, and needs nobody's attribution.
    configuration.sources =
      [SourceSpec(name: "natural-earth", location: .memory(naturalEarth))] + sources
    configuration.view.center = GeoPoint(lat: 25, lon: 10)
    configuration.view.zoom = 2
    configuration.view.maxZoom = 6
    configuration.state.path = nil
    return configuration
  }

  /// The folder for the demo's socket: `$XDG_RUNTIME_DIR/waypost`, else `/tmp/waypost-UID`.
  public static var demoFolder: String {
    if let run = getenv("XDG_RUNTIME_DIR").map({ String(cString: $0) }), run.hasPrefix("/") {
      return run + "/waypost"
    }
    return "/tmp/waypost-\(getuid())"
  }

  /// The fonts of the base map's labels.
  public static var labelFonts: LabelFonts { .bundled }

  /// The renderer for text. The first of `files` that has a character draws it; the bundled fonts
  /// draw the rest.
  public static func text(_ files: [FontFile]) -> TextRenderer? {
    TextRenderer.bundled(after: files)
  }
}
