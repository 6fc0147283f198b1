import Drawing
import MapLabels
import MapOverlays
import MapScene
import Words

/// What the key of the map says of a painted base map.
extension Kiosk {
  /// The signs of the base map in the tiles in view, in the reader's language: lines before areas.
  /// Lines lie on the map's ground, as on the map, and ferries on its water.
  func baseItems() -> [MapKey.Item] {
    guard book.sources.isPainted else { return [] }
    var tiles: [BaseTile] = []
    _ = pipeline.scene.collectBaseTiles(into: &tiles, withRing: false)
    var signs: [TileSign] = []
    var ground: UInt32 = 0
    for tile in tiles {
      guard let labels = pipeline.cache.companion(tile.slot) as? TileLabels else { continue }
      if ground == 0 { ground = labels.ground }
      for sign in labels.signs { signs.merge(sign) }
    }
    // The panel makes everything red itself.
    let tint = book.labelTint(theme: theme.filters.filter { $0 != .red }, isNight: theme.isNight)
    func tinted(_ color: UInt32) -> UInt32 {
      guard color != 0, let transform = tint?.transform else { return color }
      return transform.apply(color)
    }
    let water = signs.first { $0.feature == .water && $0.isArea && $0.color >> 24 == 255 }?.color
    let order = MapFeature.allCases
    return order.compactMap { feature in
      guard var sign = signs.first(where: { $0.feature == feature }) else { return nil }
      (sign.color, sign.edge) = (tinted(sign.color), tinted(sign.edge))
      var item = MapKey.Item(sign.key, overMap.words(feature.word))
      let below = feature == .ferry ? water ?? ground : ground
      if !sign.isArea, below != 0 { item.ground = tinted(below) }
      return item
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
