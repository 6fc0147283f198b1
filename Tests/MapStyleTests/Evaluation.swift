@testable import MapStyle

/// Evaluates everything in a style.
enum Evaluation {
  private static let contexts: [StyleContext] = {
    let properties: [String: StyleValue] = [
      "class": .string("wood"), "rank": .number(3), "name": .string("Ærø"), "kind": .bool(true),
      "lanes": .number(2.5), "ele": .number(-1e19), "colour": .string("#123"), "pattern": .null,
      "size": .number(.nan), "offset": .array([.number(1)]), "toll": .object(["a": .null]),
    ]
    let feature = StyleFeature(geometry: .polygon, id: .number(7), properties: properties)
    return [
      StyleContext(zoom: 0), StyleContext(zoom: 11.3, feature: feature, images: ["dots"]),
      StyleContext(zoom: 22, feature: StyleFeature()),
    ]
  }()

  static func all(of style: MapStyle) {
    for layer in style.layers {
      for context in contexts {
        _ = layer.filter?.matches(context)
        evaluate(layer.kind, context)
      }
    }
  }

  /// Every property of a layer, found by reflection, so that none is forgotten.
  private static func evaluate(_ kind: StyleLayerKind, _ context: StyleContext) {
    let style: Any =
      switch kind {
      case .background(let style): style
      case .fill(let style): style
      case .line(let style): style
      case .symbol(let style): style
      case .circle(let style): style
      case .raster(let style): style
      }
    for child in Mirror(reflecting: style).children {
      (child.value as? any Evaluated)?.touch(context)
    }
  }
}

/// A property of any type.
private protocol Evaluated {
  func touch(_ context: StyleContext)
}

extension StyleProperty: Evaluated {
  func touch(_ context: StyleContext) { _ = value(context) }
}
