import Drawing
import MapLabels
import MapOverlays
import MapScene
import Words

/// What the key of the map says of a painted base map.
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
      return MapKey.Item(sign.key, overMap.words(feature.word))
    }
  }
}

extension MapFeature {
  /// What it is called.
  var word: Word { Word(rawValue: "key-\(rawValue)") ?? .mapKey }
}

extension TileSign {
  /// The sign as the key draws it.
  var key: MapKey.Sign {
    isArea
      ? .area(fill: color, stroke: edge)
      : .line(color: color, width: Double(width), casing: edge, dash: dash.map(Double.init))
  }
}
