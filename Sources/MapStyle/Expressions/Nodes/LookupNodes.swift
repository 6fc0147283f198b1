/// A property of the feature; null if it has none of this name.
final class GetNode: StyleNode {
  let type = StyleType.value
  private let key: String

  init(_ key: String) { self.key = key }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    context.feature?.properties[key] ?? .null
  }
}

/// A property whose name is computed, or one of another object than the feature.
final class LookupNode: StyleNode {
  let type = StyleType.value
  private let key: any StyleNode
  private let object: (any StyleNode)?

  init(_ key: any StyleNode, in object: (any StyleNode)?) {
    self.key = key
    self.object = object
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    let name = try key.string(context)
    guard let object else { return context.feature?.properties[name] ?? .null }
    guard case .object(let members) = try object.evaluate(context) else { throw StyleFailure() }
    return members[name] ?? .null
  }
}

/// Whether the feature has a property.
final class HasNode: StyleNode {
  let type = StyleType.boolean
  private let key: String

  init(_ key: String) { self.key = key }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    .bool(context.feature?.properties[key] != nil)
  }
}

/// Whether there is a property whose name is computed, or one of another object than the feature.
final class HasLookupNode: StyleNode {
  let type = StyleType.boolean
  private let key: any StyleNode
  private let object: (any StyleNode)?

  init(_ key: any StyleNode, in object: (any StyleNode)?) {
    self.key = key
    self.object = object
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    let name = try key.string(context)
    guard let object else { return .bool(context.feature?.properties[name] != nil) }
    guard case .object(let members) = try object.evaluate(context) else { throw StyleFailure() }
    return .bool(members[name] != nil)
  }
}

/// What an expression can read without arguments.
final class ContextNode: StyleNode {
  enum Part { case zoom, id, geometry, properties }
  let type: StyleType
  private let part: Part
  /// Whether it is `["zoom"]`.
  var isZoom: Bool { part == .zoom }

  init(_ part: Part) {
    self.part = part
    type =
      switch part {
      case .zoom: .number
      case .id: .value
      case .geometry: .string
      case .properties: .object
      }
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    switch part {
    case .zoom: return .number(context.zoom)
    case .id: return context.feature?.id ?? .null
    case .geometry:
      guard let feature = context.feature else { return .null }
      return .string(feature.geometry.name)
    case .properties: return .object(context.feature?.properties ?? [:])
    }
  }
}

extension StyleGeometry {
  /// The name in the style language.
  var name: String {
    switch self {
    case .unknown: "Unknown"
    case .point: "Point"
    case .line: "LineString"
    case .polygon: "Polygon"
    }
  }
}

/// A value of the style's `state`, which nothing changes here.
final class GlobalStateNode: StyleNode {
  let type = StyleType.value
  private let value: StyleValue

  init(_ value: StyleValue) { self.value = value }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue { value }
}

/// Whether text can be drawn; here any can.
final class SupportedScriptNode: StyleNode {
  let type = StyleType.boolean
  private let text: any StyleNode

  init(_ text: any StyleNode) { self.text = text }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    _ = try text.string(context)
    return .bool(true)
  }
}

/// The name of a value's type.
final class TypeNode: StyleNode {
  let type = StyleType.string
  private let value: any StyleNode

  init(_ value: any StyleNode) { self.value = value }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    .string(StyleType(of: try value.evaluate(context)).description)
  }
}
