import MapStyle

@testable import Packs
@testable import VectorTiles

/// Vector tiles, as a pack stores them, and styles, which a map's maker wrote. `VectorTileLimits`
/// and the 8 MiB of a style allow more than an input here can ask for: a short one must not take
/// much.
extension FuzzTarget {
  static let vectors: [FuzzTarget] = [
    FuzzTarget(
      "vector-tile", of: ["VectorTiles", "TileFormats", "Packs/Work/VectorTileCheck.swift"],
      longest: 8192, mebibytes: 64
    ) { bytes in
      _ = VectorTileCheck.fault(of: bytes)
      guard let tile = try? VectorTile(bytes) else { return }
      try promise(tile.hasBytes(bytes), "a tile is not of its bytes")
      let geometry = VectorGeometry()
      for layer in tile.layers {
        for index in 0..<layer.featureCount {
          _ = try? layer.properties(of: index)
          _ = try? layer.read(index, into: geometry)
        }
        for index in 0..<min(layer.valueCount, 64) { _ = layer.value(index) }
        _ = layer.value(layer.valueCount)
      }
      _ = try? tile.verify()
    },
    FuzzTarget("style", of: ["MapStyle"], longest: 8192, mebibytes: 64) { bytes in
      guard let style = try? MapStyle(json: bytes, options: StyleOptions(language: "de")) else {
        return
      }
      let features = [
        nil, StyleFeature(),
        StyleFeature(
          geometry: .line, id: .number(7),
          properties: [
            "class": .string("primary"), "name": .string("Weiße Straße"), "rank": .number(3),
            "tunnel": .bool(true), "height": .number(-0.5),
          ]),
      ]
      for layer in style.layers {
        for zoom in [0, 7.5, 22] {
          for feature in features {
            let context = StyleContext(zoom: zoom, feature: feature)
            _ = layer.filter?.matches(context)
            evaluate(layer.kind, context)
          }
        }
      }
    },
  ]

  /// Evaluates all properties of a layer.
  private static func evaluate(_ kind: StyleLayerKind, _ context: StyleContext) {
    guard let style = Mirror(reflecting: kind).children.first?.value else { return }
    for (_, value) in Mirror(reflecting: style).children {
      (value as? any EvaluatedProperty)?.evaluate(context)
    }
  }
}

private protocol EvaluatedProperty {
  func evaluate(_ context: StyleContext)
}

extension StyleProperty: EvaluatedProperty {
  fileprivate func evaluate(_ context: StyleContext) { _ = value(context) }
}
