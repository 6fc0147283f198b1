import TileSources

/// Waypost's own style.
enum Trailhead {
  /// The style's file for maps of `schema`.
  static func json(_ schema: VectorSchema, isNight: Bool) -> String {
    let color = isNight ? "#202028" : "#f2efe6"
    return """
      {"version": 8, "sources": {"map": {"type": "vector"}}, "layers": [
        {"id": "background", "type": "background", "paint": {"background-color": "\(color)"}}
      ]}
      """
  }
}
