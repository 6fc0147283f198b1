import CBundled
import TileSources

/// Waypost's own style, which is part of the program.
enum Trailhead {
  /// The style's file for maps of `schema`: MapLibre style JSON.
  static func json(_ schema: VectorSchema, isNight: Bool) -> UnsafeRawBufferPointer? {
    file("\(name(schema))-\(theme(isNight)).json")
  }

  /// The style's file for red nights, in greys of which only the red is to be shown.
  static func redJSON(_ schema: VectorSchema) -> UnsafeRawBufferPointer? {
    file("\(name(schema))-red.json")
  }

  /// A file of the sprite sheet: `ending` is ".json", ".png", "@2x.json" or "@2x.png".
  static func sprite(_ ending: String, isNight: Bool) -> UnsafeRawBufferPointer? {
    file("sprite-\(theme(isNight))\(ending)")
  }

  private static func theme(_ isNight: Bool) -> String { isNight ? "night" : "day" }

  private static func name(_ schema: VectorSchema) -> String {
    switch schema {
    case .protomaps: "protomaps"
    case .openMapTiles: "openmaptiles"
    case .shortbread: "shortbread"
    case .naturalEarth: "naturalearth"
    }
  }

  private static func file(_ name: String) -> UnsafeRawBufferPointer? {
    var size = 0
    guard let bytes = waypost_trailhead(name, &size) else { return nil }
    return UnsafeRawBufferPointer(start: bytes, count: size)
  }
}
