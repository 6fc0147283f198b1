import MapStyle
import TileSources

/// Decides whether a style fits a map, by which of the style's layers the map has.
struct StyleLayers {
  /// The layers of the map.
  let map: [String]
  /// Whether the map itself lists its layers; otherwise they come from some of its tiles, and
  /// others may have more.
  let areStated: Bool

  /// The layers of vector tiles that `style` draws, each once, in the style's order.
  static func drawn(by style: MapStyle) -> [String] {
    var names: [String] = []
    var known: Set<String> = []
    for layer in style.layers where layer.isVisible {
      if let name = layer.sourceLayer, known.insert(name).inserted { names.append(name) }
    }
    return names
  }

  /// Why `style`, made for other maps, draws little or nothing of this one. Nil if it fits, or if
  /// the map's layers are unknown.
  func misfit(of style: MapStyle) -> String? {
    let wanted = StyleLayers.drawn(by: style)
    let missing = wanted.filter { !map.contains($0) }
    guard !map.isEmpty, !missing.isEmpty else { return nil }
    let own = VectorSchema(tileLayers: map)
    let schema = own.map { " (\($0.rawValue))" } ?? ""
    let advice =
      "which has \(Self.list(map))\(schema): give the map a style for its own layers"
    // A few tiles at sea have few of a map's layers.
    if missing.count == wanted.count,
      areStated || (own != nil && VectorSchema(layers: wanted) != nil)
    {
      return "none of its layers (\(Self.list(wanted))) is in the map, \(advice)"
    }
    // Schemas share names of layers, such as water, but mean different things by them. A style for
    // several schemas has many layers of each.
    guard let own, let other = VectorSchema(layers: wanted), other != own,
      missing.count * 2 > wanted.count
    else { return nil }
    return "it is for maps of \(other.rawValue): its layers \(Self.list(missing)) are not in the "
      + "map, \(advice)"
  }

  /// The layers that `style` draws and the map lacks, although style and map fit. Nil if none is
  /// missing, or if the map does not list its layers.
  func gap(of style: MapStyle) -> StyleFinding? {
    let missing = StyleLayers.drawn(by: style).filter { !map.contains($0) }
    guard areStated, !missing.isEmpty, misfit(of: style) == nil else { return nil }
    return StyleFinding(
      .style,
      reason: "the map has no \(missing.count == 1 ? "layer" : "layers") \(Self.list(missing)); "
        + "it has \(Self.list(map))")
  }

  /// The names in one line, the first 16 of them.
  private static func list(_ names: [String]) -> String {
    names.prefix(16).joined(separator: ", ") + (names.count > 16 ? ", …" : "")
  }
}
