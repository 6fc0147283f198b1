/// Returns the first of its inputs that has a given type.
final class AssertionNode: StyleNode {
  let type: StyleType
  private let inputs: [any StyleNode]

  init(_ type: StyleType, _ inputs: [any StyleNode]) {
    self.type = type
    self.inputs = inputs
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    for input in inputs {
      let value = try input.evaluate(context)
      if type.accepts(value) { return value }
    }
    throw StyleFailure()
  }
}

/// Returns the first of its inputs that can be converted to a given type.
final class CoercionNode: StyleNode {
  let type: StyleType
  private let inputs: [any StyleNode]

  init(_ type: StyleType, _ inputs: [any StyleNode]) {
    self.type = type
    self.inputs = inputs
  }

  func evaluate(_ context: StyleContext) throws(StyleFailure) -> StyleValue {
    for input in inputs {
      if let value = CoercionNode.coerce(try input.evaluate(context), to: type) { return value }
    }
    throw StyleFailure()
  }

  /// Converts a value to another type; nil if that is impossible.
  static func coerce(_ value: StyleValue, to type: StyleType) -> StyleValue? {
    switch type {
    case .boolean: .bool(isTrue(value))
    case .string: string(value)
    case .number: number(value).map(StyleValue.number)
    case .color: color(value).map(StyleValue.color)
    case .formatted:
      if case .formatted = value { value } else { .formatted(text(value)) }
    case .image: .image(StyleText.string(value))
    case .padding: padding(value)
    case .numbers: list(value) { $0.number.map(StyleValue.number) }
    case .colors: list(value) { color($0).map(StyleValue.color) }
    case .anchorOffsets: [StyleAnchorOffset](style: value) == nil ? nil : value
    case .projection:
      switch value {
      case .string, .array, .object: value
      default: nil
      }
    default: nil
    }
  }

  /// Nil if the text is too long to be made.
  private static func string(_ value: StyleValue) -> StyleValue? {
    if case .string = value { return value }
    let text = StyleText.string(value)
    return text.utf8.count <= StyleText.limit ? .string(text) : nil
  }

  private static func isTrue(_ value: StyleValue) -> Bool {
    switch value {
    case .null: false
    case .bool(let flag): flag
    case .number(let number): number != 0 && !number.isNaN
    case .string(let text): !text.isEmpty
    default: true
    }
  }

  private static func number(_ value: StyleValue) -> Double? {
    switch value {
    case .null: 0
    case .bool(let flag): flag ? 1 : 0
    case .number(let number): number.isNaN ? nil : number
    case .string(let text): StyleText.number(text)
    default: nil
    }
  }

  private static func color(_ value: StyleValue) -> StyleColor? {
    switch value {
    case .color(let color): return color
    case .string(let text): return StyleColor(css: text)
    case .array(let items):
      let numbers = items.compactMap(\.number)
      guard numbers.count == items.count, (3...4).contains(numbers.count) else { return nil }
      return ColorNode.color(
        numbers[0], numbers[1], numbers[2], alpha: numbers.count == 4 ? numbers[3] : 1)
    default: return nil
    }
  }

  /// An image stays one in a text.
  private static func text(_ value: StyleValue) -> FormattedText {
    if case .image(let name) = value {
      return FormattedText(sections: [FormattedText.Section("", image: name)])
    }
    return FormattedText(StyleText.string(value))
  }

  /// Expands one to four numbers, as in CSS, to those of all four edges.
  private static func padding(_ value: StyleValue) -> StyleValue? {
    if case .number = value { return .array([value, value, value, value]) }
    guard case .array(let items) = value, items.allSatisfy({ $0.number != nil }) else {
      return nil
    }
    switch items.count {
    case 1: return .array([items[0], items[0], items[0], items[0]])
    case 2: return .array([items[0], items[1], items[0], items[1]])
    case 3: return .array([items[0], items[1], items[2], items[1]])
    case 4: return value
    default: return nil
    }
  }

  /// Converts all values of a list; a single value becomes a list of one. Nil if one cannot be
  /// converted.
  private static func list(
    _ value: StyleValue, _ convert: (StyleValue) -> StyleValue?
  ) -> StyleValue? {
    guard case .array(let items) = value else { return convert(value).map { .array([$0]) } }
    let converted = items.compactMap(convert)
    return converted.count == items.count ? .array(converted) : nil
  }
}
