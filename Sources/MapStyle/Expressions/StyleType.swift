/// The type of an expression, known when it is compiled.
indirect enum StyleType: Hashable, Sendable, CustomStringConvertible {
  case null, number, string, boolean, color, object, value
  case formatted, image, collator
  case padding, numbers, colors, anchorOffsets, projection
  /// A list of items of one type, of a length if that is known.
  case array(StyleType, Int?)

  /// The name in the style language.
  var description: String {
    switch self {
    case .null: "null"
    case .number: "number"
    case .string: "string"
    case .boolean: "boolean"
    case .color: "color"
    case .object: "object"
    case .value: "value"
    case .formatted: "formatted"
    case .image: "resolvedImage"
    case .collator: "collator"
    case .padding: "padding"
    case .numbers: "numberArray"
    case .colors: "colorArray"
    case .anchorOffsets: "variableAnchorOffsetCollection"
    case .projection: "projectionDefinition"
    case .array(.value, nil): "array"
    case .array(let item, nil): "array<\(item)>"
    case .array(let item, let count?): "array<\(item), \(count)>"
    }
  }

  /// Whether every value of type `other` is one of this type.
  func accepts(_ other: StyleType) -> Bool {
    if self == other { return true }
    switch (self, other) {
    case (.array(let item, let count), .array(let otherItem, let otherCount)):
      return (otherCount == 0 || item.accepts(otherItem)) && (count == nil || count == otherCount)
    case (.value, .array(let item, _)): return StyleType.value.accepts(item)
    case (.value, _): return true
    default: return false
    }
  }

  /// The type of a value.
  init(of value: StyleValue) {
    switch value {
    case .null: self = .null
    case .bool: self = .boolean
    case .number: self = .number
    case .string: self = .string
    case .color: self = .color
    case .formatted: self = .formatted
    case .image: self = .image
    case .object: self = .object
    case .array(let items):
      guard let first = items.first else {
        self = .array(.value, 0)
        return
      }
      let type = StyleType(of: first)
      let isUniform = items.allSatisfy { StyleType(of: $0) == type }
      self = .array(isUniform ? type : .value, items.count)
    }
  }

  /// Whether its values consist of others.
  var isCompound: Bool {
    switch self {
    case .null, .number, .string, .boolean, .value: false
    default: true
    }
  }

  /// Whether a value is of this type.
  func accepts(_ value: StyleValue) -> Bool {
    switch (self, value) {
    case (.number, .number), (.string, .string), (.boolean, .bool), (.value, _), (.null, .null),
      (.color, .color), (.object, .object), (.array(.value, nil), .array):
      true
    case (.array, .array): accepts(StyleType(of: value))
    default: self == StyleType(of: value)
    }
  }
}
