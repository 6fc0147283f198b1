import Configuration
import Drawing
import Features
import MapLabels
import MapOverlays
import MapScene
import Words

/// What the key of the map says of a painted base map, and how it names overlays.
extension Kiosk {
  /// The signs of the base map in the tiles in view, in the reader's language: lines before areas.
  func baseItems() -> [MapKey.Item] {
    guard book.sources.isPainted else { return [] }
    var tiles: [BaseTile] = []
    _ = pipeline.scene.collectBaseTiles(into: &tiles, withRing: false)
    var signs: [TileSign] = []
    for tile in tiles {
      guard let labels = pipeline.cache.companion(tile.slot) as? TileLabels else { continue }
      for sign in labels.signs { signs.merge(sign) }
    }
    // The panel makes everything red itself.
    let tint = book.labelTint(theme: theme.filters.filter { $0 != .red }, isNight: theme.isNight)
    let order = MapFeature.allCases
    return order.compactMap { feature in
      guard var sign = signs.first(where: { $0.feature == feature }) else { return nil }
      if let transform = tint?.transform {
        sign.color = transform.apply(sign.color)
        if sign.edge != 0 { sign.edge = transform.apply(sign.edge) }
      }
      return MapKey.Item(sign.key(theme.picture), overMap.words(feature.word))
    }
  }

  /// What the key calls an overlay: by its `title`, as its file calls itself, as its only feature
  /// is called, or by the name of the file as people write; empty: it says nothing.
  static func title(
    of overlay: Configuration.Overlay, _ features: FeatureSet, in language: String
  ) -> String {
    if let title = overlay.title(in: language) { return title }
    if let title = features.title {
      // Programs write names of files there, too.
      return title.contains(" ") ? title : readable(title)
    }
    if features.features.count == 1, let only = features.label(of: features.features[0]) {
      return only
    }
    return readable(overlay.name)
  }

  /// The name of a file as words: without its ending, signs between words, and dates and numbers of
  /// devices. Empty if no word is left.
  static func readable(_ name: String) -> String {
    var stem = name[...]
    for ending in [".geojson", ".json", ".gpx", ".kml"] where stem.lowercased().hasSuffix(ending) {
      stem = stem.dropLast(ending.count)
    }
    let parts: [Substring] = stem.split(whereSeparator: {
      $0 == "_" || $0 == "-" || $0 == "." || $0.isWhitespace
    })
    let words = parts.filter { !($0.count >= 4 && $0.allSatisfy(\.isNumber)) }
    guard words.contains(where: { $0.count(where: \.isLetter) >= 2 }) else { return "" }
    let text: String = words.joined(separator: " ")
    return text.prefix(1).uppercased() + String(text.dropFirst())
  }
}

extension MapFeature {
  /// What it is called.
  var word: Word { Word(rawValue: "key-\(rawValue)") ?? .mapKey }
}

extension TileSign {
  /// The sign as the key draws it. Areas without an edge get a thin one: some are almost as light
  /// as the panel.
  func key(_ theme: PictureTheme) -> MapKey.Sign {
    isArea
      ? .area(fill: color, stroke: edge == 0 ? theme.secondInk & 0xFF_FFFF | 0x5000_0000 : edge)
      : .line(color: color, width: Double(width), casing: edge, dash: dash.map(Double.init))
  }
}
